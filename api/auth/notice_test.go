package auth_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
)

var noticeLink = regexp.MustCompile(`https://heartward\.test/not-me#([\w-]{43})\n`)

// sendNotices runs the enqueued jobs and returns the mails of their notices.
func (w *env) sendNotices(email string) []mail.Message {
	w.Helper()
	before := len(w.outbox.to(email))
	for _, args := range takeJobs[auth.NoticeArgs](w, "security_notice") {
		require.NoError(w, w.SendNotice(w.Context(), args))
	}
	return w.outbox.to(email)[before:]
}

func (w *env) disown(token string) int {
	return w.browser().call("POST", "/api/auth/disown", `{"token":"`+token+`"}`).Code
}

// A session is shared if another member has signed in in the browser before, also if that member
// has signed out.
func TestSignIn_RecognisesSharedBrowser(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	laptop, phone := w.browser(), w.browser()
	shared := func() []bool {
		return testkit.SelectAll[bool](t, w.Pool, `SELECT is_shared FROM sessions ORDER BY created_at`)
	}
	laptop.signUp("ada@example.test")
	require.Equal(t, 204, laptop.call("POST", "/api/auth/logout", "").Code)
	phone.signUp("ben@example.test")
	laptop.signInByCode("ada@example.test")
	require.Equal(t, []bool{false, false}, shared())
	laptop.signInByCode("ben@example.test")
	require.Equal(t, []bool{false, true}, shared(), "ada's session is replaced")
	laptop.signInByCode("ada@example.test")
	phone.signInByCode("ben@example.test")
	require.Equal(t, []bool{true, false}, shared())
}

func TestSignIn_NotifiesOfNewBrowser(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, attacker := w.browser(), w.browser()
	phone.signUp("ada@example.test")
	phone.signInByCode("ada@example.test")
	require.Empty(t, w.sendNotices("ada@example.test"), "the browser of the sign-up is known")

	attacker.headers["User-Agent"] = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 <b>Your bank</b>"
	attacker.headers["X-Place"] = "Amsterdam"
	before := time.Now()
	attacker.signInByCode("ada@example.test")
	after := time.Now()
	devices := decode[[]auth.Session](t, phone.call("GET", "/api/auth/sessions", "").Body)
	require.Equal(t, []string{"Amsterdam", ""}, []string{devices[0].Place, devices[1].Place})
	mails := w.sendNotices("ada@example.test")
	require.Len(t, mails, 1)
	require.Equal(t, "A new sign-in to your Heartward account", mails[0].Subject)
	require.Contains(t, mails[0].Text, "Hi Ada,\n")
	_, at, _ := strings.Cut(mails[0].Text, "\n    Chrome on Windows, near Amsterdam\n    ")
	at, _, _ = strings.Cut(at, "\n")
	when, err := time.Parse("Monday, January 2, 2006 at 3:04 PM UTC", at)
	require.NoError(t, err)
	require.WithinRange(t, when, before.Truncate(time.Minute), after)
	require.NotContains(t, mails[0].Text, "bank")
	token := noticeLink.FindStringSubmatch(mails[0].Text)[1]
	require.Zero(t, w.Count(`SELECT count(*) FROM security_notices n WHERE n::text LIKE '%' || $1 || '%'`, token), "only a hash is stored")

	require.Equal(t, 404, w.disown(strings.Repeat("A", 43)))
	require.Equal(t, 422, w.disown(""))
	require.Equal(t, 422, w.disown(strings.Repeat("A", 101)))
	require.True(t, attacker.signedIn())
	require.Equal(t, 200, w.disown(token))
	require.False(t, attacker.signedIn())
	require.True(t, phone.signedIn())
	require.Len(t, w.events.Subjects(), 2, "the replaced session of the phone and that of the attacker")
	require.Equal(t, 404, w.disown(token), "the token is valid once")

	attacker.signInByCode("ada@example.test")
	require.Len(t, w.sendNotices("ada@example.test"), 1, "the browser is a new one again")
}

// A stranger who knows the password signs in twice in the same browser.
func TestDisown_SignInEndsTheBrowserAndThePassword(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, stranger := w.browser(), w.browser()
	phone.signUp("ada@example.test")
	require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	w.sendNotices("ada@example.test")
	const login = `{"email":"ada@example.test","password":"first password 1"}`
	require.Equal(t, 200, stranger.call("POST", "/api/auth/login", login).Code)
	second := w.browser()
	second.cookies["bid"] = stranger.cookies["bid"]
	require.Equal(t, 200, second.call("POST", "/api/auth/login", login).Code)
	mails := w.sendNotices("ada@example.test")
	require.Len(t, mails, 1, "the second sign-in is in a known browser")
	require.Contains(t, mails[0].Text, "removes your\npassword")

	before := len(w.events.Subjects())
	resp := w.browser().call("POST", "/api/auth/disown", `{"token":"`+noticeLink.FindStringSubmatch(mails[0].Text)[1]+`"}`)
	require.Equal(t, auth.Disowned{PasswordRemoved: true}, decode[auth.Disowned](t, resp.Body))
	require.False(t, stranger.signedIn())
	require.False(t, second.signedIn())
	require.True(t, phone.signedIn(), "other devices stay signed in")
	require.Len(t, w.events.Subjects()[before:], 2, "the sockets of both sessions are closed")
	require.Equal(t, 401, stranger.call("POST", "/api/auth/login", login).Code)
	require.Equal(t, 401, phone.call("POST", "/api/auth/login", login).Code, "the password works in no browser")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM rate_limits WHERE key LIKE 'passwords-address:%'`), "the stranger's browser has no budget of its own")

	phone.signInByCode("ada@example.test")
	require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"other password 2"}`).Code)
	stranger.signInByCode("ada@example.test")
	require.Len(t, w.sendNotices("ada@example.test"), 2, "one of the password and one of the sign-in")
}

