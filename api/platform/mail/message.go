// Package mail sends the product's mails.
package mail

import "context"

// Message is a mail to one recipient, in plain text and, if not empty, HTML.
type Message struct {
	To, Subject, Text, HTML string

	// ID becomes the Message-ID. It is the same for each attempt to send a mail, so
	// that mailboxes recognise a duplicate. Letters, digits, dots and dashes; empty
	// for a mail that is never retried.
	ID string
}

// Sender sends a mail. After an error the mail may or may not have been delivered,
// and sending may be retried: SMTP cannot confirm a delivery atomically.
type Sender interface {
	Send(ctx context.Context, message Message) error
}
