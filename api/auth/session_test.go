package auth_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestSessionCookie_OverHTTPAndHTTPS(t *testing.T) {
	t.Parallel()
	for secure, want := range map[bool]string{
		false: "HttpOnly; SameSite=Lax", true: "HttpOnly; Secure; SameSite=Lax",
	} {
		w := newEnvWith(t, auth.Config{RateLimitScale: 1, Secure: secure})
		b := w.browser()
		code := b.code("ada@example.test")
		header := b.call("POST", "/api/users", profile("ada@example.test", code)).Header().Get("Set-Cookie")
		require.Contains(t, header, "Path=/; Max-Age=77")
		require.True(t, strings.HasSuffix(header, want), header)
		require.Equal(t, secure, strings.HasPrefix(header, "__Host-sid="), header)
		require.NotContains(t, header, "Domain")
	}
	w := newEnvWith(t, auth.Config{RateLimitScale: 1, Secure: true})
	b := w.browser()
	b.signUp("ada@example.test")
	b.cookies = map[string]string{"sid": b.cookies["__Host-sid"]}
	require.False(t, b.signedIn(), "a cookie without the prefix is ignored under https")
}

func TestAuthenticate_RefusesIdleAndOldSessions(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	for _, test := range []struct {
		role          string
		lastSeen, age string
		remaining     string
		valid         bool
	}{
		{"", "13 days 23 hours", "14 days", "76 days", true},
		{"", "14 days 1 minute", "15 days", "75 days", false},
		{"", "0", "90 days", "0", false},
		{"admin", "14 minutes", "1 hour", "7 hours", true},
		{"admin", "16 minutes", "1 hour", "7 hours", false},
		{"admin", "0", "8 hours 1 minute", "1 day", false},
		{"moderator", "14 minutes", "1 hour", "7 hours", true},
		{"moderator", "16 minutes", "1 hour", "7 hours", false},
		{"moderator", "0", "8 hours 1 minute", "1 day", false},
	} {
		w.Exec(`UPDATE users SET is_admin = $1 = 'admin', is_moderator = $1 = 'moderator'`, test.role)
		w.Exec(`UPDATE sessions SET created_at = now() - $1::text::interval, expires_at = now() + $2::text::interval`, test.age, test.remaining)
		w.setLastSeen(test.lastSeen)
		require.Equal(t, test.valid, b.signedIn(), "%+v", test)
	}
}

// A session without recorded use counts as idle since the sign-in.
func TestAuthenticate_RefusesUnusedSession(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.Exec(`DELETE FROM session_activity`)
	w.Exec(`UPDATE sessions SET created_at = now() - interval '14 days 1 minute'`)
	require.False(t, b.signedIn())
	w.Exec(`UPDATE sessions SET created_at = now() - interval '13 days 23 hours'`)
	require.True(t, b.signedIn())
	w.Exec(`UPDATE sessions SET created_at = now() - interval '27 days'`)
	require.True(t, b.signedIn(), "the use was recorded")
}

func TestSignIn_AdminSessionLastsEightHours(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	w.Exec(`UPDATE users SET is_admin = true`)
	code := b.code("ada@example.test")
	resp := b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`)
	require.Contains(t, resp.Header().Get("Set-Cookie"), "Max-Age=28")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM sessions WHERE expires_at < now() + interval '8 hours 1 second'`))
}

func TestAuthenticate_RecordsUseOnceAMinute(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	const recorded = `SELECT count(*) FROM session_activity s, member_activity m
		WHERE s.last_seen_at > now() - interval '10 seconds' AND m.last_active_at > now() - interval '10 seconds'`
	require.True(t, b.signedIn())
	require.Zero(t, w.Count(recorded), "signed in less than a minute ago: nothing is written")
	w.Exec(`UPDATE sessions SET created_at = now() - interval '61 seconds'`)
	require.True(t, b.signedIn())
	require.Equal(t, 1, w.Count(recorded))

	w.Exec(`UPDATE member_activity SET last_active_at = now() - interval '1 day'`)
	w.setLastSeen("59 seconds")
	require.True(t, b.signedIn())
	require.Zero(t, w.Count(recorded), "seen less than a minute ago: nothing is written")
	w.setLastSeen("61 seconds")
	require.True(t, b.signedIn())
	require.Equal(t, 1, w.Count(recorded))
}

