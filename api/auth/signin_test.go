package auth_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestSignIn_DoesNotRevealAccounts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.browser().signUp("ada@example.test")
	b := w.browser()
	unknown := b.code("nobody@example.test")
	var first string
	for _, body := range []string{
		`{"email":"ada@example.test","code":"1"}`,
		`{"email":"ada@example.test","password":"wrong password"}`, // an account without a password
		`{"email":"ada@example.test"}`,
		`{"email":"nobody@example.test","code":"1"}`,
		`{"email":"nobody@example.test","code":"` + unknown + `"}`,
		`{"email":"nobody@example.test","password":"wrong password"}`,
	} {
		resp := b.call("POST", "/api/auth/login", body)
		require.Equal(t, 401, resp.Code, body)
		if first == "" {
			first = resp.Body.String()
		}
		require.Equal(t, first, resp.Body.String(), body)
		require.Contains(t, first, "Invalid credentials. Please try again.")
	}
	require.Equal(t, 201, b.call("POST", "/api/users", profile("nobody@example.test", unknown)).Code, "the code was not used")
}

func TestSignInByPassword_DoesSameWorkForUnknownAddress(t *testing.T) {
	t.Parallel()
	tracer := &statements{}
	w := newTracedEnv(t, tracer)
	b := w.browser()
	b.signUp("ada@example.test")
	require.Equal(t, 200, b.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	w.browser().signUp("ben@example.test") // has no password
	checks := w.CountHashChecks()
	work := func(email string) (sql []string, hashes int32) {
		tracer.drain()
		before := checks.Load()
		_, err := w.SignInByPassword(t.Context(), auth.Browser{Client: "192.0.2.4"}, email, "wrong password")
		testkit.RequireKind(t, err, fault.Unauthenticated)
		return tracer.drain(), checks.Load() - before
	}
	queries, hashes := work("ada@example.test")
	require.EqualValues(t, 1, hashes)
	require.NotEmpty(t, queries)
	for _, email := range []string{"ben@example.test", "unknown@example.test"} {
		sql, hashCount := work(email)
		require.Equal(t, queries, sql, email)
		require.Equal(t, hashes, hashCount, email)
	}
}

func TestSendCode_DoesSameWorkForUnknownAddress(t *testing.T) {
	t.Parallel()
	tracer := &statements{}
	w := newTracedEnv(t, tracer)
	w.browser().signUp("ada@example.test")
	work := func(email string) []string {
		tracer.drain()
		require.NoError(t, w.SendCode(t.Context(), auth.Browser{ID: "stranger", Client: "192.0.2.4"}, email))
		return tracer.drain()
	}
	require.Equal(t, work("ada@example.test"), work("unknown@example.test"))
	require.Len(t, w.outbox.to("unknown@example.test"), 1)
}

// Nothing is sent within a minute of the last mail, but that is known per browser: a stranger who asks after the
// member makes the server do the same work, with a mail, as for an address for which nobody asked.
func TestSendCode_DoesSameWorkAfterRequestOfAnotherBrowser(t *testing.T) {
	t.Parallel()
	tracer := &statements{}
	w := newTracedEnv(t, tracer)
	work := func(browser, email string) (sql []string, mails int) {
		tracer.drain()
		before := len(w.outbox.to(email))
		require.NoError(t, w.SendCode(t.Context(), auth.Browser{ID: browser, Client: "192.0.2.4"}, email))
		return tracer.drain(), len(w.outbox.to(email)) - before
	}
	_, mails := work("of the member", "ada@example.test")
	require.Equal(t, 1, mails)
	_, mails = work("of the member", "ada@example.test")
	require.Zero(t, mails, "not due in this browser")
	after, mails := work("of a stranger", "ada@example.test")
	require.Equal(t, 1, mails)
	never, mails := work("of a stranger", "ben@example.test")
	require.Equal(t, 1, mails)
	require.Equal(t, never, after)
}

// statements is a tracer that records the SQL of all statements.
type statements struct {
	mu  sync.Mutex
	sql []string
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sql = append(s.sql, data.SQL)
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// drain returns the statements since the last call.
func (s *statements) drain() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sql := s.sql
	s.sql = nil
	return sql
}

// A suspended member needs the same proof to sign in as before, and gets a session for a few
// operations only, which is a full one when the suspension ends.
func TestSignInByCode_RestrictsSessionOfSuspendedMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.Exec(`UPDATE users SET profile_status = 'suspended'`)
	sessions := func() int { return b.call("GET", "/api/auth/sessions", "").Code }
	require.Equal(t, 403, sessions(), "the session is restricted immediately")
	code := b.code("ada@example.test")
	require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"1"}`).Code)
	resp := b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`)
	require.Equal(t, 200, resp.Code)
	require.Equal(t, "suspended", decode[members.Me](t, resp.Body).ProfileStatus)
	for _, status := range []string{"suspended", "under_review"} {
		w.Exec(`UPDATE users SET profile_status = $1`, status)
		require.Equal(t, "account_restricted", codeOf(t, b.call("GET", "/api/auth/sessions", "")))
		require.Equal(t, 200, b.call("GET", "/api/auth/user", "").Code)
	}
	w.Exec(`UPDATE users SET is_admin = true`)
	require.Equal(t, 200, sessions(), "a report of an admin does not lock the admin out")
	w.Exec(`UPDATE users SET is_admin = false, profile_status = 'active'`)
	require.Equal(t, 200, sessions())
}

