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

const warningText = `Hello %NAME%,

a message that you sent on Heartward was looked at by a person on our team.
It was not in the spirit of the Honor Code, and we ask you to be gentler from
now on: nobody here should feel insulted, pressed, or asked for money.

Nothing else has changed. If it happens again, your account may be suspended.
If you think that we got this wrong, please just answer this mail.

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
