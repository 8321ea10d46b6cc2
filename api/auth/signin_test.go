package auth_test

import (
	"strings"
	"testing"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/members"
)

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
