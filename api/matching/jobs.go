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

// likesDelay is how long likes are gathered before their member is told of
// them: one push for all, and none for who looks meanwhile.
const likesDelay = 10 * time.Minute

// NotifyLikesArgs asks to look whether a member should be told of new likes.
// One such job waits or runs per member; likes that come meanwhile are found by it.
type NotifyLikesArgs struct {
	MemberID uuid.UUID `json:"memberId" river:"unique"`
}

// Kind names the job in the queue.
func (NotifyLikesArgs) Kind() string { return "notify_likes" }

// InsertOpts keep the job waiting and single. A completed one does not count:
// the next like needs a new one.
func (NotifyLikesArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{
		ScheduledAt: time.Now().Add(likesDelay), MaxAttempts: 8,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		}},
	}
}

// lookLater enqueues that look for a member who has a device to push to.
func (s *Service) lookLater(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	var device bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM push_subscriptions WHERE user_id = $1)`, member).Scan(&device)
	if err != nil || !device {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, NotifyLikesArgs{MemberID: member}, nil)
	return err
}

// likesCome lets a like be told of: it is taken before the like has its time,
// and held until the commit. Likes of one member do not wait for each other.
func likesCome(ctx context.Context, tx pgx.Tx, to uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock_shared($1, hashtext($2))`, lockOfLikes, to.String())
	return err
}

// HoldLikes waits for the likes of a member that are on their way, and keeps
// further ones waiting until the end of tx. Whoever decides what to tell of,
// notes how far and completes its job in tx leaves no like untold: each was
// committed before and is seen, or is later than the note and has a job of its own.
func HoldLikes(ctx context.Context, tx pgx.Tx, to uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, lockOfLikes, to.String())
	return err
}
