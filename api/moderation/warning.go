package moderation

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
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

const warningText = `Hi %NAME%,

Someone on our team has read a message you sent on Heartward. It wasn't in
the spirit of the Honor Code. Please be kinder from now on: no one here should
be insulted, pressured, or asked for money.

Nothing else has changed. If it happens again, we may suspend your account.
If you think we got this wrong, just reply to this email.

With love,
Heartward
`

// SendWarning sends the mail of a warning. It does nothing for a deleted member.
//
// Delivery is at least once: after a crash between the mail server's confirmation
// and the completion of the job, the mail is sent again with the same Message-ID, so that
// most mailboxes show it once.
func SendWarning(ctx context.Context, db pg.DB, sender mail.Sender, args WarnArgs) error {
	email, name, err := members.Contact(ctx, db, args.MemberID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return sender.Send(ctx, mail.Message{
		To: email, Subject: "About a message you sent", Text: strings.ReplaceAll(warningText, "%NAME%", name),
		ID: "warning-" + args.DecisionID.String(),
	})
}
