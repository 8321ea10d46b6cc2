package auth_test

import (
	"strings"
	"testing"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/members"
)

func TestSetPassword_RefusesGuessablePasswords(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("countess.ada@analytical-engines.test")
	w.Exec(`UPDATE users SET full_name = 'Ada Lovelace O''Brien'`)
	for password, accepted := range map[string]bool{
		// Words of the product.
		"heartward": false, "Heartward": false, "Heartward2026": false, "heartward!!!": false, "xHeartwardx1": false, "ＨＥＡＲＴＷＡＲＤ１": false,
		// The member's address.
		"countess.ada@analytical-engines.test": false, "Countess1815": false, "countess.ada": false, "analytical-engines": false,
		"engines2026!": false,
		// The member's names.
		"lovelace": false, "AdaLovelace": false, "Lovelace1815": false, "ada.brien.1": false,
		// Passwords of breaches: of rank 504, 5,027, 50,005 and 99,996.
		"williams": false, "Matthews": false, "carolyn1": false, "07021954": false,
		// Others.
		"the heartward of my tower": true, "lovelace wrote note G": true, "12345678 rainy days": true, "grüne Wiese 7": true,
	} {
		response := b.call("POST", "/api/auth/password", `{"password":"`+password+`"}`)
		require.Equal(t, accepted, response.Code == 200, "%s: %s", password, response.Body)
		if !accepted {
			require.Equal(t, 422, response.Code, password)
			require.Contains(t, response.Body.String(), `"location":"body.password"`, password)
		}
	}
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
