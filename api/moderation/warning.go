package moderation

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// WarnArgs asks to tell a member by mail that a message of theirs was not
// welcome. There is one for each decision: a flag may be opened and decided on again.
type WarnArgs struct {
	MemberID   uuid.UUID `json:"memberId"`
	DecisionID uuid.UUID `json:"decisionId" river:"unique"`
}

// Kind names the job in the queue.
func (WarnArgs) Kind() string { return "warn" }

// InsertOpts keep it single.
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

// SendWarning hands the mail on. A member who is gone gets none.
//
// It goes at least once: when the server dies after the mail server has taken
// it and before that is noted, it is handed on again, under the same Message-ID,
// by which most mailboxes show it once.
func SendWarning(ctx context.Context, db pg.DB, sender mail.Sender, args WarnArgs) error {
	var email, name string
	err := db.QueryRow(ctx, `SELECT email, first_name FROM users WHERE id = $1`, args.MemberID).Scan(&email, &name)
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
