package auth

import (
	"heartward/api/platform/mail"
)

// emailCodeLetter returns the mail to the new address. It does not depend on whether that
// address has an account.
func emailCodeLetter(to mail.Reader, change emailChangeRow, code string) mail.Letter {
	to.Name, to.Address = "", change.NewEmail // the mail may be to a stranger
	return mail.Letter{
		Template: "auth.email_code", Kind: mail.Codes, ID: "email-code-" + change.ID.String(), To: to,
		Subject: "Confirm your email address: " + code, Title: "Confirm your email address", DiscreetSubject: "Your code: " + code,
		Blocks: []mail.Block{
			mail.Text("Someone wants to use this email address for their Heartward account. If it was you, enter this code in your settings:"),
			mail.Code(code),
			mail.Text("It's valid for 30 minutes. We'll never ask you for this code. If it wasn't you, someone probably mistyped their " +
				"email address, and you can ignore this email."),
		},
	}
}

const stopsChange = "If it was not you, open this link. Your address stays as it is. Your password, if you have one, is removed, " +
	"and all devices are signed out; you then sign in with a code by email."

// emailNoticeLetter returns the mail to the current address, with the link that stops the
// change. It does not contain the new address, which may be of a stranger.
func emailNoticeLetter(to mail.Reader, n notice, change emailChangeRow, code, link string) mail.Letter {
	l := mail.Letter{Kind: mail.Security, ID: "notice-" + n.ID.String()}
	device := mail.Facts(deviceAt(n.UserAgent, n.Place), to.Time(n.CreatedAt))
	if n.Kind == noticeEmailWait && change.WaitsUntil != nil {
		l.Template, l.Subject = "auth.notice.email_wait", "Your Heartward address will change"
		l.Blocks = []mail.Block{
			mail.Text("The email address of your account will change on " + to.Day(*change.WaitsUntil) + ", to another one. " +
				"Someone asked for this on the device below, and said that they cannot read this mailbox:"),
			device,
			mail.Text(itWasYou),
			mail.Text(stopsChange),
			mail.Action("Keep my address", link),
			mail.Text(linkIsOnce),
			mail.Text("Until then we send you this email every day."),
		}
		return l
	}
	l.Template, l.Subject = "auth.notice.email_change", "Someone wants to change your Heartward address"
	l.Blocks = []mail.Block{
		mail.Text("Someone asked to change the email address of your account, on this device:"),
		device,
		mail.Text("If this was you, enter this code in your settings. It's valid for 30 minutes."),
		mail.Code(code),
		mail.Text(stopsChange),
		mail.Action("Keep my address", link),
		mail.Text(linkIsOnce),
	}
	return l
}

// emailChangedLetter returns the mail to the earlier address, with the link that undoes the change
// unless it is empty.
func emailChangedLetter(args EmailChangedArgs, link string) mail.Letter {
	l := mail.Letter{
		Template: "auth.email_changed", Kind: mail.Security, ID: "email-changed-" + args.ChangeID.String(),
		To:      mail.Reader{Address: args.Email, Name: args.FirstName, Manner: args.Manner},
		Subject: "Your Heartward address has changed",
		Blocks: []mail.Block{
			mail.Text("Your Heartward account has another email address now. You sign in with that one, and we won't write to this one anymore."),
		},
	}
	if link == "" {
		return l
	}
	l.Blocks = append(
		l.Blocks,
		mail.Text("If you did not change it, open this link. This address becomes that of your account again. Your password, if you have one, "+
			"is removed, passkeys added lately too, and all devices are signed out; you then sign in with a code by email."),
		mail.Action("Undo the change", link),
		mail.Text("The link works once, and for 7 days. If someone else can read this mailbox, please change its password: until then they can use the link too."),
	)
	return l
}

func emailUndoneLetter(args EmailUndoneArgs) mail.Letter {
	return mail.Letter{
		Template: "auth.email_undone", Kind: mail.Security, ID: "email-undone-" + args.ChangeID.String(),
		To:      mail.Reader{Address: args.Email, Name: args.FirstName, Manner: args.Manner},
		Subject: "Your Heartward address has changed back",
		Blocks: []mail.Block{
			mail.Text("Your Heartward account has its earlier email address again. Someone with that mailbox undid the change to this one. " +
				"All devices are signed out; you sign in with the earlier address, and we won't write to this one anymore."),
			mail.Text("If you did not undo it, someone else can read your earlier mailbox. Please change its password, and then your address in Heartward again."),
		},
	}
}
