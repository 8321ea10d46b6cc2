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

// sanctionText returns the text about a sanction for its member.
func sanctionText(s Sanction, office Office) string {
	intro, explanation := "A moderator has looked into your account.\n", s.Explanation
	if s.MessageID != nil {
		intro = "A moderator has read a message you sent on Heartward.\n"
	}
	if s.FactsFrom == "report" {
		intro = "A member reported you, and a moderator has looked into it.\n"
	}
	ending := s.reasons().letter() + office.appeal()
	switch s.Kind {
	case Warning:
		return intro + "This is a warning:\n\n" + explanation + ending
	case Suspension:
		return intro + "Your account is suspended until " + s.SuspendedUntil.UTC().Format(dayFormat+", 15:04 UTC") + ":\n\n" + explanation + ending
	case BanForGood:
		if s.DeletesAt != nil {
			return strings.TrimSuffix(intro, "\n") + " " + notOfAgeOutcome + explanation + ending
		}
		return intro + "Your account is suspended for good:\n\n" + explanation + ending
	case Review:
		if s.ReportID != nil { // of the external moderation
			return explanation + ending
		}
		return intro + "Your profile is under review. Until that ends, it isn't shown, and you can't\nwrite messages:\n\n" + explanation + ending
	default:
		text := intro + "You can use it again, and your profile is shown."
		if explanation != "" {
			text += "\n\n" + explanation
		}
		return text
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
	return members.SendMail(ctx, db, sender, member, func(name string) mail.Message {
		return mail.Message{
			Subject: decisionSubject, Text: mail.Letter(name, sanctionText(s, office)),
			ID: "sanction-" + s.ID.String(),
		}
	})
}
