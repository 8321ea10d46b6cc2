package moderation

import (
	"context"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// WarnArgs are the arguments of the job that mails a warning to a member. There is one job
// for each decision, because a flag may be reopened and decided again.
type WarnArgs struct {
	MemberID   uuid.UUID `json:"memberId"`
	DecisionID uuid.UUID `json:"decisionId" river:"unique"`
}

// Kind returns the name of the job in River.
func (WarnArgs) Kind() string { return "warn" }

// InsertOpts allow one job per decision.
func (WarnArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

const warningText = `Someone on our team has read a message you sent on Heartward. It wasn't in
the spirit of the Honor Code. Please be kinder from now on: no one here should
be insulted, pressured, or asked for money.

Nothing else has changed. If it happens again, we may suspend your account.
If you think we got this wrong, just reply to this email.`

// SendWarning sends the mail of a warning. It does nothing for a deleted member.
//
// Delivery is at least once: after a crash between the mail server's confirmation
// and the completion of the job, the mail is sent again with the same Message-ID, so that
// most mailboxes show it once.
func SendWarning(ctx context.Context, db pg.DB, sender mail.Sender, args WarnArgs) error {
	return members.SendMail(ctx, db, sender, args.MemberID, func(name string) mail.Message {
		return mail.Message{
			Subject: "About a message you sent", Text: mail.Letter(name, warningText),
			ID: "warning-" + args.DecisionID.String(),
		}
	})
}
