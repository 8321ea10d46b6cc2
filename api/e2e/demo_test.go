package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/seed"
)

// publicSite makes an instance a public site, whose mails are stored on this machine.
var publicSite = []string{"PUBLIC_URL=https://heartward.test", "DEV_MAILBOX=on", "HOST=127.0.0.1"}

// The attack: an operator tries the demo on a public site, and anyone signs in to its admin
// with the password of the README.
func TestDemo_PublicSiteRefusesPublishedPassword(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	p.requireRefused(publicSite, "demo members have a published password", "serve", "--demo")
	p.requireRefused(publicSite, "demo members have a published password", "seed")
	p.requireRefused([]string{"HOST=0.0.0.0", "DEV_MAILBOX=on"}, "demo members have a published password", "serve", "--demo")

	local := p.serve("--demo", "--no-work")
	require.Equal(t, http.StatusOK, p.signInStatus(seed.AdminEmail, seed.Password))
	local.stop(syscall.SIGTERM)

	// The same data folder on a public site.
	p.requireRefused(publicSite, "the demo member "+seed.AdminEmail+" is an admin", "serve")
	p.requireRefused(publicSite, "the demo member "+seed.AdminEmail+" is an admin", "serve", "--demo-in-public")
	require.Equal(t, seed.AdminEmail+" is no admin any more\n", p.run(publicSite, "admin", "revoke", seed.AdminEmail).out)
	p.requireRefused(publicSite, "a demo member cannot be an admin", "admin", "grant", seed.AdminEmail)
	p.variables = publicSite
	public := p.serve("--no-work")
	require.NotContains(t, strings.Join(public.lines, "\n"), seed.Password)
	require.Equal(t, http.StatusUnauthorized, p.signInStatus(seed.DemoEmail, seed.Password))
	public.stop(syscall.SIGTERM)

	demo := p.serve("--no-work", "--demo-in-public")
	password := printedPassword(t, demo)
	require.Equal(t, http.StatusUnauthorized, p.signInStatus(seed.DemoEmail, seed.Password))
	require.Equal(t, http.StatusOK, p.signInStatus(seed.DemoEmail, password))
	demo.stop(syscall.SIGTERM)
	require.NotContains(t, strings.Join(p.serve("--no-work", "--demo-in-public").lines, "\n"), "Sign in as", "the password is printed once")
	require.Equal(t, http.StatusOK, p.signInStatus(seed.DemoEmail, password))
}

func TestDemo_InPublicHasRandomPasswordAndNoAdmin(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	p.variables = publicSite
	password := printedPassword(t, p.serve("--no-work", "--demo", "--demo-in-public"))
	require.Equal(t, http.StatusUnauthorized, p.signInStatus(seed.DemoEmail, seed.Password))
	require.Equal(t, http.StatusOK, p.signInStatus(seed.DemoEmail, password))
	require.Zero(t, p.query(`SELECT count(*) FROM users WHERE is_admin OR email = $1`, seed.AdminEmail))
}

// printedPassword returns the random password of the demo member.
func printedPassword(t *testing.T, server *process) string {
	t.Helper()
	for _, line := range server.lines {
		if rest, ok := strings.CutPrefix(line, "Sign in as "+seed.DemoEmail+", password "); ok {
			password, _, _ := strings.Cut(rest, ",")
			require.Len(t, password, 26)
			return password
		}
	}
	t.Fatalf("no password is printed: %q", server.lines)
	return ""
}

// signInStatus returns the status of a sign-in by password.
func (p instance) signInStatus(email, password string) int {
	p.t.Helper()
	response, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/api/auth/login", p.port), "application/json",
		strings.NewReader(fmt.Sprintf(`{"email":%q,"password":%q}`, email, password)))
	require.NoError(p.t, err)
	require.NoError(p.t, response.Body.Close())
	return response.StatusCode
}
