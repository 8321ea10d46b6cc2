package auth

import (
	"fmt"

	"heartward/api/platform/mail"
)

const emailCodeText = `Someone wants to use this email address for their Heartward account. If it was
you, enter this code in your settings:

    %s

It's valid for 30 minutes. We'll never ask you for this code. If it wasn't you,
someone probably mistyped their email address, and you can ignore this email.`

// emailCodeMail returns the mail to the new address. It does not depend on whether that
// address has an account.
func emailCodeMail(change emailChange, code string) mail.Message {
	return mail.Message{
		To: change.newEmail, Subject: "Confirm your email address: " + code, ID: "email-code-" + change.id.String(),
		Text: mail.Letter("", fmt.Sprintf(emailCodeText, code)),
	}
}

const emailChangeText = `Someone asked to change the email address of your account, on this device:

    %s
    %s

If this was you, enter this code in your settings. It's valid for 30 minutes.

    %s

If it was not you, open this link. Your address stays as it is. Your password,
if you have one, is removed, and all devices are signed out; you then sign in
with a code by email.

    %s

The link works once, and for 7 days.`

const emailWaitText = `The email address of your account will change on %s,
to another one. Someone asked for this on the device below, and said that they
cannot read this mailbox:

    %s
    %s

If this was you, you can ignore this email.

If it was not you, open this link. Your address stays as it is. Your password,
if you have one, is removed, and all devices are signed out; you then sign in
with a code by email.

    %s

Until then we send you this email every day.`

// emailNoticeMail returns the mail to the current address, with the link that stops the
// change. It does not contain the new address, which may be of a stranger.
func emailNoticeMail(name string, n notice, change emailChange, code, link string) mail.Message {
	message := mail.Message{ID: "notice-" + n.id.String()}
	device, at := deviceAt(n.agent, n.place), n.at.UTC().Format("Monday, 2 January 2006, 15:04 UTC")
	if n.kind == noticeEmailWait && change.waitsUntil != nil {
		message.Subject = "Your Heartward address will change"
		message.Text = mail.Letter(name, fmt.Sprintf(emailWaitText, change.waitsUntil.UTC().Format("January 2, 2006"), device, at, link))
		return message
	}
	message.Subject = "Someone wants to change your Heartward address"
	message.Text = mail.Letter(name, fmt.Sprintf(emailChangeText, device, at, code, link))
	return message
}

const emailChangedText = `Your Heartward account has another email address now. You sign in with that
one, and we won't write to this one any more.`

const emailUndoText = `If you did not change it, open this link. This address becomes that of your
account again. Your password, if you have one, is removed, passkeys added
lately too, and all devices are signed out; you then sign in with a code by
email.

    %s

The link works once, and for 7 days. If someone else can read this mailbox,
please change its password: until then they can use the link too.`

// emailChangedMail returns the mail to the earlier address, with the link that undoes the change
// unless it is empty.
func emailChangedMail(args EmailChangedArgs, link string) mail.Message {
	text := emailChangedText
	if link != "" {
		text += "\n\n" + fmt.Sprintf(emailUndoText, link)
	}
	return mail.Message{
		To: args.Email, Subject: "Your Heartward address has changed", ID: "email-changed-" + args.ChangeID.String(),
		Text: mail.Letter(args.FirstName, text),
	}
}

const emailUndoneText = `Your Heartward account has its earlier email address again. Someone with that
mailbox undid the change to this one. All devices are signed out; you sign in
with the earlier address, and we won't write to this one any more.

If you did not undo it, someone else can read your earlier mailbox. Please
change its password, and then your address in Heartward again.`

func emailUndoneMail(args EmailUndoneArgs) mail.Message {
	return mail.Message{
		To: args.Email, Subject: "Your Heartward address has changed back", ID: "email-undone-" + args.ChangeID.String(),
		Text: mail.Letter(args.FirstName, emailUndoneText),
	}
}
