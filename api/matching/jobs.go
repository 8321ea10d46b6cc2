package matching

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// notifyDelay is how long a member can see a new match in the app before the push is
// decided.
const notifyDelay = 4 * time.Second

// NotifyMatchArgs is the job that decides whether to notify a member of a match.
type NotifyMatchArgs struct {
	MatchID  uuid.UUID `json:"matchId"`
	MemberID uuid.UUID `json:"memberId"`
}

// Kind returns the name of the job.
func (NotifyMatchArgs) Kind() string { return "notify_match" }

// InsertOpts schedules the job after notifyDelay.
func (NotifyMatchArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{ScheduledAt: time.Now().Add(notifyDelay), MaxAttempts: 8}
}

// likesDelay is how long likes are collected into one push. A member who opens the app
// meanwhile gets none.
const likesDelay = 10 * time.Minute

// NotifyLikesArgs is the job that decides whether to notify a member of new likes. At
// most one is pending or running for a member; it covers likes that arrive meanwhile.
type NotifyLikesArgs struct {
	MemberID uuid.UUID `json:"memberId" river:"unique"`
}

// Kind returns the name of the job.
func (NotifyLikesArgs) Kind() string { return "notify_likes" }

// InsertOpts schedules the job after likesDelay and makes it unique among unfinished
// ones: the next like after a completed job needs a new one.
func (NotifyLikesArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{
		ScheduledAt: time.Now().Add(likesDelay), MaxAttempts: 8,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		}},
	}
}

// enqueueNotifyLikes enqueues NotifyLikesArgs for a member with a push subscription.
func (s *Service) enqueueNotifyLikes(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	var device bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM push_subscriptions WHERE user_id = $1)`, member).Scan(&device)
	if err != nil || !device {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, NotifyLikesArgs{MemberID: member}, nil)
	return err
}

// lockLikesShared takes the lock of a recipient's likes until the commit, before the
// like gets its time. It is shared: likes to one member do not wait for each other.
func lockLikesShared(ctx context.Context, tx pgx.Tx, to uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock_shared($1, hashtext($2))`, lockOfLikes, to.String())
	return err
}

// LockLikes waits for uncommitted likes to a member and blocks further ones until tx
// ends. A job that reads the likes, records the time and completes itself in tx misses
// none: each like is committed before and read, or is later than the recorded time and
// has a job of its own.
func LockLikes(ctx context.Context, tx pgx.Tx, to uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, lockOfLikes, to.String())
	return err
}
