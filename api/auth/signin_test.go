package auth_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

func TestSignUp_CreatesAccountAndSession(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	require.False(t, b.signedIn())
	resp := b.call("POST", "/api/users", profile(" Ada@Example.test", b.code("ada@example.test")))
	require.Equal(t, 201, resp.Code, "%s", resp.Body)
	me := decode[members.Me](t, resp.Body)
	require.Equal(t, "ada@example.test", me.Email)
	require.Equal(t, 30, me.Age)
	require.True(t, b.signedIn())
	token := b.cookies["sid"]
	require.Len(t, token, 43, "the token has 256 bits")
	require.Equal(t, 0, w.count(`SELECT count(*) FROM sessions WHERE token_hash = $1`, []byte(token)))
	require.Equal(t, "Test", decode[[]auth.Session](t, b.call("GET", "/api/auth/sessions", "").Body)[0].UserAgent)
}

// An unknown referral code is ignored.
func TestSignUp_StoresReferrer(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.browser()
	host := owner.signUp("host@example.test")
	var code string
	require.NoError(t, w.pool.QueryRow(t.Context(), `SELECT referral_code FROM users WHERE id = $1`, host).Scan(&code))
	for i, row := range []struct {
		ref   string
		known bool
	}{{code, true}, {strings.ToLower(" " + code), true}, {"", false}, {"NOBODYSCODE", false}, {"%", false}, {`a\u0000b`, false}, {host.String()[:20], false}} {
		email := fmt.Sprintf("guest%d@example.test", i)
		b := w.browser()
		body := strings.Replace(profile(email, b.code(email)), `"honorCode":true`, `"honorCode":true,"ref":"`+row.ref+`"`, 1)
		resp := b.call("POST", "/api/users", body)
		require.Equal(t, 201, resp.Code, "%q: %s", row.ref, resp.Body)
		require.Equal(t, row.known, w.count(`SELECT count(*) FROM users WHERE email = $1 AND referred_by = $2`, email, host) == 1, row.ref)
	}
	require.Equal(t, 2, decode[members.Me](t, owner.call("GET", "/api/auth/user", "").Body).Counts.Referrals)
}

func TestSignUp_ErrorsContainField(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	code := b.code("ada@example.test")
	good := profile("ada@example.test", code)
	for field, body := range map[string]string{
		"age":           strings.Replace(good, `"age":30`, `"age":17`, 1),
		"birthDate":     strings.Replace(good, `"age":30`, `"birthDate":"`+time.Now().AddDate(-17, 0, 0).Format(time.DateOnly)+`"`, 1),
		"honorCode":     strings.Replace(good, `"honorCode":true`, `"honorCode":false`, 1),
		"code":          strings.Replace(good, code, "1", 1),
		"email":         strings.Replace(good, "ada@example.test", "ada", 1),
		"fullName":      strings.Replace(good, "Ada Example", " ", 1),
		"intentionTags": strings.Replace(good, "Healing", "Conquest", 1),
		"city":          strings.Replace(good, "Portland", strings.Repeat("x", 101), 1),
		"bio":           strings.Replace(good, `"Hi"`, `7`, 1),
	} {
		resp := b.call("POST", "/api/users", body)
		require.Equal(t, 422, resp.Code, "%s: %s", field, resp.Body)
		require.Equal(t, "body."+field, decode[web.Problem](t, resp.Body).Errors[0].Location)
	}
	resp := b.call("POST", "/api/users", strings.Replace(good, `,"honorCode":true`, "", 1))
	require.Equal(t, "You must accept the Honor Code", decode[web.Problem](t, resp.Body).Detail)
	require.Equal(t, 422, b.call("POST", "/api/users", strings.Replace(good, `"age":30,`, "", 1)).Code, "neither age nor birth date")
	require.Equal(t, 0, w.count(`SELECT count(*) FROM users`))
	require.Equal(t, 201, b.call("POST", "/api/users", good).Code, "the failed attempts have not used the code")
}

