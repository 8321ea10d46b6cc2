// Package fault defines the errors of the features.
//
// An error returned by a feature is either a *fault.Error or unknown; an unknown
// error is Internal. Message is safe to show to the client; the wrapped cause is for
// the log only.
package fault

import (
	"errors"
	"time"
)

// Kind is the kind of an error. Package web maps each kind to an HTTP status; the
// socket sends it in an error frame.
type Kind string

// The kinds, with their HTTP statuses.
const (
	Invalid         Kind = "invalid"         // 422, the input is invalid
	Unauthenticated Kind = "unauthenticated" // 401
	Forbidden       Kind = "forbidden"       // 403, only if the existence is not secret
	NotFound        Kind = "not_found"       // 404, also for data of others
	Conflict        Kind = "conflict"        // 409
	TooLarge        Kind = "too_large"       // 413
	RateLimited     Kind = "rate_limited"    // 429, with RetryAfter
	Unavailable     Kind = "unavailable"     // 503, a retry may succeed
	Internal        Kind = "internal"        // 500, the client gets a request id only
)

// Error is an error with a message for the client.
type Error struct {
	Kind       Kind
	Code       string        // stable, for clients that need more than the kind; may be empty
	Message    string        // a sentence for the client
	Field      string        // the name of the invalid input in the request; may be empty
	RetryAfter time.Duration // for RateLimited and Unavailable; zero otherwise
	cause      error
}

// defaultRetryAfter is the RetryAfter of Unavailable errors.
const defaultRetryAfter = 2 * time.Second

// New returns an error of kind with a message for the client.
func New(kind Kind, message string) *Error { return Wrap(kind, message, nil) }

// InvalidField returns an Invalid error about a field.
func InvalidField(field, message string) *Error {
	return &Error{Kind: Invalid, Field: field, Message: message}
}

// Limited returns a RateLimited error. A retry makes sense after retryAfter.
func Limited(message string, retryAfter time.Duration) *Error {
	return &Error{Kind: RateLimited, Message: message, RetryAfter: retryAfter}
}

// WithCode sets the code of a new error and returns it.
func (e *Error) WithCode(code string) *Error {
	e.Code = code
	return e
}

// Wrap returns an error with a message for the client and a cause for the log.
func Wrap(kind Kind, message string, cause error) *Error {
	e := &Error{Kind: kind, Message: message, cause: cause}
	if kind == Unavailable {
		e.RetryAfter = defaultRetryAfter
	}
	return e
}

// Error returns the full text for logs. It must not be sent to a client.
func (e *Error) Error() string {
	text := string(e.Kind) + ": " + e.Message
	if e.Field != "" {
		text += " (" + e.Field + ")"
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.cause }

// From returns err as a *Error. An unknown error becomes Internal, with a message
// without details. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	return Wrap(Internal, "Something went wrong on our side. Please try again.", err)
}

// Is reports whether err is of the kind.
func Is(err error, kind Kind) bool { return err != nil && From(err).Kind == kind }
