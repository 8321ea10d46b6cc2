package api_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// The mails contain sign-in codes. Each row is a way in which another client could reach
// the page of a server that has no mail server.
func TestMailbox_OpensOnlyLocallyWithTheToken(t *testing.T) {
	t.Parallel()
	for _, site := range []string{"http://heartward.test", "https://heartward.test"} {
		s := newEnvAt(t, site, pgtest.New(t))
		_, port, _ := strings.Cut(strings.TrimPrefix(s.address, "http://"), ":")
		read := func(path string, change func(*http.Request)) int {
			request := s.newRequest("", http.MethodGet, path, "", "")
			change(request)
			return s.do(request).status
		}
		unchanged := func(*http.Request) {}
		host := func(host string) func(*http.Request) { return func(r *http.Request) { r.Host = host } }
		for _, own := range []string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port} {
			require.Equal(t, http.StatusOK, read(s.mailbox, host(own)), "%s: %s", site, own)
		}
		for _, other := range []string{"heartward.test", "heartward.test:" + port, "127.0.0.1", "localhost", "127.0.0.1:1", "evil.example:" + port} {
			require.Equal(t, http.StatusNotFound, read(s.mailbox, host(other)), "%s: %s", site, other)
		}
		for _, path := range []string{"/dev/mailbox", "/dev/mailbox?format=json", "/dev/mailbox?token=", s.mailbox + "x", strings.TrimSuffix(s.mailbox, s.mailbox[len(s.mailbox)-1:])} {
			require.Equal(t, http.StatusNotFound, read(path, unchanged), "%s: %s", site, path)
		}
		remote := httptest.NewRequest(http.MethodGet, s.mailbox, nil) // the test transport is 0.0.0.0, port 0
		remote.Host = "localhost:0"
		response, err := s.server.Fiber.Test(remote)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusNotFound, response.StatusCode, "%s: another machine", site)
		for header, value := range map[string]string{
			"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Real-Ip": "203.0.113.9", "Via": "1.1 proxy",
		} {
			require.Equal(t, http.StatusNotFound, read(s.mailbox, func(r *http.Request) { r.Header.Set(header, value) }), "%s: %s", site, header)
		}
	}
}

// The page shows a mail in a frame without rights, finds words, and tells no ids of files that are no mails.
func TestMailbox_ShowsAndFindsMails(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for _, email := range []string{"first@example.test", "second@example.test"} {
		require.Equal(t, http.StatusAccepted, s.json("", http.MethodPost, "/api/auth/code", map[string]any{"email": email}).status)
	}
	page := s.send("", http.MethodGet, s.mailbox, "", "")
	require.Contains(t, page.body, "first@example.test")
	require.Contains(t, page.body, "second@example.test")
	require.Contains(t, page.body, `sandbox="allow-popups allow-popups-to-escape-sandbox"`)
	for words, found := range map[string]bool{"FIRST@example": true, "Welcome": true, "no such words": false} {
		got := s.send("", http.MethodGet, s.mailbox+"&words="+url.QueryEscape(words), "", "")
		require.Equal(t, found, strings.Contains(got.body, "to first@example.test"), words)
		require.Equal(t, found && words == "Welcome", strings.Contains(got.body, "to second@example.test"), words)
	}
	source := regexp.MustCompile(`src="([^"]+)"`).FindStringSubmatch(page.body)
	require.NotNil(t, source)
	part := s.send("", http.MethodGet, html.UnescapeString(source[1]), "", "")
	require.Equal(t, http.StatusOK, part.status)
	require.Equal(t, "text/html; charset=utf-8", part.contentType)
	require.Contains(t, part.body, "Enter this code")
	require.Equal(t, "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "+
		"form-action 'none'; frame-ancestors 'self'", part.header.Get("Content-Security-Policy"))
	require.Equal(t, "no-store", part.header.Get("Cache-Control"))
	for _, bad := range []string{"x", "../secret", "00000000-0000-4000-8000-000000000000"} {
		require.Equal(t, http.StatusNotFound, s.send("", http.MethodGet, s.mailbox+"&part="+url.QueryEscape(bad), "", "").status, bad)
	}
}