// The stranger sets a password, and the member opens the link about the sign-in.
func TestDisown_SignInRemovesPasswordSetInItsBrowser(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, stranger := w.browser(), w.browser()
	phone.signUp("ada@example.test")
	stranger.signInByCode("ada@example.test")
	token := noticeLink.FindStringSubmatch(w.sendNotices("ada@example.test")[0].Text)[1]
	require.Equal(t, 200, stranger.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	require.Equal(t, 200, w.disown(token))
	require.False(t, stranger.signedIn())
	require.Equal(t, 401, stranger.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"first password 1"}`).Code)
}

// The member has set another password since, and opens the link about the sign-in afterwards.
func TestDisown_KeepsPasswordSetLaterElsewhere(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, stranger := w.browser(), w.browser()
	phone.signUp("ada@example.test")
	stranger.signInByCode("ada@example.test")
	token := noticeLink.FindStringSubmatch(w.sendNotices("ada@example.test")[0].Text)[1]
	require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	resp := w.browser().call("POST", "/api/auth/disown", `{"token":"`+token+`"}`)
	require.Equal(t, auth.Disowned{}, decode[auth.Disowned](t, resp.Body))
	require.False(t, stranger.signedIn())
	require.Equal(t, 200, phone.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"first password 1"}`).Code)
}

func TestSetPassword_NotifiesAndCanBeUndone(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, attacker := w.browser(), w.browser()
	phone.signUp("ada@example.test")
	attacker.signInByCode("ada@example.test")
	w.sendNotices("ada@example.test")
	require.Equal(t, 200, attacker.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	require.Equal(t, 200, attacker.call("POST", "/api/auth/password", `{"password":"second password 2"}`).Code)
	require.False(t, phone.signedIn())
	mails := w.sendNotices("ada@example.test")
	require.Len(t, mails, 2)
	require.Equal(t, "A new password for your Heartward account", mails[1].Subject)
	tokens := []string{noticeLink.FindStringSubmatch(mails[0].Text)[1], noticeLink.FindStringSubmatch(mails[1].Text)[1]}

	const login = `{"email":"ada@example.test","password":"second password 2"}`
	second := w.browser()
	require.Equal(t, 200, second.call("POST", "/api/auth/login", login).Code)
	require.Equal(t, 200, w.disown(tokens[1]))
	require.False(t, attacker.signedIn())
	require.False(t, second.signedIn(), "a session begun with that password")
	require.Equal(t, 401, w.browser().call("POST", "/api/auth/login", login).Code)

	phone.signInByCode("ada@example.test")
	require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"third password 3"}`).Code)
	require.Equal(t, 200, w.disown(tokens[0]))
	require.True(t, phone.signedIn(), "the link of an earlier password removes no later one")
	require.Equal(t, 200, w.browser().call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"third password 3"}`).Code)
}

func TestNotice_ExpiresAfterSevenDays(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, laptop := w.browser(), w.browser()
	phone.signUp("ada@example.test")
	laptop.signInByCode("ada@example.test")
	token := noticeLink.FindStringSubmatch(w.sendNotices("ada@example.test")[0].Text)[1]
	w.Exec(`UPDATE security_notices SET created_at = now() - interval '7 days'`)
	require.Equal(t, 404, w.disown(token))
	require.True(t, laptop.signedIn())
}

// A retry after an error sends an identical mail.
func TestSendNotice_RetrySendsTheSameMail(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	phone.signUp("ada@example.test")
	w.browser().signInByCode("ada@example.test")
	id := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM security_notices`)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'security_notice' AND args = jsonb_build_object('noticeId', $1::text)`, id.String()))
	args := auth.NoticeArgs{NoticeID: id}
	w.outbox.failing = true
	require.Error(t, w.SendNotice(t.Context(), args), "the error makes the job run again")
	w.outbox.failing = false
	before := len(w.outbox.to("ada@example.test"))
	require.NoError(t, w.SendNotice(t.Context(), args))
	require.NoError(t, w.SendNotice(t.Context(), args))
	mails := w.outbox.to("ada@example.test")[before:]
	require.Equal(t, mails[0], mails[1])
	require.Equal(t, "notice-"+id.String(), mails[0].ID)
	w.Exec(`DELETE FROM users`)
	require.NoError(t, w.SendNotice(t.Context(), args))
	require.Len(t, w.outbox.to("ada@example.test"), before+2, "the member was deleted")
}
