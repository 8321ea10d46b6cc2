package mail

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/google/uuid"
	gomail "github.com/wneessen/go-mail"
)

// product is the name of the sender, and the identifier of the sender in Feedback-ID.
const product = "Heartward"

// maxSubject is the longest subject, in characters. Mail programs show about 70.
const maxSubject = 150

// senderName returns the name before the sender's address, without the characters that quoted names escape.
func senderName(m Message) string {
	return oneLine(strings.NewReplacer(`"`, "", "\\", "").Replace(cmp.Or(m.Sender, product)))
}

// compose sets the header and the content of message, except for its addresses. In addition to the subject, the header has
// Message-ID and Date; Auto-Submitted, which prevents absence notices; Feedback-ID, by which mailbox providers group
// complaints; and List-Unsubscribe with List-Unsubscribe-Post (RFC 8058) for mails that members can turn off.
func compose(message *gomail.Msg, m Message, from string) {
	message.Subject(oneLine(m.Subject))
	// The library's own ids contain the name of this machine.
	message.SetMessageIDWithValue(cmp.Or(idText(m.ID), uuid.NewString()) + from[strings.LastIndexByte(from, '@'):])
	message.SetDate()
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Kind != "" {
		message.SetGenHeader("Feedback-ID", idText(m.Template)+":"+idText(string(m.Kind))+":"+strings.ToLower(product))
	}
	if m.Unsubscribe != "" {
		message.SetListUnsubscribe(m.Unsubscribe)
		message.SetListUnsubscribePost()
	}
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		message.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
}

// oneLine returns the text of a header without control and format characters, as one line.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	// The beginning of an encoded word, which mail programs would decode.
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "=?", "= ?")
	runes := []rune(text)
	if len(runes) > maxSubject {
		runes = append(runes[:maxSubject-1], '…')
	}
	return string(runes)
}

// idText returns the letters, digits, dots, dashes and underscores of a text, which ids in headers may have.
func idText(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, text)
}