func TestSignUp_RevealsAccountOnlyWithCode(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.browser().signUp("ada@example.test")
	b := w.browser()
	code := b.code("ada@example.test")
	wrong := b.call("POST", "/api/users", profile("ada@example.test", "1"))
	require.Equal(t, 422, wrong.Code)
	require.NotContains(t, wrong.Body.String(), "account")
	resp := b.call("POST", "/api/users", profile("ada@example.test", code))
	require.Equal(t, 409, resp.Code)
	require.Equal(t, "You have an account already. Sign in instead.", decode[web.Problem](t, resp.Body).Detail)
	require.False(t, b.signedIn())
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`).Code)
}

func TestSignUp_ConcurrentCallsCreateOneAccount(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var browsers []auth.Browser
	var codes []string
	for range 4 { // four browsers with a code each
		b := w.browser()
		codes = append(codes, b.code("ada@example.test"))
		browsers = append(browsers, auth.Browser{ID: b.cookies["bid"], Client: "192.0.2.7"})
	}
	var created atomic.Int32
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			person := members.NewMember{Email: "ada@example.test", FullName: "Ada", Age: new(30)}
			_, err := w.SignUp(context.Background(), browsers[i%4], person, codes[i%4], true)
			switch {
			case err == nil:
				created.Add(1)
			case !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Invalid):
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, created.Load())
	require.Equal(t, 1, w.count(`SELECT count(*) FROM users`))
	require.Equal(t, 1, w.count(`SELECT count(*) FROM sessions`))
}

// The insert of the session fails after the code was marked as used. Both must be rolled
// back.
func TestSignUp_FailureDoesNotUseCode(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	code := b.code("ada@example.test")
	w.exec(`ALTER TABLE sessions ADD CONSTRAINT broken CHECK (false)`)
	require.GreaterOrEqual(t, b.call("POST", "/api/users", profile("ada@example.test", code)).Code, 400)
	require.Equal(t, 0, w.count(`SELECT count(*) FROM users`))
	w.exec(`ALTER TABLE sessions DROP CONSTRAINT broken`)
	require.Equal(t, 201, b.call("POST", "/api/users", profile("ada@example.test", code)).Code)
}

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
		_, err := w.SignInByPassword(t.Context(), auth.Browser{Client: "192.0.2.4"}, email, "wrong password", false)
		require.True(t, fault.Is(err, fault.Unauthenticated), "%v", err)
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

func TestSignInByCode_RevealsSuspensionOnlyWithCode(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.exec(`UPDATE users SET profile_status = 'suspended'`)
	require.False(t, b.signedIn(), "the session is invalid immediately")
	code := b.code("ada@example.test")
	require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"1"}`).Code)
	resp := b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`)
	require.Equal(t, 403, resp.Code)
	require.Contains(t, resp.Body.String(), "suspended")
	w.exec(`UPDATE users SET profile_status = 'under_review'`)
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`).Code)
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
	for password, matches := range map[string]bool{"short": false, "password": false, "PassWord": false, "trustno1": false,
		"iloveyou": false, strings.Repeat("x", 201): false} {
		require.Equal(t, matches, b.call("POST", "/api/auth/password", `{"password":"`+password+`"}`).Code == 200, password)
	}
	before := b.cookies["sid"]
	resp := b.call("POST", "/api/auth/password", `{"password":"grüne Wiese 7"}`)
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	require.True(t, decode[members.Me](t, resp.Body).HasPassword)
	require.NotEqual(t, before, b.cookies["sid"], "the token is replaced")
	require.True(t, b.signedIn())
	oldBrowser := w.browser()
	oldBrowser.cookies["sid"] = before
	require.False(t, oldBrowser.signedIn())

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

// setCheapPassword gives all members a password whose hash is cheap to verify. A
// sign-in replaces the hash.
func (w *env) setCheapPassword(password string) {
	w.t.Helper()
	hash, err := argon2id.CreateHash(password, &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	require.NoError(w.t, err)
	w.exec(`UPDATE users SET password_hash = $1`, hash)
}

func TestSignInByPassword_ReplacesOutdatedHash(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.setCheapPassword("first password 1")
	body := `{"email":"ada@example.test","password":"first password 1"}`
	require.Equal(t, 200, b.call("POST", "/api/auth/login", body).Code)
	require.Equal(t, 1, w.count(`SELECT count(*) FROM users WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'`))
	require.Equal(t, 200, b.call("POST", "/api/auth/login", body).Code)
}

func TestSignInByPassword_RefusesDemoMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.setCheapPassword("first password 1")
	w.exec(`UPDATE users SET is_demo = true`)
	const login = `{"email":"ada@example.test","password":"first password 1"}`
	wrong := w.browser().call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"wrong password"}`)
	refused := w.browser().call("POST", "/api/auth/login", login)
	require.Equal(t, 401, refused.Code)
	require.Equal(t, wrong.Body.String(), refused.Body.String(), "the response does not reveal that the password is right")
	require.Equal(t, 403, b.call("POST", "/api/auth/proof", `{"password":"first password 1"}`).Code)
	w.serve(w.pool, auth.Config{RateLimitScale: 100, DemoPasswords: true})
	require.Equal(t, 200, w.browser().call("POST", "/api/auth/login", login).Code)
}
