package moderation

import (
	"context"
	"errors"
	"fmt"

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
func sanctionText(s Sanction) string {
	const intro = "A moderator has looked into your account.\n"
	switch s.Kind {
	case Warning:
		return intro + "This is a warning:\n\n" + s.Explanation + "\n\nIf it happens again, we may suspend your account."
	case Suspension:
		return intro + "It is suspended until " + s.SuspendedUntil.UTC().Format(dayFormat+", 15:04 UTC") + ":\n\n" + s.Explanation
	case BanForGood:
		return intro + "It is suspended for good:\n\n" + s.Explanation
	case Review:
		if s.ReportID != nil { // of the external moderation
			return s.Explanation
		}
		return intro + "Your profile is under review. Until that ends, it isn't shown, and you can't\nwrite messages:\n\n" + s.Explanation
	default:
		text := intro + "You can use it again, and your profile is shown."
		if s.Explanation != "" {
			text += "\n\n" + s.Explanation
		}
		return text
	}
}

// SendSanction sends the mail of a sanction. It does nothing for a deleted member. Like
// SendWarning it may send the same mail twice.
func SendSanction(ctx context.Context, db pg.DB, sender mail.Sender, args SanctionArgs) error {
	s, member, err := selectMailedSanction(ctx, db, args.SanctionID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return members.SendMail(ctx, db, sender, member, func(name string) mail.Message {
		return mail.Message{
			Subject: "A decision about your account", Text: mail.Letter(name, fmt.Sprintf(reportedText, sanctionText(s))),
			ID: "sanction-" + s.ID.String(),
		}
	})
}
