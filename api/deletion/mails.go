package deletion

import (
	"context"
	"fmt"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

const announceText = `You asked us to delete your Heartward account. You are hidden from everyone
now, and signed out on all devices.

We will delete the account on %s.
Until then you can change your mind: sign in, and choose "Keep my account".
Your profile, matches and conversations will be as they were. You can also
get a file with your data there.

If it wasn't you who asked for this, please sign in, keep your account, and
set a new password.`

const confirmText = `Your Heartward account has been deleted, with your profile, your photos, your
likes, matches and date plans, and the text and files of the messages you
wrote. People you talked with still have their own messages, and see "Former
member" in your place. If a message or profile was reported, our safety team keeps what
was reported until 90 days after its decision.

We wish you all the best.`

// SendAnnouncement mails the member when the account will be deleted. It does nothing for a
// deleted account. Delivery is at least once, with the same Message-ID.
func SendAnnouncement(ctx context.Context, db pg.DB, sender mail.Sender, args AnnounceArgs) error {
	return members.SendMail(ctx, db, sender, args.MemberID, func(name string) mail.Message {
		return mail.Message{
			Subject: "Your Heartward account will be deleted",
			Text:    mail.Letter(name, fmt.Sprintf(announceText, auth.FormatDeletionTime(args.DueAt))),
			ID:      "deletion-" + args.MemberID.String() + "-" + args.DueAt.UTC().Format("20060102150405"),
		}
	})
}

// SendConfirmation mails the former member that the account was deleted. Delivery is at least
// once, with the same Message-ID.
func SendConfirmation(ctx context.Context, sender mail.Sender, args ConfirmArgs) error {
	return sender.Send(ctx, mail.Message{
		To: args.Email, Subject: "Your Heartward account has been deleted",
		Text: mail.Letter(args.FirstName, confirmText), ID: "deleted-" + args.MemberID.String(),
	})
}
