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

// outcomeLetter returns the letter about a decision on a profile or a first photo.
func outcomeLetter(id, subject, status, reason string) mail.Letter {
	l := mail.Letter{Template: "profilereview.outcome", Kind: mail.Account, ID: id}
	const whereReason = "You'll find the reason on your profile page."
	switch {
	case status == "accepted" && subject == "profile":
		l.Subject = "Your profile is shown now"
		l.Blocks = []mail.Block{mail.Text("We have looked at your profile, and others can see it now. You can like and write from now on.")}
	case status == "accepted":
		l.Subject = "Your photo is shown now"
		l.Blocks = []mail.Block{mail.Text("We have looked at your new first photo, and others can see it now.")}
	case subject == "profile":
		l.Subject = "About your profile"
		l.Blocks = []mail.Block{
			mail.Personal("We have looked at your profile, and cannot show it yet:", "We have looked at your profile, and cannot show it yet."),
			mail.Quote(reason, whereReason),
			mail.Text("Please change it, and ask us on your profile page to look again."),
		}
	default:
		l.Subject = "About your photo"
		l.Blocks = []mail.Block{
			mail.Personal("We have looked at your new first photo, and cannot show it:", "We have looked at your new first photo, and cannot show it."),
			mail.Quote(reason, whereReason),
			mail.Text("Please choose another one. Others see the rest of your profile as before."),
		}
	}
	return l
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
	return members.SendMail(ctx, db, sender, member, func(mail.Reader) mail.Letter {
		return outcomeLetter("profile-review-"+args.ReviewID.String(), subject, status, reason)
	})
}
