package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/members"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// pageHeaders are the headers that every response has, here under https.
var pageHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " +
		"media-src 'self' blob:; font-src 'self'; connect-src 'self' wss://heartward.test; worker-src 'self'; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(self), microphone=(self), geolocation=(), payment=(), usb=()",
	"Strict-Transport-Security":    "max-age=63072000; includeSubDomains",
}

// notSecurity are headers without effect on what a browser may do.
var notSecurity = map[string]bool{
	"Content-Type": true, "Content-Length": true, "Date": true, "X-Request-Id": true, "Etag": true, "Vary": true,
	"Cache-Control": true, "Accept-Ranges": true, "Content-Encoding": true, "Content-Disposition": true,
}

func TestSecurityHeaders_OfEveryResponse(t *testing.T) {
	t.Parallel()
	s := newEnvAt(t, "https://heartward.test", pgtest.New(t))
	documents := "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	for path, want := range map[string]struct {
		status        int
		policy, cache string
	}{
		"/":                       {200, "", "no-cache"},
		"/api/auth/user":          {200, "", "no-store"},
		"/api/nothing":            {404, "", "no-store"},
		"/docs":                   {200, documents, ""},
		s.mailbox:                 {200, documents + "; frame-src 'self'", "no-store"},
		s.addPhoto(s.viewer).URL:  {200, "sandbox; default-src 'none'; frame-ancestors 'none'", "private, no-cache"},
		"/files/none/full.webp":   {422, "", "no-store"},
		"/.well-known/none/../..": {200, "", "no-cache"},
	} {
		got := s.send(s.viewer, http.MethodGet, path, "", "")
		require.Equal(t, want.status, got.status, "%s: %.200s", path, got.body)
		require.Equal(t, want.cache, got.header.Get("Cache-Control"), path)
		for name, values := range got.header {
			if notSecurity[name] {
				continue
			}
			expected := pageHeaders[name]
			if name == "Content-Security-Policy" && want.policy != "" {
				expected = want.policy
			}
			require.Equal(t, []string{expected}, values, "%s of %s", name, path)
		}
		for name := range pageHeaders {
			require.NotEmpty(t, got.header.Get(name), "%s of %s", name, path)
		}
	}
}

func TestSecurityHeaders_OfUnknownMethods(t *testing.T) {
	t.Parallel()
	s := newEnvAt(t, "https://heartward.test", pgtest.New(t))
	for _, method := range []string{"PROPFIND", "FOO", "get"} {
		for _, path := range []string{"/", "/api/users/me"} {
			got := s.send(s.viewer, method, path, "application/json", `{"a":1}`)
			require.Equal(t, http.StatusNotImplemented, got.status, "%s %s", method, path)
			require.Equal(t, "application/problem+json", got.contentType)
			require.Contains(t, got.body, `"requestId"`)
			for name, value := range pageHeaders {
				require.Equal(t, []string{value}, got.header.Values(name), "%s of %s %s", name, method, path)
			}
		}
	}
}

func TestSecurityHeaders_OverHTTPS(t *testing.T) {
	t.Parallel()
	for site, https := range map[string]bool{"https://heartward.test": true, "http://heartward.test": false} {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			s := newEnvAt(t, site, pgtest.New(t))
			got := s.json("", http.MethodPost, "/api/auth/code", map[string]any{"email": "new@example.test"})
			require.Equal(t, https, got.header.Get("Strict-Transport-Security") != "")
			for _, cookie := range append(strings.Split(s.viewer, "; "), cookieOf(got)) {
				require.Equal(t, https, strings.HasPrefix(cookie, "__Host-"), cookie)
			}
			line := got.header.Get("Set-Cookie")
			require.Equal(t, https, strings.Contains(line, "; Secure"), line)
			for _, part := range []string{"; HttpOnly", "; Path=/", "; SameSite=Lax"} {
				require.Contains(t, line, part)
			}
			require.NotContains(t, line, "Domain")
			socket := map[bool]string{true: " wss://heartward.test;", false: " ws://heartward.test;"}[https]
			require.Contains(t, got.header.Get("Content-Security-Policy"), socket)
		})
	}
}