func TestCheckSession_FindsSessionByID(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	b := w.browser()
	b.signUp("ada@example.test")
	actor, err := w.Authenticate(ctx, b.cookies["sid"])
	require.NoError(t, err)
	require.Equal(t, 200, b.call("POST", "/api/auth/password", `{"password":"a password of mine"}`).Code)
	require.NoError(t, w.CheckSession(ctx, actor), "a new password changes the token, not the session")

	recorded := func() bool {
		return w.Count(`SELECT count(*) FROM session_activity WHERE last_seen_at > now() - interval '1 minute'`) == 1
	}
	w.setLastSeen("10 minutes")
	require.NoError(t, w.CheckSession(ctx, actor))
	require.True(t, recorded(), "an open socket counts as use")
	w.Exec(`UPDATE users SET is_admin = true`)
	w.setLastSeen("10 minutes")
	require.NoError(t, w.CheckSession(ctx, actor))
	require.False(t, recorded(), "an open socket of an admin does not count as use")
	w.setLastSeen("16 minutes")
	testkit.RequireKind(t, w.CheckSession(ctx, actor), fault.Unauthenticated)
}

func TestSignIn_ConcurrentCallsLeaveTenSessions(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	b := w.browser()
	b.signUp("ada@example.test")
	require.Equal(t, 200, b.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	w.setLastSeen("1 hour")
	var group sync.WaitGroup
	for range 12 {
		group.Go(func() {
			_, err := w.SignInByPassword(ctx, auth.Browser{Client: "192.0.2.5"}, "ada@example.test", "first password 1")
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Equal(t, 10, w.Count(`SELECT count(*) FROM sessions`))
	require.False(t, b.signedIn(), "the session that was idle for longest is deleted")
	require.Len(t, w.events.Subjects(), 3, "one event per deleted session")
}

func TestSignIn_ReplacesSessionOfBrowser(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	token := b.cookies["sid"]
	code := b.code("ada@example.test")
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`).Code)
	require.NotEqual(t, token, b.cookies["sid"])
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM sessions`))
	require.Len(t, w.events.Subjects(), 1)
}

// A request is sent before the response with the next token arrives, or that response is lost.
func TestAuthenticate_AcceptsReplacedTokenForAMinute(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b, late := w.browser(), w.browser()
	b.signUp("ada@example.test")
	late.cookies["sid"] = b.cookies["sid"]
	require.Equal(t, 200, b.call("POST", "/api/auth/password", `{"password":"a password of mine"}`).Code)
	require.True(t, late.signedIn())
	require.Contains(t, late.call("GET", "/api/auth/session", "").Body.String(), `"member":{`)
	require.Equal(t, "proof_required", codeOf(t, late.call("POST", "/api/auth/password", `{"password":"another password"}`)))
	w.Exec(`UPDATE sessions SET token_replaced_at = token_replaced_at - interval '30 seconds'`)
	require.True(t, late.signedIn())
	w.Exec(`UPDATE sessions SET token_replaced_at = token_replaced_at - interval '30 seconds'`)
	require.False(t, late.signedIn())
	require.True(t, b.signedIn())

	code := late.code("ada@example.test")
	require.Equal(t, 200, late.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`).Code)
	require.False(t, b.signedIn(), "the session of this browser is replaced although its token was lost")
}

func TestSignOut_EndsReplacedToken(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b, late := w.browser(), w.browser()
	b.signUp("ada@example.test")
	late.cookies["sid"] = b.cookies["sid"]
	require.Equal(t, 200, b.call("POST", "/api/auth/password", `{"password":"a password of mine"}`).Code)
	require.Equal(t, 204, b.call("POST", "/api/auth/logout", "").Code)
	require.False(t, late.signedIn())
}

func TestSignOut_DeletesSessionAndSiteData(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	token := b.cookies["sid"]
	session := decode[[]auth.Session](t, b.call("GET", "/api/auth/sessions", "").Body)[0]
	require.True(t, session.Current)
	resp := b.call("POST", "/api/auth/logout", "")
	require.Equal(t, 204, resp.Code)
	require.Equal(t, `"cache", "storage"`, resp.Header().Get("Clear-Site-Data"))
	require.NotContains(t, b.cookies, "sid")
	b.cookies["sid"] = token
	require.False(t, b.signedIn(), "the token is invalid")
	require.Equal(t, []string{"session." + session.ID.String()}, w.events.Subjects())
	require.Equal(t, 401, b.call("POST", "/api/auth/logout", "").Code)
}

func TestEndSession_SignsOutAnotherDevice(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, laptop, stranger := w.browser(), w.browser(), w.browser()
	phone.signUp("ada@example.test")
	stranger.signUp("eve@example.test")
	laptop.headers["User-Agent"] = "Laptop " + strings.Repeat("x", 500)
	code := laptop.code("ada@example.test")
	require.Equal(t, 200, laptop.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`).Code)
	devices := decode[[]auth.Session](t, phone.call("GET", "/api/auth/sessions", "").Body)
	require.Len(t, devices, 2)
	require.Len(t, devices[0].UserAgent, 400)
	require.Equal(t, []bool{false, true}, []bool{devices[0].Current, devices[1].Current})
	path := "/api/auth/sessions/" + devices[0].ID.String()
	require.Equal(t, 404, stranger.call("DELETE", path, "").Code)
	require.True(t, laptop.signedIn())
	require.Equal(t, 204, phone.call("DELETE", path, "").Code)
	require.False(t, laptop.signedIn())
	require.Equal(t, []string{"session." + devices[0].ID.String()}, w.events.Subjects())
	require.Equal(t, 404, phone.call("DELETE", path, "").Code)
	require.Equal(t, 404, phone.call("DELETE", "/api/auth/sessions/"+uuid.NewString(), "").Code)
}

func TestHTTP_RedirectsOfNavigations(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	resp := b.call("GET", "/api/login", "")
	require.Equal(t, 302, resp.Code)
	require.Equal(t, "/signup", resp.Header().Get("Location"))
	b.signUp("ada@example.test")
	require.Equal(t, "/", b.call("GET", "/api/login", "").Header().Get("Location"))
	for _, site := range []string{"cross-site", "same-site"} {
		b.headers["Sec-Fetch-Site"] = site
		require.Equal(t, 403, b.call("GET", "/api/logout", "").Code)
		require.True(t, b.signedIn(), site)
	}
	b.headers["Sec-Fetch-Site"] = "none"
	resp = b.call("GET", "/api/logout", "")
	require.Equal(t, 302, resp.Code)
	require.Equal(t, "/", resp.Header().Get("Location"))
	require.Equal(t, `"cache", "storage"`, resp.Header().Get("Clear-Site-Data"))
	require.False(t, b.signedIn())
	require.Equal(t, 302, b.call("GET", "/api/logout", "").Code, "already signed out")
}

func TestMiddleware_RequiresSession(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	for _, call := range [][2]string{{"GET", "/api/auth/user"}, {"POST", "/api/auth/logout"}, {"POST", "/api/auth/password"},
		{"GET", "/api/auth/sessions"}, {"DELETE", "/api/auth/sessions/" + uuid.NewString()},
		{"DELETE", "/api/auth/sessions"}, {"POST", "/api/auth/proof"}} {
		for _, token := range []string{"", "x", strings.Repeat("x", 43), strings.Repeat("x", 5000)} {
			b.cookies["sid"] = token
			resp := b.call(call[0], call[1], `{}`)
			require.Equal(t, 401, resp.Code, call)
			require.Equal(t, "application/problem+json", resp.Header().Get("Content-Type"))
		}
	}
}

func TestSessionState_HasMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	state := b.call("GET", "/api/auth/session", "")
	require.Equal(t, 200, state.Code)
	require.Equal(t, "ada@example.test", decode[auth.SessionState](t, state.Body).Member.Email)
	require.Equal(t, 200, b.call("GET", "/api/auth/user", "").Code)

	w.Exec(`DELETE FROM sessions`)
	state = b.call("GET", "/api/auth/session", "")
	require.Equal(t, 200, state.Code)
	require.Contains(t, state.Body.String(), `"member":null`)
}

