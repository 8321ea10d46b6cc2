package profilereview

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// OutcomeArgs are the arguments of the job that mails a decision to the member.
type OutcomeArgs struct {
	ReviewID uuid.UUID `json:"reviewId" river:"unique"`
}

// Kind returns the name of the job in River.
func (OutcomeArgs) Kind() string { return "profile_review" }

// InsertOpts allow one job per submission.
func (OutcomeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// BirthDateArgs are the arguments of the job that mails the decision on a birth date to the member.
type BirthDateArgs struct {
	RequestID uuid.UUID `json:"requestId" river:"unique"`
}

// Kind returns the name of the job in River.
func (BirthDateArgs) Kind() string { return "birth_date" }

// InsertOpts allow one job per request.
func (BirthDateArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// ReleaseArgs are the arguments of the job that accepts what waits after reviews were turned
// off.
type ReleaseArgs struct{}

// Kind returns the name of the job in River.
func (ReleaseArgs) Kind() string { return "release_profiles" }

// describeOutcome returns the subject of the mail and what it says.
func describeOutcome(subject, status, reason string) (title, text string) {
	switch {
	case status == "accepted" && subject == "profile":
		return "Your profile is shown now", "We have looked at your profile, and others can see it now. You can like\nand write from now on."
	case status == "accepted":
		return "Your photo is shown now", "We have looked at your new first photo, and others can see it now."
	case subject == "profile":
		return "About your profile", "We have looked at your profile, and cannot show it yet:\n\n" + reason +
			"\n\nPlease change it, and ask us on your profile page to look again."
	default:
		return "About your photo", "We have looked at your new first photo, and cannot show it:\n\n" + reason +
			"\n\nPlease choose another one. Others see the rest of your profile as before."
	}
}

// SendOutcome sends the mail of a decision. It does nothing for a deleted member, and when the
// member has submitted again since. It may send the same mail twice.
func SendOutcome(ctx context.Context, db pg.DB, sender mail.Sender, args OutcomeArgs) error {
	var member uuid.UUID
	var subject, status, reason string
	err := db.QueryRow(ctx, `
		SELECT user_id, subject, status, reason
		FROM profile_reviews
		WHERE id = $1
			AND status <> 'pending'`, args.ReviewID).Scan(&member, &subject, &status, &reason)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	title, text := describeOutcome(subject, status, reason)
	return members.SendMail(ctx, db, sender, member, func(name string) mail.Message {
		return mail.Message{Subject: title, Text: mail.Letter(name, text), ID: "profile-review-" + args.ReviewID.String()}
	})
}
