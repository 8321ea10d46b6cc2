// Package web is used by the http.go of every feature. It registers operations with Huma,
// identifies the signed-in member, paginates lists, and maps fault kinds to HTTP.
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

// Actor is the member who sends a request, as authenticated by the session.
type Actor struct {
	ID        uuid.UUID
	SessionID uuid.UUID
	Moderator bool // an admin or a moderator whose session may use a moderator's rights
	Admin     bool // an admin whose session may use an admin's rights
	Granted   bool // an admin or a moderator, also in a session that has not proved the second factor
	Proved    bool // the session's last sign-in or proof is at most 10 minutes old
	Replaced  bool // the request has the session's earlier token, for which a proof of the session does not count

	Restricted bool // leaving, or suspended or under review and neither admin nor moderator: may call only operations with the access Account, Leaving or Anyone
	Leaving    bool // has asked for the deletion of the account: may call only operations with the access Leaving or Anyone
}

type actorKey struct{}
type requestIDKey struct{}

// WithActor returns a context that carries the actor. The session middleware and
// tests call it.
func WithActor(ctx context.Context, actor Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, actor)
}

// ActorOf returns the signed-in member, and whether there is one. There always is
// in operations with another access than Anyone.
func ActorOf(ctx context.Context) (actor Actor, ok bool) {
	actor, ok = ctx.Value(actorKey{}).(Actor)
	return actor, ok
}

// WithRequestID returns a context that carries the id of the request.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of the request, and "" outside of a request.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
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

// StatusOf returns the HTTP status of a kind.
func StatusOf(kind fault.Kind) int { return statusOf[kind] }

// logFailure logs the error of an operation if it is a failure of the server or a security event.
func logFailure(ctx context.Context, operation string, err error) {
	if f := fault.From(err); f.Kind == fault.Internal || f.Kind == fault.Unavailable {
		slog.ErrorContext(ctx, "request failed", "operation", operation, "kind", f.Kind, "error", f.Error())
	}
	logRefusal(ctx, operation, err)
}

// problemOf returns the response to a request whose operation returned err, for Huma.
func problemOf(ctx context.Context, err error) error {
	f := fault.From(err)
	var problem error = NewProblem(ctx, f)
	if f.RetryAfter > 0 {
		problem = huma.ErrorWithHeaders(problem, http.Header{"Retry-After": {RetryAfter(f)}})
	}
	return problem
}

// RetryAfter returns f.RetryAfter in whole seconds, rounded up, for the header of
// that name.
func RetryAfter(f *fault.Error) string { return strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))) }
