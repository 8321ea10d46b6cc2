package deletion

import (
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"heartward/api/platform/mail"
)

// DeleteArgs are the arguments of the job that deletes an account when it is due. A member who kept the account and
// requests the deletion again gets another job; the first one does nothing.
type DeleteArgs struct {
	MemberID uuid.UUID `json:"memberId" river:"unique"`
	DueAt    time.Time `json:"dueAt" river:"unique"`
}

// Kind returns the name of the job in River.
func (DeleteArgs) Kind() string { return "delete_account" }

// InsertOpts allow one job per request. River retries it for months, because an account that
// is due must be deleted.
func (DeleteArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 50, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// AnnounceArgs are the arguments of the job that mails a member when the account will be
// deleted.
type AnnounceArgs struct {
	MemberID uuid.UUID `json:"memberId" river:"unique"`
	DueAt    time.Time `json:"dueAt" river:"unique"`
}

// Kind returns the name of the job in River.
func (AnnounceArgs) Kind() string { return "announce_deletion" }

// InsertOpts allow one job per request.
func (AnnounceArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// ConfirmArgs are the arguments of the job that mails a former member that the account was
// deleted. After the deletion, the address is stored in the row of this job only.
type ConfirmArgs struct {
	MemberID  uuid.UUID   `json:"memberId" river:"unique"`
	Email     string      `json:"email"`
	FirstName string      `json:"firstName"`
	Manner    mail.Manner `json:"manner"` // as the former member's settings had it
}

// Kind returns the name of the job in River.
func (ConfirmArgs) Kind() string { return "confirm_deletion" }

// InsertOpts allow one job per account. After the tenth failure, about seven hours later, the
// mail is given up.
func (ConfirmArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 10, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}
