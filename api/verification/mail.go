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

// describeDecision returns the subject of the mail and what it says.
func describeDecision(status, reason string) (subject, text string) {
	if status == "approved" {
		return "You are verified", "We have compared your selfie with your photos, and your profile shows now that\nyou are you. We have deleted the selfie."
	}
	return "About your selfie", "We have looked at your selfie, and could not verify your profile with it:\n\n" + reason +
		"\n\nWe have deleted the selfie. You can ask for another pose on your profile page,\nand send us a new one."
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
	subject, text := describeDecision(status, reason)
	return members.SendMail(ctx, db, sender, member, func(name string) mail.Message {
		return mail.Message{Subject: subject, Text: mail.Letter(name, text), ID: "verification-" + args.VerificationID.String()}
	})
}
