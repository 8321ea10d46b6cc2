package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/obs"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// logBuffer is a log that is read while the server writes to it.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(line)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// captureLog writes the log of the process to the returned buffer. Tests that call it must not
// be parallel.
func captureLog(t *testing.T, level string) *logBuffer {
	t.Helper()
	log := &logBuffer{}
	testkit.CaptureLog(t, obs.NewLogger(log, level, web.RequestID).Handler())
	return log
}

// Calls the server as members, attackers and admins do, and reads its log.
func TestSecurityLog_HasEveryEventWithoutSecrets(t *testing.T) {
	log := captureLog(t, "debug")
	s := newEnv(t)
	member := s.idOf(s.viewer)
	const email, password = "viewer.secret@example.test", "grüne Wiese 7"
	body := fmt.Sprintf
	call := func(cookie, method, path, body string, status int) httpResponse {
		t.Helper()
		got := s.send(cookie, method, path, "application/json", body)
		require.Equal(t, status, got.status, "%s %s: %s", method, path, got.body)
		return got
	}
	event := func(pattern string) {
		t.Helper()
		require.Regexp(t, `(?m)^.*level=INFO msg=security event=`+pattern+` request=[0-9a-f-]{36}$`, log.String())
	}
	const client, address, id = `client=127\.0\.0\.0/24`, `address=[0-9a-f]{16}`, `[0-9a-f-]{36}`
	event(`code outcome=ok ` + client + ` ` + address)
	event(`sign-up outcome=ok ` + client + ` method=code ` + address + ` member=` + member)

	s.viewer = cookieOf(call(s.viewer, http.MethodPost, "/api/auth/password", body(`{"password":%q}`, password), 200))
	event(`password outcome=ok ` + client + ` actor=` + member + ` session=` + id)
	call(s.viewer, http.MethodPost, "/api/auth/proof", `{"password":"wrong password"}`, 403)
	event(`proof outcome=forbidden ` + client + ` actor=` + member + ` session=` + id + ` method=password`)
	call("", http.MethodPost, "/api/auth/disown", `{"token":"secret-token"}`, 404)
	event(`disown outcome=not_found ` + client)
	for range 20 {
		call("", http.MethodPost, "/api/auth/login", body(`{"email":%q,"password":"wrong password"}`, email), 401)
	}
	event(`sign-in outcome=unauthenticated ` + client + ` method=password ` + address)
	call("", http.MethodPost, "/api/auth/login", body(`{"email":%q,"password":"wrong password"}`, email), 429)
	event(`limit outcome=rate_limited ` + client + ` operation=sign-in`)
	known := cookieOf(call(s.viewer, http.MethodPost, "/api/auth/login", body(`{"email":%q,"password":%q}`, email, password), 200))
	event(`sign-in outcome=ok ` + client + `.* method=password ` + address + ` member=` + member)

	call(known, http.MethodGet, "/api/admin/flags", "", 403)
	event(`forbidden outcome=forbidden ` + client + ` actor=` + member + ` session=` + id + ` operation=\S+`)
	require.Equal(t, 403, s.sendWith(known, http.MethodPost, "/api/auth/logout", "{}", "Origin", "https://evil.example").status)
	event(`cross-site outcome=forbidden ` + client + ` method=POST path=/api/auth/logout`)

	s.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, member)
	call(known, http.MethodPut, "/api/admin/flags/"+uuid.NewString(), `{"decision":"dismiss","reason":"private reason"}`, 404)
	event(`admin outcome=not_found ` + client + ` actor=` + member + ` session=` + id + ` operation=\S+`)
	call(known, http.MethodGet, "/api/admin/flags", "", 200)
	event(`admin outcome=ok ` + client + ` actor=` + member + ` session=` + id + ` operation=\S+`)
	call(known, http.MethodPost, "/api/auth/logout", "{}", 204)
	event(`sign-out outcome=ok ` + client + ` actor=` + member + ` session=` + id + ` ended=` + id)

	text := log.String()
	secrets := []string{password, "wrong password", "secret-token", "private reason", "private text of ann", "127.0.0.1", "sid="}
	for _, email := range s.emails {
		mails, err := s.mails.List(email, 10)
		require.NoError(t, err)
		require.NotEmpty(t, mails)
		secrets = append(secrets, email, strings.SplitN(email, "@", 2)[0])
		secrets = append(secrets, regexp.MustCompile(`\b\d{8}\b`).FindString(mails[0].Text))
	}
	for _, secret := range secrets {
		require.NotContains(t, text, secret)
	}
}
