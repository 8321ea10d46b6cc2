package auth

import (
	"fmt"
	"time"

	"heartward/api/platform/mail"
)

const codeText = `%s

    %s

It's valid for %s, in the browser where you requested it.
We'll never ask you for this code. If you didn't request it, someone
probably mistyped their email address, and you can ignore this email.`

const codeHTML = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Your Heartward code</title></head>
<body style="margin:0;padding:24px;background:#fdf7f2;color:#3b2a2f;font-family:Georgia,'Times New Roman',serif;font-size:17px;line-height:1.6">
<div style="max-width:460px;margin:0 auto;padding:28px;background:#ffffff;border-radius:16px">
<p style="margin:0 0 16px">Hi,</p>
<p style="margin:0 0 16px">%s</p>
<p style="margin:0 0 16px;font-family:Menlo,Consolas,monospace;font-size:30px;letter-spacing:4px;text-align:center">%s</p>
<p style="margin:0 0 16px">It's valid for %s, in the browser where you requested it. We'll never ask you for this code. If you didn't request it, someone probably mistyped their email address, and you can ignore this email.</p>
<p style="margin:0">With love,<br>Heartward</p>
</div></body></html>
`

// codeMail returns the mail with a code. Its text depends on whether the address has an
// account.
func codeMail(email, code string, valid time.Duration, account bool) mail.Message {
	life := fmt.Sprintf("%d minutes", valid/time.Minute)
	intro := "Welcome! There is no Heartward account with this email address yet. Enter this code to create yours:"
	if account {
		intro = "You already have a Heartward account. Enter this code to sign in:"
	}
	return mail.Message{
		To:      email,
		Subject: "Your Heartward code: " + code,
		Text:    mail.Letter("", fmt.Sprintf(codeText, intro, code, life)),
		HTML:    fmt.Sprintf(codeHTML, intro, code, life),
	}
}

const noticeText = `%s

    %s
    %s

If this was you, you can ignore this email.

If it was not you, open this link. %s

    %s

The link works once, and for 7 days.`

const recoveryEffect = "It deletes all your recovery codes,\nand your password, if you have one, and signs out all devices."

// noticeMail returns the mail of a notice with a link.
func noticeMail(name string, n notice, link string) mail.Message {
	subject := "A new sign-in to your Heartward account"
	cause := "Someone signed in to your account in a browser that you have not used before:"
	effect := "It signs that device out and\nremoves your password, if you have one; you then sign in with a code by email."
	if n.kind == noticePassword {
		subject = "A new password for your Heartward account"
		cause = "A new password was set for your account, on this device:"
		effect = "It removes that password\nand signs out all devices; you then sign in with a code by email."
	}
	if n.kind == noticePasskey {
		subject = "A new passkey for your Heartward account"
		cause = "A passkey was added to your account, on this device:"
		effect = "It removes that passkey\nand your password, if you have one, and signs out all devices; you then sign in\nwith a code by email."
	}
	if n.kind == noticeRecoveryCodes {
		subject = "New recovery codes for your Heartward account"
		cause = "New recovery codes were made for your account, on this device:"
		effect = recoveryEffect
	}
	if n.kind == noticeRecoveryUsed {
		subject = "A recovery code of your Heartward account was used"
		cause = "Someone used one of your recovery codes instead of your passkey or authenticator\napp, on this device:"
		effect = recoveryEffect
	}
	at := n.at.UTC().Format("Monday, 2 January 2006, 15:04 UTC")
	return mail.Message{
		Subject: subject, ID: "notice-" + n.id.String(),
		Text: mail.Letter(name, fmt.Sprintf(noticeText, cause, deviceAt(n.agent, n.place), at, effect, link)),
	}
}
