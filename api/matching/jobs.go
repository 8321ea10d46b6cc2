package matching

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// notifyDelay is the time in which a member can see a new match in the app before the job
// decides on a push.
const notifyDelay = 4 * time.Second

// NotifyMatchArgs are the arguments of the job that decides whether to notify a member of
// a match.
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

// likesDelay is the time for which likes are collected into one push. A member who opens
// the app meanwhile gets none.
const likesDelay = 10 * time.Minute

// NotifyLikesArgs are the arguments of the job that decides whether to notify a member of
// new likes. At most one is pending or running for a member; it includes later likes.
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
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM members_with_devices WHERE user_id = $1)`, member).Scan(&device)
	if err != nil || !device {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, NotifyLikesArgs{MemberID: member}, nil)
	return err
}

// lockLikesShared locks a recipient's likes until the commit. It must be called before
// the time of the like is set. The lock is shared, so that likes to one member do not wait
// for each other.
func lockLikesShared(ctx context.Context, tx pgx.Tx, to uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock_shared($1, hashtext($2))`, likesLock, to.String())
	return err
}

// LockLikes waits for uncommitted likes to a member and blocks further ones until tx ends.
// A job that reads the likes, records the time and completes itself in tx misses no like:
// each like is either committed before and read, or later than the recorded time with
// another job.
func LockLikes(ctx context.Context, tx pgx.Tx, to uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, likesLock, to.String())
	return err
}
