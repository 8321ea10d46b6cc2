// Package mail hands on what the product writes to people.
package mail

import "context"

// Message is a mail to one person, in plain text and, if not empty, HTML.
type Message struct {
	To, Subject, Text, HTML string

	// ID is the same whenever the same mail is handed on, so that those who carry
	// and keep mails can tell that they have it. Letters, digits, dots and dashes;
	// empty for a mail that is never handed on twice.
	ID string
}

// Sender hands a mail on. An error means that it was not handed on, as far as
// is known, and may be tried again: no mail server can take a mail and say so
// in one step that is done or not.
type Sender interface {
	Send(ctx context.Context, message Message) error
}
