package messages

import (
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heartward/api/media"
)

// NotifyDelay is the time that a recipient has to read a message before they are
// notified.
const NotifyDelay = 4 * time.Second

// NotifyArgs are the arguments of the job that decides whether to notify the recipient of
// new messages in a conversation. At most one is pending or running for each recipient and
// conversation; it includes messages that arrive meanwhile.
type NotifyArgs struct {
	ConversationID uuid.UUID `json:"conversationId" river:"unique"`
	RecipientID    uuid.UUID `json:"recipientId" river:"unique"`
}

// Kind returns the name of the job.
func (NotifyArgs) Kind() string { return "notify" }

// InsertOpts delay the job and make it unique among unfinished ones, because the next
// message after a completed job needs a new one.
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

// ReviewArgs are the arguments of the job by which the external moderation classifies a
// stored message.
type ReviewArgs struct {
	MessageID uuid.UUID `json:"messageId"`
}

// Kind returns the name of the job.
func (ReviewArgs) Kind() string { return "review_message" }

// InsertOpts limit the attempts if the endpoint does not respond.
func (ReviewArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 6, Queue: media.ReviewQueue}
}
