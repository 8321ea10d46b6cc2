package auth_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/auth"
)

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
