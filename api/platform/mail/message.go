// Package mail sends the product's mails.
package mail

import (
	"context"
	"errors"
	"time"
)

// Message is a mail to one recipient, in plain text and, if not empty, HTML.
type Message struct {
	To, Subject, Text, HTML string

	// ID becomes the Message-ID. It is the same for each attempt to send a mail, so
	// that mailboxes recognise a duplicate. Letters, digits, dots and dashes; empty
	// for a mail that is never retried.
	ID string

	// Unsubscribe is the URL by which mail programs offer to unsubscribe from such mails:
	// it opens a page, and a POST to it unsubscribes at once (RFC 8058). Empty for mails that
	// members cannot turn off.
	Unsubscribe string

	// Kind and Template are those of the Letter from which Build made the mail. Kind determines what happens to a mail that
	// was not accepted (Kind.IsOptional).
	Kind     Kind
	Template string

	// Sender is the name of the sender; empty for the product's.
	Sender string

	// ReturnPath is the address to which reports about the mail go; empty for that of the sender.
	ReturnPath string
}

// Sender sends a mail. An UnsentError proves that the server did not accept the mail. After any
// other error it may have accepted it: SMTP cannot confirm a delivery atomically.
type Sender interface {
	Send(ctx context.Context, message Message) error
}

// UnsentError is the error of a mail that the server certainly did not accept.
type UnsentError struct {
	// Permanent is whether the server refused the mail for good, such as for an unknown
	// mailbox.
	Permanent bool

	// Withheld is whether the mail was not sent because its address is suppressed. Permanent is then true.
	Withheld bool

	// Outcome and Answer are those of the server. Both are empty if there was no answer.
	Outcome Outcome
	Answer  Answer

	// Wait is the minimum time until the next attempt; 0 if it is not known.
	Wait time.Duration

	Cause error
}

func (e *UnsentError) Error() string { return e.Cause.Error() }

func (e *UnsentError) Unwrap() error { return e.Cause }

// IsUnsent reports whether err proves that the server did not accept the mail, and whether it
// refused the mail for good.
func IsUnsent(err error) (unsent, permanent bool) {
	var e *UnsentError
	if errors.As(err, &e) {
		return true, e.Permanent
	}
	return false, false
}

// IsWithheld reports whether err is that of a mail that was not sent because its address is suppressed.
func IsWithheld(err error) bool {
	var e *UnsentError
	return errors.As(err, &e) && e.Withheld
}

// UnknownError is the error of a mail that the server may have accepted: the connection was lost after its end.
type UnknownError struct{ Cause error }

func (e *UnknownError) Error() string { return "the mail may have been accepted: " + e.Cause.Error() }

func (e *UnknownError) Unwrap() error { return e.Cause }