// A member who has asked for the deletion of the account signs in to a restricted session, until the deletion is due. It
// is restricted for an admin too.
func TestSignIn_RestrictsSessionOfLeavingMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	for _, status := range []string{"leaving", "suspended"} {
		w.Exec(`DELETE FROM sessions`)
		w.Exec(`DELETE FROM login_codes`)
		w.Exec(`UPDATE users SET profile_status = $1, deletion_due_at = now() + interval '1 day'`, status)
		body := `{"email":"ada@example.test","code":"` + b.code("ada@example.test") + `"}`
		resp := b.call("POST", "/api/auth/login", body)
		require.Equal(t, 200, resp.Code)
		me := decode[members.Me](t, resp.Body)
		require.Equal(t, status, me.ProfileStatus)
		require.NotNil(t, me.DeletionDueAt)
		require.Equal(t, "account_restricted", codeOf(t, b.call("GET", "/api/auth/sessions", "")))
		require.Equal(t, 200, b.call("GET", "/api/auth/factors", "").Code)
	}
	w.Exec(`UPDATE users SET is_admin = true, profile_status = 'leaving'`)
	require.Equal(t, "account_restricted", codeOf(t, b.call("GET", "/api/auth/sessions", "")))

	w.Exec(`UPDATE users SET deletion_due_at = now()`)
	require.False(t, b.signedIn())
	w.Exec(`DELETE FROM login_codes`)
	resp := b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+b.code("ada@example.test")+`"}`)
	require.Equal(t, 403, resp.Code)
	require.Contains(t, resp.Body.String(), "The time to keep this account is over")
	require.False(t, b.signedIn())
}

