package auth

import (
	"fmt"
	"time"

	"heartward/api/platform/mail"
)

// codeLetter returns the mail with a code. Its text depends on whether the address has an
// account.
func codeLetter(to mail.Reader, code string, valid time.Duration, hasAccount bool) mail.Letter {
	intro := "Welcome! There is no Heartward account with this email address yet. Enter this code to create yours:"
	if hasAccount {
		intro = "You already have a Heartward account. Enter this code to sign in:"
	}
	to.Name = "" // the mail may be to a stranger
	return mail.Letter{
		Template: "auth.code", Kind: mail.Codes, To: to,
		Subject: "Your Heartward code: " + code, Title: "Your code", DiscreetSubject: "Your code: " + code,
		Blocks: []mail.Block{
			mail.Text(intro),
			mail.Code(code),
			mail.Text(fmt.Sprintf("It's valid for %d minutes, in the browser where you requested it. We'll never ask you for this code. "+
				"If you didn't request it, someone probably mistyped their email address, and you can ignore this email.", valid/time.Minute)),
		},
	}
}

// noticeTexts are what the mail of a notice says: its subject, what happened, and what the link does.
type noticeTexts struct{ subject, cause, effect string }

const recoveryEffect = "It deletes all your recovery codes, and your password, if you have one, and signs out all devices."

// textsOfNotices has the texts of each kind of notice with a link.
var textsOfNotices = map[string]noticeTexts{
	noticeSignIn: {
		"A new sign-in to your Heartward account",
		"Someone signed in to your account in a browser that you have not used before:",
		"It signs that device out and removes your password, if you have one; you then sign in with a code by email.",
	},
	noticePassword: {
		"A new password for your Heartward account",
		"A new password was set for your account, on this device:",
		"It removes that password and signs out all devices; you then sign in with a code by email.",
	},
	noticePasskey: {
		"A new passkey for your Heartward account",
		"A passkey was added to your account, on this device:",
		"It removes that passkey and your password, if you have one, and signs out all devices; you then sign in with a code by email.",
	},
	noticeRecoveryCodes: {
		"New recovery codes for your Heartward account",
		"New recovery codes were made for your account, on this device:",
		recoveryEffect,
	},
	noticeRecoveryUsed: {
		"A recovery code of your Heartward account was used",
		"Someone used one of your recovery codes instead of your passkey or authenticator app, on this device:",
		recoveryEffect,
	},
}

// The last paragraphs of mails with a link that undoes something.
const (
	itWasYou   = "If this was you, you can ignore this email."
	linkIsOnce = "The link works once, and for 7 days."
)

// noticeLetter returns the mail of a notice with a link.
func noticeLetter(to mail.Reader, n notice, link string) mail.Letter {
	texts, ok := textsOfNotices[n.Kind]
	if !ok {
		texts = textsOfNotices[noticeSignIn]
	}
	return mail.Letter{
		Template: "auth.notice." + n.Kind, Kind: mail.Security, ID: "notice-" + n.ID.String(), Subject: texts.subject,
		Blocks: []mail.Block{
			mail.Text(texts.cause),
			mail.Facts(deviceAt(n.UserAgent, n.Place), to.Time(n.CreatedAt)),
			mail.Text(itWasYou),
			mail.Text("If it was not you, open this link. " + texts.effect),
			mail.Action("This was not me", link),
			mail.Text(linkIsOnce),
		},
	}
}
