package moments

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// MakeArgs are the arguments of the job that makes a moment of something that has just happened to
// a member. A repeated job makes nothing.
type MakeArgs struct {
	MemberID  uuid.UUID `json:"memberId" river:"unique"`
	Type      Kind      `json:"momentType" river:"unique"`
	SubjectID uuid.UUID `json:"subjectId" river:"unique"`
}

// Kind returns the name of the job.
func (MakeArgs) Kind() string { return "make_moment" }

// InsertOpts allow one job for each member, type and subject.
func (MakeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// NotifyArgs are the arguments of the job that notifies a member of another one's request to show them in a picture.
type NotifyArgs struct {
	MomentID uuid.UUID `json:"momentId" river:"unique"`
	MemberID uuid.UUID `json:"memberId" river:"unique"`
}

// Kind returns the name of the job.
func (NotifyArgs) Kind() string { return "notify_consent" }

// InsertOpts allow one job for each request.
func (NotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}
