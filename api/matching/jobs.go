package matching

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// notifyDelay is how long a new match waits for its member to look, before
// anyone is notified.
const notifyDelay = 4 * time.Second

// Inserter puts a job into the transaction of the change that causes it; a
// River client is one.
type Inserter interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
}

// NotifyMatchArgs asks to look whether a member should be told of a new match.
type NotifyMatchArgs struct {
	MatchID  uuid.UUID `json:"matchId"`
	MemberID uuid.UUID `json:"memberId"`
}

// Kind names the job in the queue.
func (NotifyMatchArgs) Kind() string { return "notify_match" }

// InsertOpts keep the job waiting for a moment.
func (NotifyMatchArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{ScheduledAt: time.Now().Add(notifyDelay), MaxAttempts: 8}
}
