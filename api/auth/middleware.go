package auth

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

type browserKey struct{}

// browserOf returns the Browser that Middleware stored in ctx.
func browserOf(ctx context.Context) Browser {
	browser, _ := ctx.Value(browserKey{}).(Browser)
	browser.Client, browser.Place = web.ClientOf(ctx), web.PlaceOf(ctx)
	return browser
}

type signedOutKey struct{}

// signedOutOf returns the error of Authenticate that Middleware stored in ctx, for an
// operation that anyone may call.
func signedOutOf(ctx context.Context) error {
	err, _ := ctx.Value(signedOutKey{}).(error)
	return err
}

// Middleware authenticates the caller and enforces each operation's web.Access. Middleware must be added to api before
// any operation.
func (s *Service) Middleware(api huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		browser := Browser{Token: cookieValue(ctx, s.CookieName()), ID: cookieValue(ctx, s.browserCookieName()), UserAgent: ctx.Header("User-Agent")}
		inner := context.WithValue(ctx.Context(), browserKey{}, browser)
		actor, err := s.Authenticate(inner, browser.Token)
		if err == nil {
			inner = web.WithActor(inner, actor)
		} else {
			inner = context.WithValue(inner, signedOutKey{}, err)
		}
		ctx = huma.WithContext(ctx, inner)
		if err == nil && !isRequestOf(actor, ctx.Header(memberHeader)) {
			err = errSignedOut
		}
		if err == nil || fault.Is(err, fault.Unauthenticated) {
			err = s.permit(inner, ctx.Operation(), actor, err)
		}
		if err != nil {
			if fault.Is(err, fault.Forbidden) {
				web.LogSecurity(inner, web.EventForbidden, err, "operation", ctx.Operation().OperationID)
			}
			refuse(api, ctx, err)
			return
		}
		next(ctx)
	}
}

// memberHeader is the header with the id of the member who started a request. If another
// member has signed in since, in another tab, the cookie belongs to that member and the
// request is refused.
const memberHeader = "X-Member"

// isRequestOf reports whether the actor started the request with this memberHeader.
func isRequestOf(actor web.Actor, member string) bool {
	return member == "" || member == actor.ID.String()
}

// permit returns an error unless the actor may call the operation. authErr is the error
// of the authentication, nil for a signed-in actor.
func (s *Service) permit(ctx context.Context, operation *huma.Operation, actor web.Actor, authErr error) error {
	access, _ := operation.Metadata[web.AccessKey].(web.Access)
	rights := actor.Rights()
	if authErr != nil {
		rights = web.Anyone
	}
	switch {
	case access.Allows(rights) && access.NeedsProof() && !actor.Proved && !isRead(operation):
		return errProofRequired
	case access.Allows(rights):
		return nil
	case authErr != nil:
		return authErr
	case actor.Restricted:
		return web.ErrRestricted(actor)
	case actor.Granted && !actor.Moderator:
		return s.factorError(ctx, actor)
	default:
		return errAdminsOnly
	}
}

// isRead reports whether the operation changes nothing.
func isRead(operation *huma.Operation) bool {
	reads, _ := operation.Metadata[web.ReadsKey].(bool)
	return reads || operation.Method == http.MethodGet || operation.Method == http.MethodHead
}

func refuse(api huma.API, ctx huma.Context, err error) {
	f := fault.From(err)
	if f.RetryAfter > 0 {
		ctx.SetHeader("Retry-After", web.RetryAfter(f))
	}
	if f.Code == errRevoked.Code {
		ctx.SetHeader("Clear-Site-Data", clearCache)
	}
	_ = huma.WriteErr(api, ctx, web.StatusOf(f.Kind), f.Message, f) // fails only when the connection is closed
}

// cookieValue returns the value of a cookie, or "" if there is none or it is longer than
// any value that this server sets.
func cookieValue(ctx huma.Context, name string) string {
	cookie, err := huma.ReadCookie(ctx, name)
	if err != nil || len(cookie.Value) > 100 {
		return ""
	}
	return cookie.Value
}

// sessionCookie returns the cookie with the token, which expires with the session.
func (s *Service) sessionCookie(signedIn SignedIn) http.Cookie {
	return s.cookie(s.CookieName(), signedIn.Token, time.Until(signedIn.ExpiresAt))
}

// NoSessionCookie returns the cookie that deletes the session cookie.
func (s *Service) NoSessionCookie() http.Cookie {
	deleted := s.cookie(s.CookieName(), "", 0)
	deleted.MaxAge = -1
	return deleted
}
