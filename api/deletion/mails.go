package deletion

import (
	"context"
	"time"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// SendAnnouncement mails the member when the account will be deleted. It does nothing for a
// deleted account. Delivery is at least once, with the same Message-ID.
func SendAnnouncement(ctx context.Context, db pg.DB, sender mail.Sender, args AnnounceArgs) error {
	return members.SendMail(ctx, db, sender, args.MemberID, func(to mail.Reader) mail.Letter {
		return announceLetter(to, "deletion-"+args.MemberID.String()+"-"+args.DueAt.UTC().Format("20060102150405"), args.DueAt)
	})
}

func announceLetter(to mail.Reader, id string, due time.Time) mail.Letter {
	return mail.Letter{
		Template: "deletion.announced", Kind: mail.Account, ID: id, Subject: "Your Heartward account will be deleted",
		Blocks: []mail.Block{
			mail.Text("You asked us to delete your Heartward account. You are hidden from everyone now, and signed out on all devices."),
			mail.Text("We will delete the account on " + to.Time(due) + ". Until then you can change your mind: sign in, and choose \"Keep my account\". " +
				"Your profile, matches and conversations will be as they were. You can also get a file with your data there."),
			mail.Text("If it wasn't you who asked for this, please sign in, keep your account, and set a new password."),
		},
	}
}

// SendConfirmation mails the former member that the account was deleted. Delivery is at least
// once, with the same Message-ID.
func SendConfirmation(ctx context.Context, sender mail.Sender, args ConfirmArgs) error {
	letter := confirmLetter("deleted-" + args.MemberID.String())
	letter.To = mail.Reader{Address: args.Email, Name: args.FirstName, Manner: args.Manner}
	return mail.Send(ctx, sender, letter)
}

func confirmLetter(id string) mail.Letter {
	return mail.Letter{
		Template: "deletion.confirmed", Kind: mail.Account, ID: id, Subject: "Your Heartward account has been deleted",
		Blocks: []mail.Block{
			mail.Text("Your Heartward account has been deleted, with your profile, your photos, your likes, matches and date plans, and the text " +
				"and files of the messages you wrote. People you talked with still have their own messages, and see \"Former member\" in your place. " +
				"If a message or profile was reported, our safety team keeps what was reported until 90 days after its decision."),
			mail.Text("We wish you all the best."),
		},
	}
}