func TestAuthenticate_DistinguishesRevokedFromExpired(t *testing.T) { //nolint:tparallel // the subtests share the phone
	t.Parallel()
	w := newEnv(t)
	code := func(b *browser) string {
		resp := b.call("GET", "/api/auth/user", "")
		require.Equal(t, 401, resp.Code)
		code := decode[web.Problem](t, resp.Body).Code
		state := b.call("GET", "/api/auth/session", "")
		require.Equal(t, 200, state.Code)
		require.Equal(t, auth.SessionState{Code: code}, decode[auth.SessionState](t, state.Body))
		for _, resp := range []*httptest.ResponseRecorder{resp, state} {
			require.Equal(t, code == "session_revoked", resp.Header().Get("Clear-Site-Data") == `"cache"`)
		}
		return code
	}
	phone := w.browser()
	phone.signUp("ada@example.test")
	require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	signIn := func() *browser {
		b := w.browser()
		require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"first password 1"}`).Code)
		return b
	}

	t.Run("signed out on another device", func(t *testing.T) {
		laptop := signIn()
		id := decode[[]auth.Session](t, laptop.call("GET", "/api/auth/sessions", "").Body)[0].ID
		require.Equal(t, 204, phone.call("DELETE", "/api/auth/sessions/"+id.String(), "").Code)
		require.Equal(t, "session_revoked", code(laptop))
		w.Exec(`UPDATE revoked_sessions SET expires_at = now() - interval '1 minute'`)
		require.Equal(t, "session_revoked", code(laptop), "until a job deletes the row")
		w.Exec(`DELETE FROM revoked_sessions`)
		require.Equal(t, "session_expired", code(laptop))
	})
	t.Run("signed out here, in a tab that still has the cookie", func(t *testing.T) {
		laptop := signIn()
		token := laptop.cookies["sid"]
		require.Equal(t, 204, laptop.call("POST", "/api/auth/logout", "").Code)
		laptop.cookies["sid"] = token
		require.Equal(t, "session_revoked", code(laptop))
	})
	t.Run("new password set on another device", func(t *testing.T) {
		laptop := signIn()
		require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"first password 2"}`).Code)
		require.Equal(t, "session_revoked", code(laptop))
		require.True(t, phone.signedIn())
		require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	})
	t.Run("idle, deleted or missing session", func(t *testing.T) {
		laptop := signIn()
		w.setLastSeen("15 days")
		require.Equal(t, "session_expired", code(laptop))
		w.Exec(`DELETE FROM sessions`)
		require.Equal(t, "session_expired", code(laptop), "the row is missing, as after a restore")
		require.Equal(t, "session_expired", code(w.browser()))
	})
	t.Run("deleted by an eleventh session", func(t *testing.T) {
		oldest := signIn()
		w.setLastSeen("1 hour")
		for range 10 {
			signIn()
		}
		require.Equal(t, "session_expired", code(oldest), "the device keeps its data")
	})
	endAll := func(member uuid.UUID) {
		require.NoError(t, pg.TxDo(t.Context(), w.Pool, func(tx pgx.Tx) error {
			_, err := auth.RevokeAllTx(t.Context(), tx, member)
			return err
		}))
	}
	t.Run("suspended", func(t *testing.T) {
		laptop := signIn()
		endAll(decode[members.Me](t, laptop.call("GET", "/api/auth/user", "").Body).ID)
		require.Equal(t, "session_revoked", code(laptop))
	})
	t.Run("idle for 14 days before all were revoked", func(t *testing.T) {
		laptop, tablet := signIn(), signIn()
		member := decode[members.Me](t, laptop.call("GET", "/api/auth/user", "").Body).ID
		session := decode[[]auth.Session](t, laptop.call("GET", "/api/auth/sessions", "").Body)[0].ID
		w.setLastSeen("15 days")
		require.Equal(t, 404, signIn().call("DELETE", "/api/auth/sessions/"+session.String(), "").Code)
		endAll(member)
		require.Equal(t, "session_expired", code(laptop))
		require.Equal(t, "session_expired", code(tablet))
		require.Zero(t, w.Count(`SELECT count(*) FROM sessions`))
	})
}
