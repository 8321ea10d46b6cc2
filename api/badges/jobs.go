package badges

import (
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// CheckArgs are the arguments of the job that awards a member the badges that a cause has earned.
// Jobs are not unique, because a job that already runs does not see an event that commits now: each event needs a job that
// starts after its commit.
type CheckArgs struct {
	MemberID uuid.UUID `json:"memberId"`
	Cause    Cause     `json:"cause"`
}

// Kind returns the name of the job.
func (CheckArgs) Kind() string { return "check_badges" }

// notifyDelay is the time between an award and the decision on a push. In it, an app that is open or is just connecting shows
// the badge, and no push is needed. Matches and messages have the same delay.
const notifyDelay = 4 * time.Second

// NotifyArgs are the arguments of the job that decides whether to notify a member of a badge.
type NotifyArgs struct {
	ID       uuid.UUID `json:"id" river:"unique"` // of the row of earned_badges
	MemberID uuid.UUID `json:"memberId"`
}

// Kind returns the name of the job.
func (NotifyArgs) Kind() string { return "notify_badge" }

// InsertOpts schedules the job after notifyDelay.
func (NotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{ScheduledAt: time.Now().Add(notifyDelay), MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}
