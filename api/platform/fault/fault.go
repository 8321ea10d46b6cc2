// Package fault defines the errors of the features.
//
// An error returned by a feature is either a *fault.Error or unknown; an unknown
// error is Internal. Message is safe to show to the client; the wrapped cause is for
// the log only. Code says what went wrong: the OpenAPI document lists all codes with their
// parameters, so that a client can show its own text. An error of New, Wrap, InvalidField
// or Limited has the kind as its code; Declare gives it one of its own.
package fault

import (
	"errors"
	"maps"
	"math"
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
	Code       string         // one of Codes
	Params     map[string]any // of the code, by name; see Parameters
	Message    string         // a sentence for the client
	Field      string         // the name of the invalid input in the request; may be empty
	RetryAfter time.Duration  // for RateLimited and Unavailable, and a code that says so; zero otherwise
	cause      error
	declared   *Error // the result of Declare of which this is a copy, or this error itself; nil for other errors
}

// defaultRetryAfter is the RetryAfter of Unavailable errors.
const defaultRetryAfter = 2 * time.Second

// New returns an error of kind with a message for the client.
func New(kind Kind, message string) *Error { return Wrap(kind, message, nil) }

// InvalidField returns an Invalid error about a field. To add a field to an error that a call has returned, use ForField, which
// keeps its code.
func InvalidField(field, message string) *Error {
	return New(Invalid, message).ForField(field)
}

// Limited returns a RateLimited error. A retry may succeed after retryAfter, which is positive. To change the sentence of an
// error that a call has returned, use Saying, which keeps its code and its time.
func Limited(message string, retryAfter time.Duration) *Error {
	return New(RateLimited, message).After(retryAfter)
}

// WithCode returns a copy of e with a code of DeclareCode.
func (e *Error) WithCode(code string) *Error {
	c := e.clone()
	c.Code = code
	return c
}

// ForField returns a copy of e of the kind Invalid, about a field of the request. The copy has the code of e, unless e has none
// of its own: then its code is invalid.
func (e *Error) ForField(field string) *Error {
	c := e.WithField(field)
	if c.Code == string(c.Kind) {
		c.Code = string(Invalid)
	}
	c.Kind = Invalid
	return c
}

// WithField returns a copy of e about a field of the request, with the kind of e.
func (e *Error) WithField(field string) *Error {
	c := e.clone()
	c.Field = field
	return c
}

// Wrap returns a copy of e with a cause for the log.
func (e *Error) Wrap(cause error) *Error {
	c := e.clone()
	c.cause = cause
	return c
}

// After returns a copy of e with wait as RetryAfter.
func (e *Error) After(wait time.Duration) *Error {
	c := e.clone()
	c.RetryAfter = wait
	return c
}

// Saying returns a copy of e with another sentence for the client. {name} in it stands for a parameter.
func (e *Error) Saying(text string) *Error {
	c := e.clone()
	c.Message = render(text, e.Params)
	return c
}

func (e *Error) clone() *Error {
	c := *e
	return &c
}

// Is makes errors.Is(e, target) true if e is a copy of target, a result of Declare.
func (e *Error) Is(target error) bool { return e.declared != nil && error(e.declared) == target }

// Parameters returns the parameters of the code by name, for the response. For an error with RetryAfter they include it as
// retryAfter, in whole seconds, rounded up.
func (e *Error) Parameters() map[string]any {
	if e.RetryAfter <= 0 {
		return e.Params
	}
	params := map[string]any{}
	maps.Copy(params, e.Params)
	params[retryAfterParam] = int(math.Ceil(e.RetryAfter.Seconds()))
	return params
}

// Wrap returns an error with a message for the client and a cause for the log.
func Wrap(kind Kind, message string, cause error) *Error {
	e := &Error{Kind: kind, Code: string(kind), Message: message, cause: cause}
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
