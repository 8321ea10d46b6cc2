package notifications

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/messaging"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
	"heartward/push"
)

// PushQueue is the queue of pushes. It is separate, so that a slow push service
// delays no other job.
const PushQueue = "push"

// PushArgs asks to push one notification to one device. The job stores the event
// and not the notification, which is loaded when the push is sent.
type PushArgs struct {
	DeviceID uuid.UUID       `json:"deviceId"`
	MemberID uuid.UUID       `json:"memberId"`
	Type     string          `json:"type"` // a key of eventTypes
	Event    json.RawMessage `json:"event"`
}

// Kind returns the name of the job.
func (PushArgs) Kind() string { return "push" }

// InsertOpts make the job unique: an event is pushed once to a device, however
// often it is enqueued.
func (PushArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: PushQueue, MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// Event is the cause of a push.
type Event interface {
	eventType() string

	// load returns what the push says now. It fails with pgx.ErrNoRows when there is
	// nothing to say any more, because the member has seen it or it is no longer true.
	load(ctx context.Context, db pg.DB, member uuid.UUID, settings Preferences) (Notification, error)
}

// eventTypes decodes the events of each type.
var eventTypes = map[string]func(json.RawMessage) (Event, error){
	UnreadMessages{}.eventType(): decodeEvent[UnreadMessages],
	NewMatch{}.eventType():       decodeEvent[NewMatch],
	DateReminder{}.eventType():   decodeEvent[DateReminder],
	Notification{}.eventType():   decodeEvent[Notification],
}

func decodeEvent[E Event](data json.RawMessage) (Event, error) {
	var event E
	err := json.Unmarshal(data, &event)
	return event, err
}

// NewPush returns the job that pushes an event of a member to one of their devices.
func NewPush(device, member uuid.UUID, event Event) (PushArgs, error) {
	data, err := json.Marshal(event)
	return PushArgs{DeviceID: device, MemberID: member, Type: event.eventType(), Event: data}, err
}

func (a PushArgs) decode() (Event, error) {
	decode, ok := eventTypes[a.Type]
	if !ok {
		return nil, fmt.Errorf("notifications: unknown type of event %q", a.Type)
	}
	return decode(a.Event)
}

// Notification is what a push says. It is also an event, for a cause that does not
// change: what Push was given is what is shown.
type Notification struct {
	Category Category  `json:"category"`
	Title    string    `json:"title"`
	Body     string    `json:"body"`
	Path     string    `json:"path"` // of the app, opened by a tap
	Tag      string    `json:"tag"`  // a newer notification replaces an older one with the same tag
	Expires  time.Time `json:"expires"`

	// shortBody replaces the body when the push service finds the push too large.
	shortBody string
	// conversation lets the service worker answer messages and mark them as read.
	conversation *conversation
}

// maxLifetime is how long a notification without an earlier end is of use.
const maxLifetime = 24 * time.Hour

func (Notification) eventType() string { return "notification" }

func (n Notification) load(context.Context, pg.DB, uuid.UUID, Preferences) (Notification, error) {
	return n, nil
}

// Push enqueues, in the transaction of its cause, a push of the notification for
// each of the member's devices that wants its category. There is none when the
// member does not want it. In quiet hours pushes wait for their end. Without an
// earlier end the notification expires after a day.
func (s *Service) Push(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, member uuid.UUID, n Notification) error {
	if latest := time.Now().Add(maxLifetime); n.Expires.IsZero() || n.Expires.After(latest) {
		n.Expires = latest
	}
	return s.pushEvent(ctx, tx, jobs, member, n.Category, n)
}

// pushEvent is Push for an event that is loaded when the push is sent.
func (s *Service) pushEvent(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, member uuid.UUID, category Category, event Event) error {
	settings, err := readSettings(ctx, tx, member)
	if err != nil || !settings.wants(category) {
		return err
	}
	devices, err := devicesFor(ctx, tx, member, category)
	if err != nil {
		return err
	}
	return enqueue(ctx, tx, jobs, devices, member, event)
}

// enqueue inserts a push of the event for each device.
func enqueue(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, devices []uuid.UUID, member uuid.UUID, event Event) error {
	if len(devices) == 0 {
		return nil
	}
	pushes := make([]river.InsertManyParams, len(devices))
	for i, device := range devices {
		args, err := NewPush(device, member, event)
		if err != nil {
			return err
		}
		pushes[i].Args = args
	}
	_, err := jobs.InsertManyTx(ctx, tx, pushes)
	return err
}

// Deliver sends a push, unless its event is no longer worth it, or the member or
// the device does not want its category any more. It deletes a device that no
// longer exists. The result says whether to try again: in quiet hours, after their
// end. Delivering twice shows one notification, because both have the same tag.
func (s *Service) Deliver(ctx context.Context, args PushArgs) (push.Result, error) {
	event, err := args.decode()
	if err != nil {
		return push.Result{}, err
	}
	settings, err := readSettings(ctx, s.pool, args.MemberID)
	if err != nil {
		return push.Result{}, err
	}
	if wait := settings.quietFor(time.Now()); wait > 0 {
		return push.Result{Outcome: push.Later, RetryAfter: wait}, nil
	}
	n, err := event.load(ctx, s.pool, args.MemberID, settings)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && (!settings.wants(n.Category) || !time.Now().Before(n.Expires)) {
		return push.Result{Outcome: push.Sent}, nil
	}
	if err != nil {
		return push.Result{}, err
	}
	to, err := readDevice(ctx, s.pool, args.DeviceID, args.MemberID, n.Category)
	if errors.Is(err, pgx.ErrNoRows) {
		return push.Result{Outcome: push.Sent}, nil
	}
	if err != nil {
		return push.Result{}, err
	}
	unread, err := messaging.CountUnread(ctx, s.pool, args.MemberID)
	if err != nil {
		return push.Result{}, err
	}
	result := s.send(ctx, to, args.MemberID, n, unread, settings)
	if result.Outcome == push.Gone || result.Outcome == push.Invalid {
		return result, deleteDevice(ctx, s.pool, args.DeviceID, to.Endpoint)
	}
	return result, nil
}

// send pushes the notification, and again with its short body when it is too large.
func (s *Service) send(ctx context.Context, to push.Subscription, member uuid.UUID, n Notification, unread int, settings Preferences) push.Result {
	message := push.Message{
		TTL: time.Until(n.Expires), Urgency: urgency(n.Category), Topic: topic(member, n.Tag),
		Payload: render(s.config.Site, member, n, unread, settings),
	}
	result := s.sender.Send(ctx, to, message)
	if result.Outcome == push.TooLarge && n.shortBody != "" {
		n.Body = n.shortBody
		message.Payload = render(s.config.Site, member, n, unread, settings)
		result = s.sender.Send(ctx, to, message)
	}
	return result
}

// urgency is high for events that another member waits to be answered.
func urgency(c Category) push.Urgency {
	switch c {
	case Messages, Matches, Graduation:
		return push.High
	}
	return push.Low
}
