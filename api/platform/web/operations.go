package web

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// AccessKey is the key of an operation's Access in its metadata, and the OpenAPI
// extension that contains it.
const AccessKey = "x-access"

// ReadsKey is the key of a bool in the metadata of an operation that changes nothing, although its method is not GET.
const ReadsKey = "reads"

// TimeoutKey is the key of an operation's time limit in its metadata, a time.Duration.
const TimeoutKey = "timeout"

// API is where a feature adds its operations.
type API struct {
	huma.API
	feature string
	maxBody int64 // 0: Huma's 1 MiB
}

// ForFeature returns the API for a feature, whose name groups its operations in the documentation.
func ForFeature(api huma.API, feature string) API { return API{API: api, feature: feature} }

// WithMaxBody returns an API whose operations accept bodies of at most n bytes, unless they have the option MaxBody.
func (a API) WithMaxBody(n int64) API {
	a.maxBody = n
	return a
}

// Handler handles an operation. Its error is returned as problem+json with the status of its kind.
type Handler[I, O any] func(context.Context, *I) (*O, error)

// Get adds an operation to api, for callers with this access. Its id names it in the log and in the app's client; its summary
// is in the documentation. The response has the status 200 if O has a body, and 204 otherwise.
func Get[I, O any](api API, access Access, id, path, summary string, handler Handler[I, O], options ...Option) {
	add(api, access, http.MethodGet, id, path, summary, handler, options)
}

// Head adds an operation like Get.
func Head[I, O any](api API, access Access, id, path, summary string, handler Handler[I, O], options ...Option) {
	add(api, access, http.MethodHead, id, path, summary, handler, options)
}

// Post adds an operation like Get.
func Post[I, O any](api API, access Access, id, path, summary string, handler Handler[I, O], options ...Option) {
	add(api, access, http.MethodPost, id, path, summary, handler, options)
}

// Put adds an operation like Get.
func Put[I, O any](api API, access Access, id, path, summary string, handler Handler[I, O], options ...Option) {
	add(api, access, http.MethodPut, id, path, summary, handler, options)
}

// Patch adds an operation like Get.
func Patch[I, O any](api API, access Access, id, path, summary string, handler Handler[I, O], options ...Option) {
	add(api, access, http.MethodPatch, id, path, summary, handler, options)
}

// Delete adds an operation like Get.
func Delete[I, O any](api API, access Access, id, path, summary string, handler Handler[I, O], options ...Option) {
	add(api, access, http.MethodDelete, id, path, summary, handler, options)
}

// Option changes an operation.
type Option func(*huma.Operation)

// Status sets the status of responses to successful requests.
func Status(code int) Option {
	return func(op *huma.Operation) { op.DefaultStatus = code }
}

// MaxBody sets how many bytes a body may have.
func MaxBody(n int64) Option {
	return func(op *huma.Operation) { op.MaxBodyBytes = n }
}

// Timeout sets the time limit of an operation by POST or PUT that takes longer than others.
func Timeout(limit time.Duration) Option {
	return func(op *huma.Operation) { op.Metadata[TimeoutKey] = limit }
}

// Reads marks an operation that changes nothing, such as a search with the filters in its body. Moderators and admins need
// no recent proof for it.
func Reads() Option {
	return func(op *huma.Operation) { op.Metadata[ReadsKey] = true }
}

// Accepts sets the content type of a body that is not JSON.
func Accepts(contentType string) Option {
	return func(op *huma.Operation) {
		op.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{
			contentType: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
		}}
	}
}

// Returns sets the content type of a response that is not JSON, and describes it.
func Returns(contentType, description string) Option {
	return func(op *huma.Operation) {
		op.Responses = map[string]*huma.Response{"200": {
			Description: description, Content: map[string]*huma.MediaType{contentType: {}},
		}}
	}
}

func add[I, O any](api API, access Access, method, id, path, summary string, handler Handler[I, O], options []Option) {
	op := huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary, Tags: []string{api.feature}, MaxBodyBytes: api.maxBody,
		Metadata: map[string]any{AccessKey: access}, Extensions: map[string]any{AccessKey: string(access)},
	}
	if access != Anyone {
		op.Security = []map[string][]string{{"session": {}}}
	}
	for _, set := range options {
		set(&op)
	}
	huma.Register(api.API, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if access.NeedsProof() {
			LogSecurity(ctx, EventAdmin, err, "operation", id)
		}
		if err != nil {
			logFailure(ctx, id, err)
			return nil, problemOf(ctx, err)
		}
		return out, nil
	})
}
