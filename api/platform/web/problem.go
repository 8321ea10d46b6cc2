package web

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/fault"
)

// Problem is the body of every error response (RFC 9457).
type Problem struct {
	Title     string         `json:"title" doc:"The status in words"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail" doc:"The problem and what the member can do, to be shown to the member"`
	Kind      fault.Kind     `json:"kind" doc:"The kind of error, for programs"`
	Code      string         `json:"code,omitempty" doc:"A more specific reason, for programs: session_expired, session_revoked, account_restricted, proof_required, second_factor_required, second_factor_setup"`
	RequestID string         `json:"requestId,omitempty" doc:"The id of the request in the log"`
	Errors    []ProblemField `json:"errors,omitempty" doc:"The invalid inputs"`
}

// ProblemField describes an invalid input. It does not contain the value, which
// may be a password.
type ProblemField struct {
	Location string `json:"location" doc:"The location of the input, such as body.email"`
	Message  string `json:"message"`
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus makes Problem a huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of a problem for Huma.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// NewProblem returns the problem that describes f to the client, without the cause
// of f.
func NewProblem(ctx context.Context, f *fault.Error) *Problem {
	p := &Problem{
		Title: http.StatusText(StatusOf(f.Kind)), Status: StatusOf(f.Kind),
		Detail: f.Message, Kind: f.Kind, Code: f.Code, RequestID: RequestID(ctx),
	}
	if f.Field != "" {
		p.Errors = []ProblemField{{Location: location(f.Field), Message: f.Message}}
	}
	return p
}

// location returns the location of a field: a plain name is a property of the body.
func location(field string) string {
	for _, part := range []string{"body.", "query.", "path.", "header."} {
		if strings.HasPrefix(field, part) {
			return field
		}
	}
	return "body." + field
}

// Prepare sets Huma's global variables: Huma's own errors, such as for a body that
// does not match its schema, become Problems, and arrays are not nullable. Call it
// before any registration. Only the first call has an effect, because the running
// servers of the process read these variables.
func Prepare() { prepare() }

var prepare = sync.OnceFunc(func() {
	huma.DefaultArrayNullable = false
	useSentences()
	huma.NewError = newHumaProblem
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		p := newHumaProblem(status, message, errs...)
		if problem, ok := p.(*Problem); ok && ctx != nil {
			problem.RequestID = RequestID(ctx.Context())
		}
		return p
	}
})

func newHumaProblem(status int, message string, errs ...error) huma.StatusError {
	p := &Problem{Title: http.StatusText(status), Status: status, Kind: kindOf(status)}
	for _, err := range errs {
		switch e := err.(type) { //nolint:errorlint // huma passes these unwrapped
		case *huma.ErrorDetail:
			p.Errors = append(p.Errors, fieldProblem(status, e))
		case *fault.Error:
			p.Code = e.Code
		case *Problem: // from an input that implements huma.Resolver
			message = e.Detail
		}
	}
	p.Detail = detailOf(message, p.Errors)
	return p
}

func kindOf(status int) fault.Kind {
	for kind, s := range statusOf {
		if s == status {
			return kind
		}
	}
	if status >= 500 {
		return fault.Internal
	}
	return fault.Invalid
}
