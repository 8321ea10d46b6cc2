package notifications

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/messaging/unread"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
	"heartward/push"
)

// Event is the cause of a push.
type Event interface {
	eventType() string

	// load returns the current notification. It returns pgx.ErrNoRows if the member has
	// seen the event or it no longer applies.
	load(ctx context.Context, db pg.DB, member uuid.UUID, settings Preferences) (Notification, error)
}

// eventTypes decodes the events of each type.
var eventTypes = map[string]func(json.RawMessage) (Event, error){
	UnreadMessages{}.eventType():  decodeEvent[UnreadMessages],
	NewMatch{}.eventType():        decodeEvent[NewMatch],
	DateReminder{}.eventType():    decodeEvent[DateReminder],
	GraduationNews{}.eventType():  decodeEvent[GraduationNews],
	PulseReminder{}.eventType():   decodeEvent[PulseReminder],
	CommunityNews{}.eventType():   decodeEvent[CommunityNews],
	BadgeEarned{}.eventType():     decodeEvent[BadgeEarned],
	ReferralNews{}.eventType():    decodeEvent[ReferralNews],
	ConsentAsked{}.eventType():    decodeEvent[ConsentAsked],
	TogetherInvited{}.eventType(): decodeEvent[TogetherInvited],
	ProfileHidden{}.eventType():   decodeEvent[ProfileHidden],
	MoreNear{}.eventType():        decodeEvent[MoreNear],
	Notification{}.eventType():    decodeEvent[Notification],
}

func decodeEvent[E Event](data json.RawMessage) (Event, error) {
	var event E
	err := json.Unmarshal(data, &event)
	return event, err
}

// Notification is the content of a push. It is also an event whose content does not
// change until the push is sent.
type Notification struct {
	Category Category  `json:"category"`
	Title    string    `json:"title"`
	Body     string    `json:"body"`
	Path     string    `json:"path"` // of the app, opened by a tap
	Tag      string    `json:"tag"`  // a newer notification replaces an older one with the same tag
	Expires  time.Time `json:"expires"`

	// shortBody replaces Body if the push service rejects the push as too large.
	shortBody string
	// plainTitle replaces Title on devices that show no content; if empty, that of the category.
	plainTitle string
	// conversation is what the service worker needs to reply and to mark as read.
	conversation *conversation
}

// maxLifetime is the lifetime of a notification without an earlier end.
const maxLifetime = 24 * time.Hour

func (Notification) eventType() string { return "notification" }

func (n Notification) load(context.Context, pg.DB, uuid.UUID, Preferences) (Notification, error) {
	return n, nil
}

// Push enqueues, in the transaction of its cause, a push of the notification for each of
// the member's devices with its category, unless the member has turned the category off.
// In quiet hours pushes are snoozed. Without an earlier end the notification expires
// after a day.
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

// pushIfCurrent is pushEvent with the category of the notification. It enqueues nothing if the event no longer applies.
func (s *Service) pushIfCurrent(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, member uuid.UUID, event Event) error {
	n, err := event.load(ctx, tx, member, Preferences{})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.pushEvent(ctx, tx, jobs, member, n.Category, event)
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

// Deliver sends a push, unless its event no longer applies, or the member or the device
// has turned its category off; then the outcome is push.Sent too. It deletes a subscription that
// has expired. The result says whether to retry; in quiet hours, after their end. Repeated deliveries show
// one notification, because they have the same tag.
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
	nothingToSend := push.Result{Outcome: push.Sent} // the outcome after which the job is done
	n, err := event.load(ctx, s.pool, args.MemberID, settings)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && (!settings.wants(n.Category) || !time.Now().Before(n.Expires)) {
		return nothingToSend, nil
	}
	if err != nil {
		return push.Result{}, err
	}
	to, err := readDevice(ctx, s.pool, args.DeviceID, args.MemberID, n.Category)
	if errors.Is(err, pgx.ErrNoRows) {
		return nothingToSend, nil
	}
	if err != nil {
		return push.Result{}, err
	}
	if !to.showsContent {
		n = n.withoutContent()
	}
	state, err := s.readState(ctx, args.MemberID)
	if err != nil {
		return push.Result{}, err
	}
	result := s.send(ctx, to.Subscription, args.MemberID, n, state, settings)
	if result.Outcome == push.Gone || result.Outcome == push.Invalid {
		return result, deleteDevice(ctx, s.pool, args.DeviceID, to.Endpoint)
	}
	return result, nil
}

// maxRead is the number of conversations in a push whose notifications the device closes, because they were read on another
// device.
const maxRead = 5

func (s *Service) readState(ctx context.Context, member uuid.UUID) (state deviceState, err error) {
	if state.unread, err = unread.Count(ctx, s.pool, member); err != nil {
		return state, err
	}
	state.read, err = unread.ReadAfterNotified(ctx, s.pool, member, maxRead)
	return state, err
}

// send pushes the notification, and again with its short body when it is too large.
func (s *Service) send(ctx context.Context, to push.Subscription, member uuid.UUID, n Notification, state deviceState, settings Preferences) push.Result {
	message := push.Message{
		TTL: time.Until(n.Expires), Urgency: urgency(n.Category), Topic: topic(member, n.Tag),
		Payload: render(s.config.Site, member, n, state, settings),
	}
	result := s.sender.Send(ctx, to, message)
	if result.Outcome == push.TooLarge && n.shortBody != "" {
		n.Body = n.shortBody
		message.Payload = render(s.config.Site, member, n, state, settings)
		result = s.sender.Send(ctx, to, message)
	}
	return result
}

// urgency is high for events to which another member expects a response.
func urgency(c Category) push.Urgency {
	switch c {
	case Messages, Matches, Graduation:
		return push.High
	}
	return push.Low
}
