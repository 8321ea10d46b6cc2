package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
)

// Calls each operation for members and admins without a session and with a made-up one,
// and the operations for admins as a member. An operation without a role fails the test.
func TestOperations_EnforceRoles(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	open := map[string]bool{}
	for _, op := range s.operations() {
		path := op.pathWith(s, nil, "")
		switch op.access {
		case web.Anyone:
			open[op.method+" "+op.path] = true
		case web.Member, web.Admin:
			withoutSession := s.send("", op.method, path, "application/json", op.sample(s))
			require.Equal(t, http.StatusUnauthorized, withoutSession.status, "%s %s signed out: %s", op.method, path, withoutSession.body)
			withForgedSession := s.send("sid=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", op.method, path, "application/json", op.sample(s))
			require.Equal(t, http.StatusUnauthorized, withForgedSession.status, "%s %s with a made-up session", op.method, path)
		default:
			t.Errorf("%s %s has no role", op.method, op.path)
		}
		if op.access == web.Admin {
			require.Equal(t, http.StatusForbidden, s.send(s.viewer, op.method, path, "application/json", op.sample(s)).status)
		}
	}
	require.Equal(t, map[string]bool{
		"POST /api/auth/code": true, "POST /api/auth/login": true, "POST /api/auth/disown": true, "POST /api/users": true,
		"GET /api/auth/session": true, "GET /api/login": true, "GET /api/logout": true, "GET /api/settings/intention-tags": true,
		"GET /api/settings/profile-options": true, "GET /api/places": true, "GET /api/shared-dates/{token}": true,
	}, open, "the operations for anyone are those listed here")
}

// Calls every operation that writes.
func TestOperations_RefuseCrossSiteWrites(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for _, op := range s.operations() {
		if op.method == http.MethodGet || op.method == http.MethodHead {
			continue
		}
		for header, value := range map[string]string{
			"Sec-Fetch-Site": "cross-site", "sec-fetch-site": "same-site", "Origin": "https://evil.example", "origin": "null",
		} {
			resp := s.sendWith(s.viewer, op.method, op.pathWith(s, nil, ""), op.sample(s), header, value)
			require.Equal(t, http.StatusForbidden, resp.status, "%s %s with %s: %s", op.method, op.path, header, value)
		}
	}
	for _, origin := range []string{"http://heartward.test", ""} {
		resp := s.sendWith(s.viewer, http.MethodPatch, "/api/users/me", `{"bio":"mine"}`, "Origin", origin)
		require.Equal(t, http.StatusOK, resp.status, "own origin %q: %s", origin, resp.body)
	}
}