func TestSignIn_IsLimitedPerBrowser(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, auth.Config{RateLimitScale: 1})
	b := w.browser()
	b.cookies["bid"] = "one browser"
	for i := range 30 {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", fmt.Sprintf(`{"email":"a%d@example.test","code":"1"}`, i)).Code)
	}
	resp := b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`)
	require.Equal(t, 429, resp.Code)
	require.NotEmpty(t, resp.Header().Get("Retry-After"))
	require.Equal(t, 401, w.browser().call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code, "another browser of the network")
}

func TestSignIn_IsLimitedPerNetwork(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, auth.Config{RateLimitScale: 0.1})
	for range 40 {
		require.Equal(t, 401, w.browser().call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code)
	}
	require.Equal(t, 429, w.browser().call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code)
}

// An attacker with a /48 has 65,536 networks.
func TestSignIn_IsLimitedPerSiteOfIPv6(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, auth.Config{RateLimitScale: 0.01}) // 4 of a network, 40 of a site
	try := func(site, network int) int {
		b := w.browser()
		b.headers = map[string]string{"X-Client": fmt.Sprintf("2001:db8:%d:%d::/64", site, network)}
		return b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code
	}
	for network := range 40 {
		require.Equal(t, 401, try(1, network))
	}
	require.Equal(t, 429, try(1, 40))
	require.Equal(t, 401, try(2, 40), "another site")
}

func TestSetPassword_AllowsSignInByPassword(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	for _, refused := range []string{"short", "password", "PassWord", "trustno1", "iloveyou", strings.Repeat("x", 201)} {
		require.NotEqual(t, 200, b.call("POST", "/api/auth/password", `{"password":"`+refused+`"}`).Code, refused)
	}
	before := b.cookies["sid"]
	resp := b.call("POST", "/api/auth/password", `{"password":"grüne Wiese 7"}`)
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	require.True(t, decode[members.Me](t, resp.Body).HasPassword)
	require.NotEqual(t, before, b.cookies["sid"], "the token is replaced")
	require.True(t, b.signedIn())
	other := w.browser()
	require.Equal(t, 401, other.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"grüne Wiese 8"}`).Code)
	require.Equal(t, 200, other.call("POST", "/api/auth/login", `{"email":"ADA@example.test","password":"gru\u0308ne Wiese 7"}`).Code,
		"passwords are normalised to NFKC")
}

