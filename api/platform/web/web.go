// Package web is what every feature's http.go is written with: operations on
// Huma, the signed-in member, and the one map from fault kinds to HTTP.
package web

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

// Actor is the member a call is made for, as the session proved it.
type Actor struct {
	ID        uuid.UUID
	SessionID uuid.UUID
	Admin     bool
}

type actorKey struct{}
type requestIDKey struct{}

// WithActor is for the session middleware and for tests.
func WithActor(ctx context.Context, actor Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, actor)
}

// ActorOf returns the signed-in member. In an operation made with Member it is
// always set; elsewhere ok tells.
func ActorOf(ctx context.Context) (actor Actor, ok bool) {
	actor, ok = ctx.Value(actorKey{}).(Actor)
	return actor, ok
}

// WithRequestID is for the middleware that gives each request its id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID is empty outside a request.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Who says who may call an operation; the route table test reads it.
type Who string

// The roles an operation can be open to.
const (
	Anyone Who = "anyone" // signed out as well
	Member Who = "member" // a session; 401 without
	Admin  Who = "admin"  // a session of an admin; 403 for members
)

// WhoKey is the metadata key and the OpenAPI extension under which an operation carries its Who.
const WhoKey = "x-who"

// Register adds an operation: handler's errors become problem+json by kind,
// and who may call it is part of the OpenAPI document.
func Register[I, O any](api huma.API, who Who, op huma.Operation, handler func(context.Context, *I) (*O, error)) {
	op.Metadata = map[string]any{WhoKey: who}
	op.Extensions = map[string]any{WhoKey: string(who)}
	if who != Anyone {
		op.Security = []map[string][]string{{"session": {}}}
	}
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			return nil, problemOf(ctx, op.OperationID, err)
		}
		return out, nil
	})
}

var statusOf = map[fault.Kind]int{
	fault.Invalid:         http.StatusUnprocessableEntity,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.RateLimited:     http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.Internal:        http.StatusInternalServerError,
}

// Status is the HTTP status of a kind.
func Status(kind fault.Kind) int { return statusOf[kind] }

func problemOf(ctx context.Context, operation string, err error) error {
	f := fault.From(err)
	if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
		slog.ErrorContext(ctx, "call failed", "operation", operation, "kind", f.Kind, "error", f.Error())
	}
	var problem error = NewProblem(ctx, f)
	if f.RetryAfter > 0 {
		problem = huma.ErrorWithHeaders(problem, http.Header{"Retry-After": {RetryAfter(f)}})
	}
	return problem
}

// RetryAfter is f's wait as the header of that name carries it.
func RetryAfter(f *fault.Error) string { return strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))) }
