package matching

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// matchDelay is the time in which a member can see a new match in the app before the job
// decides on a push.
const matchDelay = 4 * time.Second

// NotifyMatchArgs are the arguments of the job that decides whether to notify a member of
// a match.
type NotifyMatchArgs struct {
	MatchID  uuid.UUID `json:"matchId"`
	MemberID uuid.UUID `json:"memberId"`
}

// Kind returns the name of the job.
func (NotifyMatchArgs) Kind() string { return "notify_match" }

// InsertOpts schedules the job after matchDelay.
func (NotifyMatchArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{ScheduledAt: time.Now().Add(matchDelay), MaxAttempts: 8}
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
	var hasDevice bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM members_with_devices WHERE user_id = $1)`, member).Scan(&hasDevice)
	if err != nil || !hasDevice {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, NotifyLikesArgs{MemberID: member}, nil)
	return err
}
