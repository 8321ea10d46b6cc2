package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/mail"
	"heartward/api/platform/web"
)

// unsubscribePath returns the path of the link in a digest for the member.
func (s *env) unsubscribePath(cookie string) string {
	s.Helper()
	return mail.UnsubscribeLink("", mail.Subscription{Member: uuid.MustParse(s.idOf(cookie)), Kind: mail.Digests})
}

// The link works without a session and a script. Only a POST changes something, because mail
// servers and link previews open links.
func TestUnsubscribe_NeedsNoSessionAndAPost(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	path := s.unsubscribePath(s.viewer)
	isOff := func() bool {
		return s.Count(`SELECT count(*) FROM digest_settings WHERE NOT wants_digest AND user_id = $1`, s.idOf(s.viewer)) == 1
	}
	page := s.send("", http.MethodGet, path, "", "")
	require.Equal(t, http.StatusOK, page.status)
	require.Equal(t, "text/html; charset=utf-8", page.contentType)
	require.Equal(t, "same-origin", page.header.Get("Referrer-Policy"))
	require.Equal(t, "no-store", page.header.Get("Cache-Control"))
	require.Contains(t, page.header.Get("Content-Security-Policy"), "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'")
	require.Contains(t, page.body, `<form method="post">`)
	s.send("", http.MethodHead, path, "", "")
	require.False(t, isOff())

	one := s.send("", http.MethodPost, path, "application/x-www-form-urlencoded", "List-Unsubscribe=One-Click")
	require.Equal(t, http.StatusOK, one.status, one.body)
	require.Contains(t, one.body, "The weekly digest is off")
	require.True(t, isOff())
	require.Contains(t, one.body, `<form method="post" action="`+path+`/undo">`)
	require.NotEqual(t, http.StatusOK, s.send("", http.MethodGet, path+"/undo", "", "").status)
	require.True(t, isOff())
	undone := s.send("", http.MethodPost, path+"/undo", "application/x-www-form-urlencoded", "")
	require.Contains(t, undone.body, "The weekly digest is on")
	require.False(t, isOff())
	for contentType, body := range map[string]string{
		"":                                  "",
		"application/x-www-form-urlencoded": "",
		"multipart/form-data; boundary=x":   "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n",
	} {
		s.Exec(`DELETE FROM notification_settings`)
		require.Equal(t, http.StatusOK, s.send("", http.MethodPost, path, contentType, body).status, contentType)
		require.True(t, isOff(), contentType)
	}
}

// Each row is a request that must change nothing.
func TestUnsubscribe_RefusesOtherRequests(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	path := s.unsubscribePath(s.viewer)
	const form = "application/x-www-form-urlencoded"
	for _, bad := range []string{
		path[:len(path)-1], path + "A", mail.UnsubscribePath + s.idOf(s.viewer), mail.UnsubscribePath + "x",
		mail.UnsubscribePath + web.Seal("another purpose", s.idOf(s.viewer)), mail.UnsubscribePath + strings.Repeat("A", 3000),
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			got := s.send(s.viewer, method, bad, form, "")
			require.Equal(t, http.StatusNotFound, got.status, "%s %.80s", method, bad)
			require.Contains(t, got.body, "This link is not valid")
		}
	}
	require.Equal(t, http.StatusNotFound, s.send("", http.MethodGet, mail.UnsubscribePath, "", "").status)
	cross := s.newRequest("", http.MethodPost, path, form, "")
	cross.Header.Set("Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, s.do(cross).status)
	require.Equal(t, http.StatusUnsupportedMediaType, s.send("", http.MethodPost, path, "text/plain", "List-Unsubscribe=One-Click").status)
	require.Equal(t, http.StatusRequestEntityTooLarge, s.send("", http.MethodPost, path, form, strings.Repeat("a", 65<<10)).status)
	require.Equal(t, http.StatusUnsupportedMediaType, s.send(s.viewer, http.MethodPost, "/api/likes", form, "a=b").status, "no other operation accepts a form")
	require.Zero(t, s.Count(`SELECT count(*) FROM digest_settings WHERE NOT wants_digest`))
}
