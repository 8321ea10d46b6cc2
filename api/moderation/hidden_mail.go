package moderation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// HiddenArgs are the arguments of the job that pushes to a member that a report hides the profile.
type HiddenArgs struct {
	ReportID uuid.UUID `json:"reportId" river:"unique"`
}

// Kind returns the name of the job in River.
func (HiddenArgs) Kind() string { return "profile_hidden" }

// InsertOpts allow one job per report.
func (HiddenArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// HiddenMailArgs are the arguments of the job that mails a member that a report hides the profile.
type HiddenMailArgs struct {
	ReportID uuid.UUID `json:"reportId" river:"unique"`
}

// Kind returns the name of the job in River.
func (HiddenMailArgs) Kind() string { return "profile_hidden_mail" }

// InsertOpts allow one job per report.
func (HiddenMailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// HiddenMember returns the member whom a report hides now, and when the hiding ends without a decision; until is nil if
// only a decision ends it. It returns pgx.ErrNoRows if the report hides nobody any more.
func HiddenMember(ctx context.Context, db pg.DB, report uuid.UUID) (member uuid.UUID, until *time.Time, err error) {
	err = db.QueryRow(ctx, `
		SELECT reported_user_id, hides_until
		FROM reports
		WHERE id = $1
			AND status = 'pending'
			AND hides_profile
			AND reported_user_id IS NOT NULL`, report).Scan(&member, &until)
	return member, until, err
}

// SendHidden mails a member that a report hides the profile. The mail tells neither who reported nor why. It does nothing
// if the hiding has ended. Like SendSanction it may send the same mail twice.
func SendHidden(ctx context.Context, db pg.DB, sender mail.Sender, office Office, args HiddenMailArgs) error {
	member, until, err := HiddenMember(ctx, db, args.ReportID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return members.SendMail(ctx, db, sender, member, func(to mail.Reader) mail.Letter {
		return hiddenLetter(to, "hidden-"+args.ReportID.String(), office, until)
	})
}

func hiddenLetter(to mail.Reader, id string, office Office, until *time.Time) mail.Letter {
	blocks := []mail.Block{
		mail.Text("We've received a serious report about your account. Until a moderator has looked into it, your profile isn't shown, " +
			"and you can't write messages. That doesn't mean that you have done anything wrong: we do this with every report of its kind, " +
			"before anybody has read it."),
	}
	if until != nil {
		blocks = append(blocks, mail.Text("If nobody has decided by "+to.Time(*until)+", your profile is shown again."))
	}
	blocks = append(
		blocks,
		mail.Text("You can tell the moderator your side, once, before the decision: sign in."),
		mail.Action("Sign in", office.Site),
		mail.Text("We'll write to you again when it's decided."),
	)
	return mail.Letter{Template: "moderation.hidden", Kind: mail.Decisions, ID: id, Subject: "Your profile is hidden for now", Blocks: blocks}
}