func TestObserve_SetsARequestID(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ids := map[string]bool{}
	check := func(what string, got httpResponse) {
		id := got.header.Get("X-Request-Id")
		require.NoError(t, uuid.Validate(id), what)
		require.False(t, ids[id], "%s: the id of another response", what)
		ids[id] = true
		if got.status >= 400 {
			require.Equal(t, "application/problem+json", got.contentType, what)
			if !strings.HasPrefix(what, http.MethodHead) { // its responses have no body
				require.Contains(t, got.body, `"requestId":"`+id+`"`, what)
			}
		}
	}
	for _, op := range s.operations() {
		path := op.pathWith(s, nil, "")
		check(op.method+" "+path+" signed out", s.send("", op.method, path, "application/json", op.sample(s)))
		check(op.method+" "+path, s.send(s.viewer, op.method, path, "application/json", op.sample(s)))
	}
	for _, path := range []string{"/", "/sw.js", "/docs", "/api/none", "/assets/none.js", "/healthz", "/readyz"} {
		check(path, s.send("", http.MethodGet, path, "", ""))
	}
	check("text", s.send(s.viewer, http.MethodPatch, "/api/users/me", "text/plain", "x"))
	check("large", s.send(s.viewer, http.MethodPatch, "/api/users/me", "application/json", strings.Repeat(" ", 70<<10)))
	check("cross-site", s.sendWith(s.viewer, http.MethodPatch, "/api/users/me", "{}", "Origin", "https://evil.example"))
	check("forged id", s.sendWith(s.viewer, http.MethodGet, "/api/auth/user", "", "X-Request-Id", "mine"))
}

func TestObserve_PanicIsAnErrorWithoutDetails(t *testing.T) {
	t.Parallel()
	deps := newDepsWithoutDatabase(t, "http://heartward.test")
	deps.Members = &members.Service{} // its methods panic without a pool
	deps.Ready = func(context.Context) error { panic("text of the panic") }
	server, err := api.New(deps)
	require.NoError(t, err)
	for _, path := range []string{"/api/settings/intention-tags", "/readyz"} {
		got := get(t, server.Fiber, path)
		require.Equal(t, http.StatusInternalServerError, got.status, path)
		require.Equal(t, "application/problem+json", got.contentType)
		require.JSONEq(t, fmt.Sprintf(`{"title": "Internal Server Error", "status": 500, "kind": "internal", "code": "internal",
			"detail": "Something went wrong on our side. Please try again.", "requestId": %q}`, got.header.Get("X-Request-Id")), got.body)
		require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"))
	}
	require.Equal(t, http.StatusOK, get(t, server.Fiber, "/healthz").status, "the server still responds")
}

// Writes to the connection directly, because the HTTP client does not send all of these
// requests.
func TestServer_RefusesMalformedRequests(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for name, row := range map[string]struct {
		request string
		status  int
	}{
		"a chunked body without its end": {"POST /api/likes HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: application/json\r\n" +
			"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", http.StatusLengthRequired},
		"a compressed body": {"POST /api/likes HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: application/json\r\n" +
			"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", http.StatusUnsupportedMediaType},
		"a Content-Length of 200 MB": {"POST /api/users/me/photos HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: multipart/form-data; boundary=x\r\n" +
			"Content-Length: 200000000\r\n\r\n-", http.StatusRequestEntityTooLarge},
		"a header of 100 kB": {"GET / HTTP/1.1\r\nHost: heartward.test\r\nX-Long: " + strings.Repeat("x", 100_000) + "\r\n\r\n",
			http.StatusRequestHeaderFieldsTooLarge},
		"not HTTP": {"hello secret words\r\n\r\n", http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := s.raw(t, row.request)
			require.Equal(t, row.status, got.status, got.body)
			require.Equal(t, "application/problem+json", got.contentType)
			require.Contains(t, got.body, got.header.Get("X-Request-Id"))
			require.NotEmpty(t, got.header.Get("Content-Security-Policy"))
			for _, inner := range []string{"secret words", "error when", "buffer"} {
				require.NotContains(t, got.body, inner)
			}
		})
	}
}

func (s *env) raw(t *testing.T, request string) httpResponse {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.address, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(testkit.Timeout)))
	go func() { _, _ = io.WriteString(conn, request) }() // the server may close before it has read all
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return httpResponse{response.StatusCode, response.Header.Get("Content-Type"), string(text), response.Header}
}

// addPhoto uploads a small picture and returns the photo.
func (s *env) addPhoto(cookie string) members.Photo {
	s.Helper()
	response := s.json(cookie, http.MethodPost, "/api/users/me/photos", map[string]any{"uploadId": s.addUpload(cookie, string(tinyPicture(s)))})
	require.Equal(s, http.StatusCreated, response.status, response.body)
	var photo members.Photo
	require.NoError(s, json.Unmarshal([]byte(response.body), &photo))
	return photo
}
