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
	Code      string         `json:"code" doc:"What went wrong, for programs and for texts of their own. Unknown codes are possible: show the detail then"`
	Params    map[string]any `json:"params,omitempty" doc:"The parameters of the code, with the names and types in x-params of ErrorCode"`
	RequestID string         `json:"requestId,omitempty" doc:"The id of the request in the log"`
	Errors    []ProblemField `json:"errors,omitempty" doc:"The invalid inputs"`
}

// ProblemField describes an invalid input. It does not contain the value, which
// may be a password.
type ProblemField struct {
	Location string         `json:"location" doc:"The location of the input, such as body.email"`
	Message  string         `json:"message"`
	Code     string         `json:"code"`
	Params   map[string]any `json:"params,omitempty"`
}

// TransformSchema makes the code one of the known codes.
func (*Problem) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	return withErrorCode(r, s)
}

// TransformSchema makes the code one of the known codes.
func (ProblemField) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	return withErrorCode(r, s)
}

// withErrorCode makes the property code of a schema a reference to the schema ErrorCode, an enum of all codes. Its
// extension x-params has the types of the parameters by their names, of each code that has some.
func withErrorCode(r huma.Registry, s *huma.Schema) *huma.Schema {
	if r.Map()["ErrorCode"] == nil {
		codes, params := []any{}, map[string]any{}
		for _, code := range fault.Codes() {
			codes = append(codes, code)
			if types := fault.ParamsOf(code); len(types) > 0 {
				params[code] = types
			}
		}
		r.Map()["ErrorCode"] = &huma.Schema{
			Type: huma.TypeString, Enum: codes, Description: "What went wrong. An error without a code of its own has its kind as the code",
			Extensions: map[string]any{"x-params": params},
		}
	}
	s.Properties["code"] = &huma.Schema{Ref: "#/components/schemas/ErrorCode", Description: s.Properties["code"].Description}
	return s
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus makes Problem a huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of a problem for Huma.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// NewProblem returns the problem that describes f to the client, without the cause
// of f.
func NewProblem(ctx context.Context, f *fault.Error) *Problem {
	p := newProblem(f)
	p.RequestID = RequestID(ctx)
	return p
}

func newProblem(f *fault.Error) *Problem {
	p := &Problem{
		Title: http.StatusText(StatusOf(f.Kind)), Status: StatusOf(f.Kind),
		Detail: f.Message, Kind: f.Kind, Code: f.Code, Params: f.Parameters(),
	}
	if f.Field != "" {
		p.Errors = []ProblemField{problemField(location(f.Field), f)}
	}
	return p
}

func problemField(location string, f *fault.Error) ProblemField {
	return ProblemField{Location: location, Message: f.Message, Code: f.Code, Params: f.Parameters()}
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
	useInputErrors()
	huma.NewError = newHumaProblem
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		p := newHumaProblem(status, message, errs...)
		if problem, ok := p.(*Problem); ok && ctx != nil {
			problem.RequestID = RequestID(ctx.Context())
		}
		return p
	}
})

// newHumaProblem returns the response for an error that Huma itself found. errs are the invalid inputs, or the error of a
// middleware or resolver.
func newHumaProblem(status int, message string, errs ...error) huma.StatusError {
	p := newProblem(requestFault(kindOf(status), message))
	p.Title, p.Status, p.Kind = http.StatusText(status), status, kindOf(status)
	for _, err := range errs {
		switch e := err.(type) { //nolint:errorlint // huma passes these unwrapped
		case *huma.ErrorDetail:
			p.Errors = append(p.Errors, fieldProblem(status, e))
		case *fault.Error: // from the session middleware
			return newProblem(e)
		case *Problem: // from an input that implements huma.Resolver
			p.Detail, p.Code, p.Params = e.Detail, e.Code, e.Params
		}
	}
	if len(p.Errors) > 0 {
		p.Code, p.Params = codeInvalidInput, nil
		p.Detail = "Please check " + readableName(p.Errors[0].Location) + ". " + p.Errors[0].Message
	}
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
