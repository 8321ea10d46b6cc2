package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/seed"
	"heartward/jobs"
)

// Starts a server on an empty data folder, runs commands while it runs, and restarts it.
func TestServe_Lifecycle(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	p.variables = append(slices.Clone(p.variables), "METRICS_ADDR=127.0.0.1:0")
	first := p.serve()
	require.Equal(t, fmt.Sprintf("Heartward runs on http://localhost:%d", p.port), first.lines[0])
	p.openMailbox(first.lines[1])
	require.Contains(t, first.lines[len(first.lines)-1], p.dir)
	require.Eventually(t, func() bool {
		status, _ := p.get("/readyz")
		return status == http.StatusOK
	}, waitTimeout, 10*time.Millisecond)

	other := p
	other.port = freePort(t)
	p.requireRefused(nil, fmt.Sprintf("PORT: %d is taken", p.port), "serve")
	other.requireRefused(nil, fmt.Sprintf("another server (process %d) is already running", first.cmd.Process.Pid), "serve")

	p.requireRefused(nil, "no account has the address demo@heartward.test", "admin", "grant", seed.DemoEmail)
	require.Contains(t, p.run(nil, "seed").out, "sign in as "+seed.DemoEmail)
	const all = `SELECT count(*) FROM users u, messages m WHERE u.is_demo`
	before := p.query(all)
	require.Positive(t, before)
	require.Equal(t, "The database has members already; nothing was changed\n", p.run(nil, "seed").out)
	require.Equal(t, before, p.query(all))

	require.Zero(t, p.query(`SELECT count(*) FROM users WHERE is_admin AND email = $1`, seed.DemoEmail))
	require.Equal(t, "Demo@heartward.test is an admin now\n", p.run(nil, "admin", "grant", "Demo@heartward.test").out)
	require.Equal(t, 1, p.query(`SELECT count(*) FROM users WHERE is_admin AND email = $1`, seed.DemoEmail))
	require.Equal(t, 1, p.query(`SELECT count(*) FROM audit_log WHERE action = 'admin.grant' AND subject_id = (SELECT id FROM users WHERE email = $1)`, seed.DemoEmail))
	require.Equal(t, "Demo@heartward.test is a moderator now\n", p.run(nil, "admin", "grant", "--role", "moderator", "Demo@heartward.test").out)
	require.Equal(t, 1, p.query(`SELECT count(*) FROM users WHERE is_moderator AND NOT is_admin AND email = $1`, seed.DemoEmail))
	require.Equal(t, 1, p.query(`SELECT count(*) FROM audit_log WHERE action = 'admin.grant' AND detail = '{"role": "moderator", "before": "admin"}'`))
	require.Equal(t, "demo@heartward.test is no moderator any more\n", p.run(nil, "admin", "revoke", "demo@heartward.test").out)
	require.Zero(t, p.query(`SELECT count(*) FROM users WHERE (is_moderator OR is_admin) AND email = $1`, seed.DemoEmail))
	_, rest, _ := strings.Cut(p.run(nil, "audit", "verify").out, "Rows: 3, hash of the last: ")
	head, warning, _ := strings.Cut(rest, "\n")
	require.Len(t, head, 64)
	require.Contains(t, warning, "removed at the end are found only")
	require.NotContains(t, p.run(nil, "audit", "verify", "--head", head).out, "found only")
	require.Contains(t, p.run(nil, "admin", "verify-audit").out, head, "the earlier name")
	p.requireRefused(nil, "the audit log lacks the row with this hash", "audit", "verify", "--head", strings.Repeat("ab", 32))
	const ownSessions = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'heartward' AND usename = $1`
	require.Eventually(t, func() bool { return p.query(ownSessions, "postgres") == 0 }, waitTimeout, 10*time.Millisecond,
		"only commands connect as the administrator, and the last one's session ends after it")
	require.Positive(t, p.query(ownSessions, pg.ServingRole), "the server cannot change the audit log")
	require.Equal(t, "The schema is up to date\n", p.run(nil, "migrate").out)
	p.openJobPages(first)

	postmaster := p.postmaster()
	first.stop(syscall.SIGINT)
	require.Zero(t, first.cmd.ProcessState.ExitCode(), first.log)
	require.NotContains(t, first.log.String(), "ERROR")
	require.True(t, hasEnded(postmaster), "PostgreSQL stopped before the server exited")

	p.killAndRestart(before, all)
}

// openMailbox opens the address of the mailbox in line, which opens only with its token.
func (p instance) openMailbox(line string) {
	p.t.Helper()
	address, ok := strings.CutPrefix(line, fmt.Sprintf("Mails are shown at http://127.0.0.1:%d", p.port))
	require.True(p.t, ok, line)
	status, body := p.get(address)
	require.Equal(p.t, http.StatusOK, status)
	require.Contains(p.t, body, "No mail yet.")
	path, _, _ := strings.Cut(address, "?")
	status, _ = p.get(path)
	require.Equal(p.t, http.StatusNotFound, status)
}

// openJobPages opens River's pages at the address of the metrics that the server printed, with a link of the demo's
// admin. Members cannot reach them.
func (p instance) openJobPages(server *process) {
	p.t.Helper()
	_, line, ok := strings.Cut(strings.Join(server.lines, "\n"), "metrics at ")
	require.True(p.t, ok)
	address, _, _ := strings.Cut(line, ";")
	jar, err := cookiejar.New(nil)
	require.NoError(p.t, err)
	client := &http.Client{Jar: jar, Timeout: waitTimeout}
	get := func(url string) *http.Response {
		page, err := client.Get(url)
		require.NoError(p.t, err)
		require.NoError(p.t, page.Body.Close())
		return page
	}
	require.Equal(p.t, http.StatusForbidden, get("http://"+address+jobs.UIPrefix+"/").StatusCode)

	admin := &browser{p.t, fmt.Sprintf("http://127.0.0.1:%d", p.port), client}
	admin.call(http.MethodPost, "/api/auth/login", http.StatusOK, map[string]any{"email": seed.AdminEmail, "password": seed.Password})
	response, err := client.Post(admin.site+"/api/admin/job-pages", "application/json", nil)
	require.NoError(p.t, err)
	defer response.Body.Close()
	var link struct{ URL, Host string }
	require.NoError(p.t, json.NewDecoder(response.Body).Decode(&link))
	require.Equal(p.t, address, link.Host)
	page := get(link.URL)
	require.Equal(p.t, http.StatusOK, page.StatusCode)
	require.Equal(p.t, "http://"+address+jobs.UIPrefix+"/", page.Request.URL.String(), "the token leaves the address")
	policies := page.Header.Values("Content-Security-Policy")
	require.Len(p.t, policies, 1)
	require.Contains(p.t, policies[0], "style-src 'self' 'unsafe-inline'")
	status, _ := p.get(jobs.UIPrefix + "/")
	require.Equal(p.t, http.StatusNotFound, status)
}

// killAndRestart kills a server without workers, starts it again, and runs the
// jobs with workers of another process.
func (p instance) killAndRestart(members int, sql string) {
	p.t.Helper()
	killed := p.serve("--no-work")
	postmaster := p.postmaster()
	killed.stop(syscall.SIGKILL)
	require.Eventually(p.t, func() bool { return hasEnded(postmaster) }, waitTimeout, 10*time.Millisecond, "PostgreSQL stops after the server was killed")

	again := p.serve("--no-work")
	require.Equal(p.t, members, p.query(sql))
	job := p.query(`INSERT INTO river_job (kind, args, max_attempts) VALUES ('cleanup', '{}', 1) RETURNING id`)
	worker := p.start(working, "work")
	require.Eventually(p.t, func() bool {
		return p.query(`SELECT count(*) FROM river_job WHERE id = $1 AND state = 'completed'`, job) == 1
	}, waitTimeout, 20*time.Millisecond, "the worker runs the job while the server runs")
	worker.stop(syscall.SIGTERM)
	require.Zero(p.t, worker.cmd.ProcessState.ExitCode(), worker.log)
	postmaster = p.postmaster()
	again.stop(syscall.SIGTERM)
	require.Zero(p.t, again.cmd.ProcessState.ExitCode(), again.log)
	require.True(p.t, hasEnded(postmaster))
	require.NotContains(p.t, worker.log.String()+again.log.String(), "ERROR")
}
