package moderation

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

// SanctionArgs are the arguments of the job that mails a sanction to its member.
type SanctionArgs struct {
	SanctionID uuid.UUID `json:"sanctionId" river:"unique"`
}

// Kind returns the name of the job in River.
func (SanctionArgs) Kind() string { return "sanction" }

// InsertOpts allow one job per sanction.
func (SanctionArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// sanctionLetter returns the mail about a sanction.
func sanctionLetter(to mail.Reader, s Sanction, office Office) mail.Letter {
	return mail.Letter{
		Template: "moderation.sanction", Kind: mail.Decisions, ID: "sanction-" + s.ID.String(), Subject: decisionSubject,
		Blocks: sanctionBlocks(to, s, office),
	}
}

// notOfAgeBlocks says what a member who is not of age can do. The number of days is appealTerm.
func notOfAgeBlocks(intro, explanation string) []mail.Block {
	return []mail.Block{
		mail.Text(intro + "We think that you are not 18 yet, and Heartward is for adults. Your account is closed, and we will delete it in 30 days."),
		mail.Text("If you are 18 or older: sign in within these 30 days, appeal there, and we will tell you how to show your age. " +
			"If you are younger: you have done nothing wrong by being young. Once you are 18, you are welcome here."),
		mail.Personal("The moderator wrote:", "The moderator wrote an explanation."),
		explainedBy(explanation),
	}
}

// andRemoved returns the end of a sentence about a sanction that also removed parts of the profile; empty for others.
func (s Sanction) andRemoved() string {
	if len(s.Parts) == 0 {
		return ""
	}
	return ", and we have removed parts of your profile"
}

// sanctionBlocks returns the text of the mail about a sanction: what was decided, the explanation, the statement of reasons
// and how to appeal. The end of a restriction has no statement and no appeal.
func sanctionBlocks(to mail.Reader, s Sanction, office Office) []mail.Block {
	intro := "A moderator has looked into your account. "
	if s.MessageID != nil {
		intro = "A moderator has read a message you sent on Heartward. "
	}
	if s.FactsFrom == "report" {
		intro = "A member reported you, and a moderator has looked into it. "
	}
	ending := append(s.reasons().blocks(), office.appeal()...)
	switch s.Kind {
	case Warning:
		return append(decisionBlocks(intro+"This is a warning"+s.andRemoved(), s.Explanation), ending...)
	case Removal:
		return append(decisionBlocks(intro+"We have removed parts of your profile", s.Explanation), ending...)
	case Suspension:
		return append(decisionBlocks(intro+"Your account is suspended until "+to.Time(*s.SuspendedUntil)+s.andRemoved(), s.Explanation), ending...)
	case BanForGood:
		if s.DeletesAt != nil {
			return append(notOfAgeBlocks(intro, s.Explanation), ending...)
		}
		return append(decisionBlocks(intro+"Your account is suspended for good"+s.andRemoved(), s.Explanation), ending...)
	case Review:
		if s.ReportID != nil { // of the external moderation, whose explanation is a sentence of ours
			return append([]mail.Block{mail.Text(s.Explanation)}, ending...)
		}
		return append(decisionBlocks(intro+"Your profile is under review. Until that ends, it isn't shown, and you can't write messages", s.Explanation), ending...)
	default:
		blocks := []mail.Block{mail.Text(intro + "You can use it again, and your profile is shown.")}
		if s.Explanation != "" {
			blocks = append(blocks, explainedBy(s.Explanation))
		}
		return blocks
	}
}

// SendSanction sends the mail of a sanction. It does nothing for a deleted member.
//
// Delivery is at least once: after a crash between the mail server's confirmation
// and the completion of the job, the mail is sent again with the same Message-ID, so that
// most mailboxes show it once.
func SendSanction(ctx context.Context, db pg.DB, sender mail.Sender, office Office, args SanctionArgs) error {
	s, member, err := selectMailedSanction(ctx, db, args.SanctionID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return members.SendMail(ctx, db, sender, member, func(to mail.Reader) mail.Letter { return sanctionLetter(to, s, office) })
}
