package pulse

import (
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// notifyPeriod is the time in which a partner who switches the sharing often notifies once.
const notifyPeriod = time.Hour

// NotifyArgs are the arguments of the job that notifies a member whose partner wants to share the Love Pulse. It
// notifies only while the member does not share too.
type NotifyArgs struct {
	CoupleID uuid.UUID `json:"coupleId" river:"unique"`
	MemberID uuid.UUID `json:"memberId" river:"unique"`
}

// Kind returns the name of the job.
func (NotifyArgs) Kind() string { return "notify_together" }

// InsertOpts allow one job for each member in notifyPeriod.
func (NotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: notifyPeriod}}
}
