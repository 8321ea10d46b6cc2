// Package fault names the few ways in which a call can fail.
//
// Every error that leaves a feature is either a *fault.Error or unknown; an
// unknown one is Internal. Each has two texts: Message is safe to show to the
// caller, the wrapped cause is for the log alone.
package fault

import (
	"errors"
	"time"
)

// Kind is one of a closed set; platform/web maps each to one HTTP status and
// the socket sends it as the kind of an error frame.
type Kind string

// The kinds, each with the HTTP status that platform/web gives it.
const (
	Invalid         Kind = "invalid"         // 422, the caller can mend the input
	Unauthenticated Kind = "unauthenticated" // 401
	Forbidden       Kind = "forbidden"       // 403, only where existence is no secret
	NotFound        Kind = "not_found"       // 404, also for what belongs to others
	Conflict        Kind = "conflict"        // 409
	TooLarge        Kind = "too_large"       // 413
	RateLimited     Kind = "rate_limited"    // 429, with RetryAfter
	Unavailable     Kind = "unavailable"     // 503, the same call may work later
	Internal        Kind = "internal"        // 500, tells the caller a request id only
)

// Error is a failure with a text the caller may read.
type Error struct {
	Kind       Kind
	Code       string        // stable, for programs that need more than the kind; may be empty
	Message    string        // safe for the caller, a whole sentence
	Field      string        // the input at fault, in the request's own words; may be empty
	RetryAfter time.Duration // for RateLimited and Unavailable; zero otherwise
	cause      error
}

// soon is when to come again to what is away, unless it is known better.
const soon = 2 * time.Second

// New returns an error of kind with a text that the caller may read.
func New(kind Kind, message string) *Error { return Wrap(kind, message, nil) }

// InvalidField says which input is wrong and how to mend it.
func InvalidField(field, message string) *Error {
	return &Error{Kind: Invalid, Field: field, Message: message}
}

// Limited says that a limit was reached and when the next try makes sense.
func Limited(message string, retryAfter time.Duration) *Error {
	return &Error{Kind: RateLimited, Message: message, RetryAfter: retryAfter}
}

// WithCode sets the code of a new error.
func (e *Error) WithCode(code string) *Error {
	e.Code = code
	return e
}

// Wrap keeps cause for the log and shows message to the caller.
func Wrap(kind Kind, message string, cause error) *Error {
	e := &Error{Kind: kind, Message: message, cause: cause}
	if kind == Unavailable {
		e.RetryAfter = soon
	}
	return e
}

// Error is the full text, for logs; never send it to a caller.
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

// From returns err as a *Error. What no feature has named is Internal, with a
// text that gives nothing away. From(nil) is nil.
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
