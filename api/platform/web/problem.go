package web

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/fault"
)

// Problem is the body of every answer that is not a success (RFC 9457).
type Problem struct {
	Title     string         `json:"title" doc:"The status in words"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail" doc:"What happened and what to do, to be shown to the member"`
	Kind      fault.Kind     `json:"kind" doc:"One of a closed set, for programs"`
	Code      string         `json:"code,omitempty" doc:"More exact than the kind, where programs need it: session_expired, session_revoked"`
	RequestID string         `json:"requestId,omitempty" doc:"Finds this call in the log"`
	Errors    []ProblemField `json:"errors,omitempty" doc:"Which inputs are wrong"`
}

// ProblemField names one input and says what is wrong with it. The value sent
// is not repeated: it may be a password.
type ProblemField struct {
	Location string `json:"location" doc:"Where the input stands, such as body.email"`
	Message  string `json:"message"`
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus makes Problem a huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType makes Huma answer with the problem's own media type.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// NewProblem is what the caller may know of f.
func NewProblem(ctx context.Context, f *fault.Error) *Problem {
	p := &Problem{
		Title: http.StatusText(Status(f.Kind)), Status: Status(f.Kind),
		Detail: f.Message, Kind: f.Kind, Code: f.Code, RequestID: RequestID(ctx),
	}
	if f.Field != "" {
		p.Errors = []ProblemField{{Location: location(f.Field), Message: f.Message}}
	}
	return p
}

// location is where an input stands; a plain name is one of the body.
func location(field string) string {
	for _, part := range []string{"body.", "query.", "path.", "header."} {
		if strings.HasPrefix(field, part) {
			return field
		}
	}
	return "body." + field
}

// Prepare sets what Huma keeps for the whole process: its own errors (a body
// that does not fit its schema, a missing session) look like all others, and
// lists are never null. Call it before any registration. Only the first call
// does anything, since the running servers of a process read what it sets.
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
		switch e := err.(type) {
		case *huma.ErrorDetail:
			p.Errors = append(p.Errors, fieldProblem(status, e))
		case *fault.Error:
			p.Code = e.Code
		case *Problem: // of an input that looks at the request itself
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
