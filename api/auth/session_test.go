package auth_test

import (
	"context"
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
	"heartward/api/platform/web"
)

func TestCookiesOfHTTPAndHTTPS(t *testing.T) {
	t.Parallel()
	for secure, want := range map[bool]string{
		false: "HttpOnly; SameSite=Lax", true: "HttpOnly; Secure; SameSite=Lax",
	} {
		w := newWorldWith(t, auth.Config{RateLimitScale: 1, Secure: secure})
		b := w.browser()
		code := b.code("ada@example.test")
		header := b.call("POST", "/api/users", profile("ada@example.test", code)).Header().Get("Set-Cookie")
		require.Contains(t, header, "Path=/; Max-Age=77")
		require.True(t, strings.HasSuffix(header, want), header)
		require.Equal(t, secure, strings.HasPrefix(header, "__Host-sid="), header)
		require.NotContains(t, header, "Domain")
	}
	w := newWorldWith(t, auth.Config{RateLimitScale: 1, Secure: true})
	b := w.browser()
	b.join("ada@example.test")
	b.cookies = map[string]string{"sid": b.cookies["__Host-sid"]}
	require.False(t, b.signedIn(), "under https a cookie without the prefix may be another host's")
}

func TestASessionEndsByIdlenessAgeAndSuspension(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("ada@example.test")
	for _, test := range []struct {
		admin         bool
		lastSeen, age string
		left          string
		alive         bool
	}{
		{false, "13 days 23 hours", "14 days", "76 days", true},
		{false, "14 days 1 minute", "15 days", "75 days", false},
		{false, "0", "90 days", "0", false},
		{true, "14 minutes", "1 hour", "7 hours", true},
		{true, "16 minutes", "1 hour", "7 hours", false},
		{true, "0", "8 hours 1 minute", "1 day", false},
	} {
		w.exec(`UPDATE users SET is_admin = $1`, test.admin)
		w.exec(`UPDATE sessions SET created_at = now() - $1::text::interval, expires_at = now() + $2::text::interval`, test.age, test.left)
		w.lastSeen(test.lastSeen)
		require.Equal(t, test.alive, b.signedIn(), "%+v", test)
	}
}

// A session that was not used since the sign-in idles from then on.
func TestAnUnusedSessionEndsByIdleness(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("ada@example.test")
	w.exec(`DELETE FROM session_activity`)
	w.exec(`UPDATE sessions SET created_at = now() - interval '14 days 1 minute'`)
	require.False(t, b.signedIn())
	w.exec(`UPDATE sessions SET created_at = now() - interval '13 days 23 hours'`)
	require.True(t, b.signedIn())
	w.exec(`UPDATE sessions SET created_at = now() - interval '27 days'`)
	require.True(t, b.signedIn(), "its use was noted")
}

func TestAnAdminsSessionLastsEightHours(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("ada@example.test")
	w.exec(`UPDATE users SET is_admin = true`)
	code := b.code("ada@example.test")
	answer := b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`)
	require.Contains(t, answer.Header().Get("Set-Cookie"), "Max-Age=28")
	require.Equal(t, 1, w.number(`SELECT count(*) FROM sessions WHERE expires_at < now() + interval '8 hours 1 second'`))
}

func TestLastSeenSlidesOnceAMinute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("ada@example.test")
	const noted = `SELECT count(*) FROM session_activity s, member_activity m
		WHERE s.last_seen_at > now() - interval '10 seconds' AND m.last_active_at > now() - interval '10 seconds'`
	require.True(t, b.signedIn())
	require.Zero(t, w.number(noted), "signed in less than a minute ago: nothing is written")
	w.exec(`UPDATE sessions SET created_at = now() - interval '61 seconds'`)
	require.True(t, b.signedIn())
	require.Equal(t, 1, w.number(noted))

	w.exec(`UPDATE member_activity SET last_active_at = now() - interval '1 day'`)
	w.lastSeen("59 seconds")
	require.True(t, b.signedIn())
	require.Zero(t, w.number(noted), "seen less than a minute ago: nothing is written")
	w.lastSeen("61 seconds")
	require.True(t, b.signedIn())
	require.Equal(t, 1, w.number(noted))
}

func TestAnOpenSocketGoesByItsSession(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), context.Background()
	b := w.browser()
	b.join("ada@example.test")
	actor, err := w.Authenticate(ctx, b.cookies["sid"])
	require.NoError(t, err)
	require.Equal(t, 200, b.call("POST", "/api/auth/password", `{"password":"a password of mine"}`).Code)
	require.NoError(t, w.Holds(ctx, actor), "a new password changes the token, not the session")

	slid := func() bool {
		return w.number(`SELECT count(*) FROM session_activity WHERE last_seen_at > now() - interval '1 minute'`) == 1
	}
	w.lastSeen("10 minutes")
	require.NoError(t, w.Holds(ctx, actor))
	require.True(t, slid(), "being connected is being here")
	w.exec(`UPDATE users SET is_admin = true`)
	w.lastSeen("10 minutes")
	require.NoError(t, w.Holds(ctx, actor))
	require.False(t, slid(), "an admin's screen that was left open does not keep the session")
	w.lastSeen("16 minutes")
	require.True(t, fault.Is(w.Holds(ctx, actor), fault.Unauthenticated))
}

func TestTenSessionsAtMostAlsoInParallel(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), context.Background()
	b := w.browser()
	b.join("ada@example.test")
	require.Equal(t, 200, b.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	w.lastSeen("1 hour")
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
	require.Equal(t, 10, w.number(`SELECT count(*) FROM sessions`))
	require.False(t, b.signedIn(), "the one seen last went first")
	require.Len(t, w.events.Subjects(), 3, "the sockets of each are closed")
}

func TestSigningInAgainReplacesTheSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("ada@example.test")
	old := b.cookies["sid"]
	code := b.code("ada@example.test")
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`).Code)
	require.NotEqual(t, old, b.cookies["sid"])
	require.Equal(t, 1, w.number(`SELECT count(*) FROM sessions`))
	require.Len(t, w.events.Subjects(), 1)
}

func TestSignOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("ada@example.test")
	token := b.cookies["sid"]
	session := decode[[]auth.Session](t, b.call("GET", "/api/auth/sessions", "").Body)[0]
	require.True(t, session.Current)
	answer := b.call("POST", "/api/auth/logout", "")
	require.Equal(t, 204, answer.Code)
	require.Equal(t, `"cache", "storage"`, answer.Header().Get("Clear-Site-Data"))
	require.NotContains(t, b.cookies, "sid")
	b.cookies["sid"] = token
	require.False(t, b.signedIn(), "the token is worth nothing")
	require.Equal(t, []string{"session." + session.ID.String()}, w.events.Subjects())
	require.Equal(t, 401, b.call("POST", "/api/auth/logout", "").Code)
}

func TestDevicesAreListedAndEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phone, laptop, stranger := w.browser(), w.browser(), w.browser()
	phone.join("ada@example.test")
	stranger.join("eve@example.test")
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

func TestNavigations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	answer := b.call("GET", "/api/login", "")
	require.Equal(t, 302, answer.Code)
	require.Equal(t, "/signup", answer.Header().Get("Location"))
	b.join("ada@example.test")
	require.Equal(t, "/", b.call("GET", "/api/login", "").Header().Get("Location"))
	for _, site := range []string{"cross-site", "same-site"} {
		b.headers["Sec-Fetch-Site"] = site
		require.Equal(t, 403, b.call("GET", "/api/logout", "").Code)
		require.True(t, b.signedIn(), site)
	}
	b.headers["Sec-Fetch-Site"] = "none"
	answer = b.call("GET", "/api/logout", "")
	require.Equal(t, 302, answer.Code)
	require.Equal(t, "/", answer.Header().Get("Location"))
	require.Equal(t, `"cache", "storage"`, answer.Header().Get("Clear-Site-Data"))
	require.False(t, b.signedIn())
	require.Equal(t, 302, b.call("GET", "/api/logout", "").Code, "signed out already")
}

func TestOperationsForMembersNeedASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	for _, call := range [][2]string{{"GET", "/api/auth/user"}, {"POST", "/api/auth/logout"}, {"POST", "/api/auth/password"},
		{"GET", "/api/auth/sessions"}, {"DELETE", "/api/auth/sessions/" + uuid.NewString()}} {
		for _, token := range []string{"", "x", strings.Repeat("x", 43), strings.Repeat("x", 5000)} {
			b.cookies["sid"] = token
			answer := b.call(call[0], call[1], `{}`)
			require.Equal(t, 401, answer.Code, call)
			require.Equal(t, "application/problem+json", answer.Header().Get("Content-Type"))
		}
	}
}

func TestAuthenticate_TellsRevokedSessionsFromExpiredOnes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	code := func(b *browser) string {
		answer := b.call("GET", "/api/auth/user", "")
		require.Equal(t, 401, answer.Code)
		code := decode[web.Problem](t, answer.Body).Code
		require.Equal(t, code == "session_revoked", answer.Header().Get("Clear-Site-Data") == `"cache"`)
		return code
	}
	phone := w.browser()
	phone.join("ada@example.test")
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
		w.exec(`UPDATE revoked_sessions SET expires_at = now() - interval '1 minute'`)
		require.Equal(t, "session_revoked", code(laptop), "until the row is cleaned up")
		w.exec(`DELETE FROM revoked_sessions`)
		require.Equal(t, "session_expired", code(laptop))
	})
	t.Run("signed out here, in a tab that still has the cookie", func(t *testing.T) {
		laptop := signIn()
		token := laptop.cookies["sid"]
		require.Equal(t, 204, laptop.call("POST", "/api/auth/logout", "").Code)
		laptop.cookies["sid"] = token
		require.Equal(t, "session_revoked", code(laptop))
	})
	t.Run("another password", func(t *testing.T) {
		laptop := signIn()
		require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"first password 2"}`).Code)
		require.Equal(t, "session_revoked", code(laptop))
		require.True(t, phone.signedIn())
		require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	})
	t.Run("too old, idle, unknown or none", func(t *testing.T) {
		laptop := signIn()
		w.lastSeen("15 days")
		require.Equal(t, "session_expired", code(laptop))
		w.exec(`DELETE FROM sessions`)
		require.Equal(t, "session_expired", code(laptop), "as after a restore from before the sign-in")
		require.Equal(t, "session_expired", code(w.browser()))
	})
	t.Run("signed out to make room for an eleventh device", func(t *testing.T) {
		oldest := signIn()
		w.lastSeen("1 hour")
		for range 10 {
			signIn()
		}
		require.Equal(t, "session_expired", code(oldest), "nobody meant to remove its data")
	})
	endAll := func(member uuid.UUID) {
		require.NoError(t, pg.TxDo(t.Context(), w.pool, func(tx pgx.Tx) error {
			_, err := auth.EndAllTx(t.Context(), tx, member)
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
		w.lastSeen("15 days")
		require.Equal(t, 404, signIn().call("DELETE", "/api/auth/sessions/"+session.String(), "").Code)
		endAll(member)
		require.Equal(t, "session_expired", code(laptop))
		require.Equal(t, "session_expired", code(tablet))
		require.Zero(t, w.number(`SELECT count(*) FROM sessions`))
	})
}
