package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// Without a mail server, a public server must not show its mails to other machines,
// because they contain sign-in codes.
func TestMailbox_HiddenOnPublicServer(t *testing.T) {
	t.Parallel()
	for site, viaProxy := range map[string]int{"http://heartward.test": http.StatusOK, "https://heartward.test": http.StatusNotFound} {
		s := newEnvAt(t, site, pgtest.New(t))
		read := func(header, value string) int {
			request := s.newRequest("", http.MethodGet, "/dev/mailbox", "", "")
			request.Header.Set(header, value)
			return s.do(request).status
		}
		require.Equal(t, http.StatusOK, read("Accept", "application/json"), "%s: a request from the same machine", site)
		for header, value := range map[string]string{
			"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Real-Ip": "203.0.113.9", "Via": "1.1 proxy",
		} {
			require.Equal(t, viaProxy, read(header, value), "%s: %s", site, header)
		}
	}
}
