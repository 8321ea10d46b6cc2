package messaging

import (
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// NotifyDelay is the time that a recipient has to read a message before they are
// notified.
const NotifyDelay = 4 * time.Second

// NotifyArgs is the job that decides whether to notify the recipient of new messages
// in a conversation. There is one such job at a time for each recipient and
// conversation; it finds the messages that arrive meanwhile.
type NotifyArgs struct {
	ConversationID uuid.UUID `json:"conversationId" river:"unique"`
	ReceiverID     uuid.UUID `json:"receiverId" river:"unique"`
}

// Kind names the job in the queue.
func (NotifyArgs) Kind() string { return "notify" }

// InsertOpts delay the job and make it unique. A completed job does not count: the
// next message needs a new one.
func (NotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{
		ScheduledAt: time.Now().Add(NotifyDelay),
		MaxAttempts: 8,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		}},
	}
}

// ReviewQueue is a queue of its own, so that a slow endpoint delays no other jobs.
const ReviewQueue = "review"

// ReviewArgs is the job that has the external moderation, where it is configured,
// classify a message after its delivery.
type ReviewArgs struct {
	MessageID uuid.UUID `json:"messageId"`
}

// Kind names the job in the queue.
func (ReviewArgs) Kind() string { return "review-message" }

// InsertOpts limit the attempts at an endpoint that does not answer.
func (ReviewArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 6, Queue: ReviewQueue}
}
