package messaging

import (
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// NotifyDelay is how long a message waits for its receiver to read it before
// anyone is notified.
const NotifyDelay = 4 * time.Second

// NotifyArgs asks to look whether the receiver should be told of what is new
// in a conversation. One such job waits or runs per receiver and conversation;
// messages that come meanwhile are found by it.
type NotifyArgs struct {
	ConversationID uuid.UUID `json:"conversationId" river:"unique"`
	ReceiverID     uuid.UUID `json:"receiverId" river:"unique"`
}

// Kind names the job in the queue.
func (NotifyArgs) Kind() string { return "notify" }

// InsertOpts keep the job waiting and single. A completed one does not count:
// the next message needs a new one.
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

// ReviewQueue keeps a slow endpoint from holding up anything else.
const ReviewQueue = "review"

// ReviewArgs asks the moderation endpoint of another party, where one is
// configured, what it thinks of a message that was delivered.
type ReviewArgs struct {
	MessageID uuid.UUID `json:"messageId"`
}

// Kind names the job in the queue.
func (ReviewArgs) Kind() string { return "review-message" }

// InsertOpts give up on an endpoint that stays away.
func (ReviewArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 6, Queue: ReviewQueue}
}
