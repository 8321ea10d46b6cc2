// Package mail hands on what the product writes to people.
package mail

import "context"

// Message is a mail to one person, in plain text and, if not empty, HTML.
type Message struct {
	To, Subject, Text, HTML string
}

// Sender hands a mail on. An error means that it was not handed on and may be
// tried again.
type Sender interface {
	Send(ctx context.Context, message Message) error
}
