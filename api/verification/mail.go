package verification

import (
	"context"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// DecisionMailArgs are the arguments of the job that mails a decision on a selfie to the member.
type DecisionMailArgs struct {
	VerificationID uuid.UUID `json:"verificationId" river:"unique"`
}

// Kind returns the name of the job in River.
func (DecisionMailArgs) Kind() string { return "verification_decision" }

// InsertOpts allow one job for each verification, which is decided once.
func (DecisionMailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// decisionLetter returns the letter about a decision on a selfie.
func decisionLetter(id, status, reason string) mail.Letter {
	l := mail.Letter{Template: "verification.decision", Kind: mail.Account, ID: id, Subject: "You are verified"}
	if status == "approved" {
		l.Blocks = []mail.Block{
			mail.Text("We have compared your selfie with your photos, and your profile shows now that you are you. We have deleted the selfie."),
		}
		return l
	}
	l.Subject = "About your selfie"
	l.Blocks = []mail.Block{
		mail.Personal("We have looked at your selfie, and could not verify your profile with it:",
			"We have looked at your selfie, and could not verify your profile with it."),
		mail.Quote(reason, "You'll find the reason on your profile page."),
		mail.Text("We have deleted the selfie. You can ask for another pose on your profile page, and send us a new one."),
	}
	return l
}

// SendDecision sends the mail of a decision. It does nothing for a deleted member. It may send the same mail twice.
func SendDecision(ctx context.Context, db pg.DB, sender mail.Sender, args DecisionMailArgs) error {
	var member uuid.UUID
	var status, reason string
	err := db.QueryRow(ctx, `
		SELECT user_id, status, reason
		FROM verifications
		WHERE id = $1
			AND decided_at IS NOT NULL`, args.VerificationID).Scan(&member, &status, &reason)
	if isNoRows(err) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return members.SendMail(ctx, db, sender, member, func(mail.Reader) mail.Letter {
		return decisionLetter("verification-"+args.VerificationID.String(), status, reason)
	})
}
