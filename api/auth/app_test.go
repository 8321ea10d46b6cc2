package auth_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
)

// appCode returns the code of an authenticator app, some steps of 30 seconds from now.
func appCode(t testing.TB, secret string, steps int) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, now.Add(time.Duration(steps)*30*time.Second))
	require.NoError(t, err)
	return code
}

// addApp sets up the authenticator app of an admin and returns its secret.
func (b *browser) addApp(setupCode string) string {
	b.w.Helper()
	resp := b.call("POST", "/api/auth/app", `{"setupCode":"`+setupCode+`"}`)
	require.Equal(b.w, 201, resp.Code, "%s", resp.Body)
	created := decode[auth.NewApp](b.w, resp.Body)
	require.True(b.w, strings.HasPrefix(created.QRCode, "data:image/png;base64,"))
	require.Contains(b.w, created.URL, "secret="+created.Secret)
	confirm := func(code string) int {
		return b.call("PUT", "/api/auth/app", `{"setupCode":"`+setupCode+`","code":"`+code+`"}`).Code
	}
	require.Equal(b.w, 403, confirm("12345x"))
	require.Equal(b.w, 204, confirm(appCode(b.w, created.Secret, -1)))
	return created.Secret
}

func (b *browser) proveByApp(code string) int {
	return b.call("POST", "/api/auth/proof", `{"appCode":"`+code+`"}`).Code
}

func TestApp_GivesRightsAndAcceptsEachCodeOnce(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	b := w.browser()
	secret := b.addApp(w.grant(b.signUp("ada@example.test")))
	require.Equal(t, "204", b.write())
	require.Zero(t, w.Count(`SELECT count(*) FROM authenticator_apps WHERE encode(secret, 'escape') LIKE '%' || $1 || '%'`, secret))

	other := w.browser()
	other.signInByCode("ada@example.test")
	require.Equal(t, "second_factor_required", other.read())
	require.Equal(t, 403, other.proveByApp(appCode(t, secret, -1)), "the code of the setup")
	require.Equal(t, 403, other.proveByApp(appCode(t, secret, 5)), "a code of the future")
	before, code := other.cookies["sid"], appCode(t, secret, 0)
	require.Equal(t, 204, other.proveByApp(code))
	require.NotEqual(t, before, other.cookies["sid"])
	require.Equal(t, "204", other.write())

	third := w.browser()
	third.signInByCode("ada@example.test")
	require.Equal(t, 403, third.proveByApp(code), "a replay in another session")
	require.Equal(t, "second_factor_required", third.read())
	require.Equal(t, 409, other.call("DELETE", "/api/auth/app", "").Code, "the only factor")
}

// Another tab starts the setup again while the first code is checked. The app of the new secret has shown no code yet.
func TestApp_CodeOfReplacedSecretConfirmsNothing(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	b := w.browser()
	setup := w.grant(b.signUp("ada@example.test"))
	created := decode[auth.NewApp](t, b.call("POST", "/api/auth/app", `{"setupCode":"`+setup+`"}`).Body)
	tx, err := w.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `SELECT FROM users FOR NO KEY UPDATE`)
	require.NoError(t, err)
	body := `{"setupCode":"` + setup + `","code":"` + appCode(t, created.Secret, 0) + `"}`
	done := make(chan int)
	go func() { done <- b.call("PUT", "/api/auth/app", body).Code }()
	w.awaitLock("the confirmation")
	_, err = tx.Exec(t.Context(), `UPDATE authenticator_apps SET secret = 'another one', last_step = 0`)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	require.Equal(t, 403, <-done)
	require.Zero(t, w.Count(`SELECT count(*) FROM authenticator_apps WHERE is_confirmed`))
}

func TestApp_AllowsFiveTries(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	b := w.browser()
	secret := b.addApp(w.grant(b.signUp("ada@example.test")))
	attackers := []*browser{w.browser(), w.browser()}
	for _, a := range attackers {
		a.signInByCode("ada@example.test")
	}
	for i := range 5 {
		require.Equal(t, 403, attackers[i%2].proveByApp("12345x"))
	}
	for _, a := range attackers {
		require.Equal(t, 429, a.proveByApp(appCode(t, secret, 0)))
	}
	w.advance(time.Hour)
	require.Equal(t, 204, attackers[0].proveByApp(appCode(t, secret, 0)))
}

// Two sessions use one code of the app at the same time.
func TestApp_OneOfTwoConcurrentUsesSucceeds(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	b := w.browser()
	secret := b.addApp(w.grant(b.signUp("ada@example.test")))
	browsers := []*browser{w.browser(), w.browser()}
	for _, other := range browsers {
		other.signInByCode("ada@example.test")
	}
	code, statuses := appCode(t, secret, 1), make([]int, 2)
	var group sync.WaitGroup
	for i, other := range browsers {
		group.Go(func() { statuses[i] = other.proveByApp(code) })
	}
	group.Wait()
	require.ElementsMatch(t, []int{204, 403}, statuses)
}

// The old app is valid until the new one is confirmed with a code.
func TestApp_ReplacementIsValidAfterConfirmation(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	b := w.browser()
	old := b.addApp(w.grant(b.signUp("ada@example.test")))
	resp := b.call("POST", "/api/auth/app", `{}`)
	require.Equal(t, 201, resp.Code)
	require.Equal(t, 204, b.proveByApp(appCode(t, old, 0)), "the old app is valid before the confirmation")
	secret := decode[auth.NewApp](t, resp.Body).Secret
	require.Equal(t, 403, b.proveByApp(appCode(t, secret, 0)), "the new one is not")
	require.Equal(t, 204, b.call("PUT", "/api/auth/app", `{"code":"`+appCode(t, secret, 0)+`"}`).Code)
	require.Equal(t, 204, b.proveByApp(appCode(t, secret, 1)))
	require.Equal(t, 404, b.call("PUT", "/api/auth/app", `{"code":"000000"}`).Code)
}
