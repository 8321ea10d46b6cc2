package auth

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"heartward/api/platform/mail"
)

// NoticeArgs are the arguments of the job that mails a notice. The token of its link is not
// among them, because jobs are stored and shown to admins.
type NoticeArgs struct {
	NoticeID uuid.UUID `json:"noticeId" river:"unique"`
}

// Kind returns the name of the job in River.
func (NoticeArgs) Kind() string { return "security_notice" }

// InsertOpts allow one job per notice.
func (NoticeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// EmailCodeArgs are the arguments of the job that mails a code to the address that a member
// asked for.
type EmailCodeArgs struct {
	ChangeID uuid.UUID `json:"changeId" river:"unique"`
}

// Kind returns the name of the job in River.
func (EmailCodeArgs) Kind() string { return "email_code" }

// InsertOpts allow one job per change.
func (EmailCodeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// EmailWaitArgs are the arguments of the job that runs after each day of the wait for
// another address. Each job enqueues the next, so that every mail comes a day after the
// one before, even if the server was down.
type EmailWaitArgs struct {
	ChangeID uuid.UUID `json:"changeId" river:"unique"`
	Day      int       `json:"day" river:"unique"`
}

// Kind returns the name of the job in River.
func (EmailWaitArgs) Kind() string { return "email_wait" }

// InsertOpts allow one job per day of a change.
func (EmailWaitArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// EmailChangedArgs are the arguments of the job that mails the earlier address of a member
// that the account has another one. The row of the job is the last place of the address.
type EmailChangedArgs struct {
	ChangeID  uuid.UUID `json:"changeId" river:"unique"`
	Email     string    `json:"email"`
	FirstName string    `json:"firstName"`
	CanUndo   bool      `json:"canUndo"` // the mail has the link that undoes the change

	Manner mail.Manner `json:"manner"`
}

// Kind returns the name of the job in River.
func (EmailChangedArgs) Kind() string { return "email_changed" }

// InsertOpts allow one job per change. After the tenth failure, about seven hours later, the
// mail is given up.
func (EmailChangedArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 10, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// EmailUndoneArgs are the arguments of the job that mails an address that the account no longer
// has, because the earlier mailbox undid the change.
type EmailUndoneArgs struct {
	ChangeID  uuid.UUID `json:"changeId" river:"unique"`
	Email     string    `json:"email"`
	FirstName string    `json:"firstName"`

	Manner mail.Manner `json:"manner"`
}

// Kind returns the name of the job in River.
func (EmailUndoneArgs) Kind() string { return "email_undone" }

// InsertOpts are those of EmailChangedArgs.
func (EmailUndoneArgs) InsertOpts() river.InsertOpts { return EmailChangedArgs{}.InsertOpts() }

// EndedArgs are the arguments of the job that closes the sockets of sessions. EnqueueEnded enqueues it.
type EndedArgs struct {
	SessionIDs []uuid.UUID `json:"sessionIds"`
}

// Kind returns the name of the job in River.
func (EndedArgs) Kind() string { return "sessions_ended" }
