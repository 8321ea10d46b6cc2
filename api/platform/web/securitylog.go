package web

import (
	"context"
	"log/slog"

	"heartward/api/platform/fault"
)

// SecurityEvent is the kind of a security event in the log.
type SecurityEvent string

// The security events. docs/log-inventory.md describes them.
const (
	EventCode        SecurityEvent = "code"        // a sign-in code was requested
	EventSignUp      SecurityEvent = "sign-up"     // an account was created
	EventSignIn      SecurityEvent = "sign-in"     // by code, password or passkey
	EventSignOut     SecurityEvent = "sign-out"    // a session was ended by its member
	EventPassword    SecurityEvent = "password"    // a password was set
	EventEmail       SecurityEvent = "email"       // a member changed the address, or a step of it
	EventProof       SecurityEvent = "proof"       // a member confirmed their identity
	EventFactor      SecurityEvent = "factor"      // a passkey or authenticator app was added, renamed or removed
	EventDisown      SecurityEvent = "disown"      // the link "That was not me" of a mail was used
	EventDeletion    SecurityEvent = "deletion"    // a member asked for the deletion of the account, or kept it
	EventExport      SecurityEvent = "export"      // a member asked for the export of their data, or fetched it
	EventUnsubscribe SecurityEvent = "unsubscribe" // the link of a digest was used to turn it off
	EventOptOut      SecurityEvent = "opt-out"     // the link of an invitation was used to get no more
	EventLimit       SecurityEvent = "limit"       // a rate limit was reached
	EventForbidden   SecurityEvent = "forbidden"   // a member may not call an operation
	EventCrossSite   SecurityEvent = "cross-site"  // another site started a request
	EventAdmin       SecurityEvent = "admin"       // an operation for admins or moderators was called
	EventRights      SecurityEvent = "rights"      // the command line changed the rights or the second factor of an admin or a moderator
)

// LogSecurity writes a security event: the outcome, which is "ok" or the kind of err, the
// network of the client, the signed-in member and the session, and args, which are
// attributes as those of slog. args must contain no address, code, password or text of
// members.
func LogSecurity(ctx context.Context, event SecurityEvent, err error, args ...any) {
	outcome := "ok"
	if err != nil {
		outcome = string(fault.From(err).Kind)
	}
	attrs := []any{"event", string(event), "outcome", outcome, "client", CoarseClient(ctx)}
	if actor, ok := ActorOf(ctx); ok {
		attrs = append(attrs, "actor", actor.ID, "session", actor.SessionID)
	}
	slog.InfoContext(ctx, "security", append(attrs, args...)...)
}

// logRefusal writes the security event of an operation's error, if it is one.
func logRefusal(ctx context.Context, operation string, err error) {
	switch {
	case fault.Is(err, fault.RateLimited):
		LogSecurity(ctx, EventLimit, err, "operation", operation)
	case fault.Is(err, fault.Forbidden):
		LogSecurity(ctx, EventForbidden, err, "operation", operation)
	}
}
