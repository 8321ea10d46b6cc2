package delivery

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// ChangedArgs are the arguments of the job that calls PublishChange after the result of Problem has changed for a member. It is
// a job because a process without the bus may find the change.
type ChangedArgs struct {
	MemberID uuid.UUID `json:"memberId"`
}

// Kind returns the name of the job in River.
func (ChangedArgs) Kind() string { return "mail_problem_changed" }

// InsertOpts limit the attempts: an app that misses the frame gets the change with the account.
func (ChangedArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 3} }

// CheckArgs are the arguments of the job that mails a member to check the address.
type CheckArgs struct {
	MemberID uuid.UUID `json:"memberId"`
	CheckID  uuid.UUID `json:"checkId"`
}

// Kind returns the name of the job in River.
func (CheckArgs) Kind() string { return "check_address" }