func TestSetPassword_RequiresRecentProof(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b, other := w.browser(), w.browser()
	b.signUp("ada@example.test")
	require.Equal(t, 200, b.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	require.Equal(t, 200, other.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"first password 1"}`).Code)
	w.expireProofs()
	set := func() int { return b.call("POST", "/api/auth/password", `{"password":"second password 2"}`).Code }
	require.Equal(t, 403, set())
	for _, wrong := range []string{`{}`, `{"password":"wrong password"}`, `{"code":"1"}`, `{"code":"1","password":"first password 1"}`} {
		require.Equal(t, 403, b.call("POST", "/api/auth/proof", wrong).Code, wrong)
		require.Equal(t, 403, set())
	}
	require.True(t, other.signedIn())
	require.Equal(t, 204, b.call("POST", "/api/auth/proof", `{"password":"first password 1"}`).Code)
	require.Equal(t, 200, set())
	require.False(t, other.signedIn(), "a new password ends the other sessions")
	require.NotEmpty(t, w.events.Subjects())
	require.Equal(t, 200, set(), "a proof within 10 minutes suffices")
	w.expireProofs()
	code := b.code("ada@example.test")
	require.Equal(t, 204, b.call("POST", "/api/auth/proof", `{"code":"`+code+`"}`).Code)
	require.Equal(t, 200, set())
	require.Equal(t, 403, b.call("POST", "/api/auth/proof", `{"code":"`+code+`"}`).Code, "a code is valid once")
	require.True(t, b.signedIn())
}

func TestSignInByPassword_LimitsWrongPasswords(t *testing.T) {
	t.Parallel()
	start := time.Now()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.setCheapPassword("first password 1")
	signIn := func(network, password string) int {
		stranger := w.browser()
		stranger.headers["X-Client"] = network
		return stranger.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"`+password+`"}`).Code
	}
	for range 19 {
		require.Equal(t, 401, signIn("192.0.2.1", "wrong password"))
	}
	require.Equal(t, 200, signIn("192.0.2.1", "first password 1"), "success resets the network's budget")
	w.setCheapPassword("first password 1")
	for range 20 {
		require.Equal(t, 401, signIn("192.0.2.1", "wrong password"))
	}
	require.Equal(t, 429, signIn("192.0.2.1", "first password 1"), "a network allows 20 an hour")
	require.Equal(t, 200, signIn("192.0.2.2", "first password 1"), "another network")
	w.setCheapPassword("first password 1")
	attempts := 39
	for network := 3; signIn(fmt.Sprintf("198.51.100.%d", network), "wrong password") == 401; attempts++ {
		require.LessOrEqual(t, attempts, 100+int(time.Since(start)/(36*time.Second)), "the address allows 100 an hour to unknown browsers together")
		if attempts%15 == 0 {
			network++
		}
	}
	require.GreaterOrEqual(t, attempts, 100, "not fewer than the budget")
	require.Equal(t, 429, signIn("203.0.113.1", "first password 1"))
	delete(b.cookies, "sid")
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"first password 1"}`).Code, "the member's own browser")
}

func TestSignInByPassword_KnownBrowserHasSeparateLimit(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.setCheapPassword("first password 1")
	for range 20 {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"wrong password"}`).Code)
	}
	require.Equal(t, 429, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"first password 1"}`).Code)
}

// An attacker signs in with the old password, or from the old mailbox, while the member changes it
// and thereby ends all other sessions. The sign-in was checked before the change and would store its
// session after it.
func TestSignIn_RefusedIfTheAccountChangesMeanwhile(t *testing.T) {
	t.Parallel()
	current, err := auth.HashPassword(t.Context(), "old password 1")
	require.NoError(t, err)
	next, err := auth.HashPassword(t.Context(), "new password 2")
	require.NoError(t, err)
	outdated, err := argon2id.CreateHash("old password 1", &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	require.NoError(t, err)
	for name, c := range map[string]struct{ hash, change, body string }{
		"the password":                     {current, `UPDATE users SET password_hash = '` + next + `'`, `"password":"old password 1"`},
		"a password with an outdated hash": {outdated, `UPDATE users SET password_hash = '` + next + `'`, `"password":"old password 1"`},
		"the address":                      {current, `UPDATE users SET email = 'moved@example.test'`, `"code":"CODE"`},
	} {
		w := newEnv(t)
		w.browser().signUp("ada@example.test")
		w.Exec(`UPDATE users SET password_hash = $1`, c.hash)
		attacker := w.browser()
		w.expireResendDelay()
		body := `{"email":"ada@example.test",` + strings.Replace(c.body, "CODE", attacker.code("ada@example.test"), 1) + `}`
		sessions := w.Count(`SELECT count(*) FROM sessions`)
		tx, err := w.Pool.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), `SELECT FROM users FOR NO KEY UPDATE`)
		require.NoError(t, err)
		done := make(chan int)
		go func() { done <- attacker.call("POST", "/api/auth/login", body).Code }()
		w.awaitLock(name)
		_, err = tx.Exec(t.Context(), c.change)
		require.NoError(t, err)
		require.NoError(t, tx.Commit(t.Context()))
		require.Equal(t, 401, <-done, name)
		require.Equal(t, sessions, w.Count(`SELECT count(*) FROM sessions`), name)
		require.Equal(t, name != "the address", w.Count(`SELECT count(*) FROM users WHERE password_hash = $1`, next) == 1, "%s: the new one stays", name)
	}
}

// setCheapPassword gives all members a password whose hash is cheap to verify. A
// sign-in replaces the hash.
func (w *env) setCheapPassword(password string) {
	w.Helper()
	hash, err := argon2id.CreateHash(password, &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	require.NoError(w, err)
	w.Exec(`UPDATE users SET password_hash = $1`, hash)
}

func TestSignInByPassword_ReplacesOutdatedHash(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.setCheapPassword("first password 1")
	body := `{"email":"ada@example.test","password":"first password 1"}`
	require.Equal(t, 200, b.call("POST", "/api/auth/login", body).Code)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'`))
	require.Equal(t, 200, b.call("POST", "/api/auth/login", body).Code)
}

func TestSignInByPassword_RefusesDemoMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.setCheapPassword("first password 1")
	w.Exec(`UPDATE users SET is_demo = true`)
	const login = `{"email":"ada@example.test","password":"first password 1"}`
	wrong := w.browser().call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"wrong password"}`)
	refused := w.browser().call("POST", "/api/auth/login", login)
	require.Equal(t, 401, refused.Code)
	require.Equal(t, wrong.Body.String(), refused.Body.String(), "the response does not reveal that the password is right")
	require.Equal(t, 403, b.call("POST", "/api/auth/proof", `{"password":"first password 1"}`).Code)
	w.serve(w.Pool, auth.Config{RateLimitScale: 100, DemoPasswords: true})
	require.Equal(t, 200, w.browser().call("POST", "/api/auth/login", login).Code)
}
