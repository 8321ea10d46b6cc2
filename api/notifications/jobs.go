package notifications

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// PushQueue is the queue of pushes. It is separate, so that a slow push service does not
// delay other jobs.
const PushQueue = "push"

// PushArgs are the arguments of a job that sends one push to one device. They contain the
// event; the notification is loaded when the push is sent.
type PushArgs struct {
	DeviceID uuid.UUID       `json:"deviceId"`
	MemberID uuid.UUID       `json:"memberId"`
	Type     string          `json:"type"` // a key of eventTypes
	Event    json.RawMessage `json:"event"`
}

// Kind returns the name of the job.
func (PushArgs) Kind() string { return "push" }

// InsertOpts make the job unique, so that an event is pushed to a device only once.
func (PushArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: PushQueue, MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// NewPush returns the job that pushes an event to one of the member's devices.
func NewPush(device, member uuid.UUID, event Event) (PushArgs, error) {
	data, err := json.Marshal(event)
	return PushArgs{DeviceID: device, MemberID: member, Type: event.eventType(), Event: data}, err
}

func (a PushArgs) decode() (Event, error) {
	decode, ok := eventTypes[a.Type]
	if !ok {
		return nil, fmt.Errorf("notifications: unknown event type %q", a.Type)
	}
	return decode(a.Event)
}

// RemindPulsesArgs are the arguments of the job that enqueues the reminders of the Love Pulse that are
// due. It runs each minute.
type RemindPulsesArgs struct{}

// Kind returns the name of the job.
func (RemindPulsesArgs) Kind() string { return "remind_pulses" }

// InsertOpts let the next minute repeat a failed job.
func (RemindPulsesArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: time.Minute}}
}

// WakeArgs are the arguments of the job that wakes a member's snoozed jobs.
type WakeArgs struct {
	MemberID uuid.UUID `json:"memberId"`
}

// Kind returns the name of the job.
func (WakeArgs) Kind() string { return "wake_snoozed" }
