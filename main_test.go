package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgserver"
	"heartward/api/platform/testkit"
	"heartward/api/seed"
	"heartward/jobs"
)

// waitTimeout is the timeout of waits, for a busy machine.
const waitTimeout = testkit.Timeout

// binary is the path of the program under test, built once.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "heartward-binary-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "heartward")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// instance is the data folder, port and environment of one process.
type instance struct {
	t         testing.TB
	dir       string
	port      int
	variables []string // environment in addition to what command sets
	wrapper   []string // command line that is put before the binary's
}

func newInstance(t testing.TB) instance {
	return instance{t: t, dir: filepath.Join(t.TempDir(), "data"), port: freePort(t)}
}

// lastPort is the port that freePort returned last. The first is random, because several test processes may run.
var lastPort atomic.Int32

func init() { lastPort.Store(10_000 + rand.Int32N(20_000)) }

// freePort returns a port that no other call returns. It is below those that the kernel gives to connections and to
// listeners without a port, which otherwise could take it before the process under test does.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := int(lastPort.Add(1))
		if listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			require.NoError(t, listener.Close())
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// command returns a command whose environment has only the variables given, as
// NAME=value.
func (p instance) command(ctx context.Context, variables []string, args ...string) *exec.Cmd {
	line := slices.Concat(p.wrapper, []string{binary}, args)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "POSTGRES_BIN=" + os.Getenv("POSTGRES_BIN"),
		"DATA_DIR=" + p.dir, "PORT=" + strconv.Itoa(p.port), "METRICS_ADDR=off",
	}, slices.Concat(p.variables, variables)...)
	return cmd
}

type result struct {
	out, err string
	code     int
}

// run runs a command and waits until it exits.
func (p instance) run(variables []string, args ...string) result {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	cmd := p.command(ctx, variables, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	require.NoError(p.t, ctx.Err(), "%v does not exit", args)
	if exited := (*exec.ExitError)(nil); !errors.As(err, &exited) {
		require.NoError(p.t, err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// requireRefused checks that a command exits with code 1 and prints one error line,
// which begins with line.
func (p instance) requireRefused(variables []string, line string, args ...string) {
	p.t.Helper()
	got := p.run(variables, args...)
	require.Equal(p.t, 1, got.code, "%v: %s", args, got.err)
	require.Empty(p.t, got.out, "%v", args)
	require.Equal(p.t, 1, strings.Count(got.err, "\n"), "%v: %s", args, got.err)
	require.True(p.t, strings.HasPrefix(got.err, "heartward: "+line), "%v: %s", args, got.err)
}

// process is a running command.
type process struct {
	t     testing.TB
	cmd   *exec.Cmd
	lines []string // output up to the line of start
	log   *bytes.Buffer
	ended chan struct{}
}

// start returns when the process has printed a line that ends with last.
func (p instance) start(last string, args ...string) *process {
	p.t.Helper()
	run := &process{t: p.t, cmd: p.command(context.Background(), nil, args...), log: &bytes.Buffer{}, ended: make(chan struct{})}
	run.cmd.Stderr = run.log
	out, err := run.cmd.StdoutPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, run.cmd.Start())
	p.t.Cleanup(func() {
		_ = run.cmd.Process.Signal(syscall.SIGTERM) // PostgreSQL must stop before its folder is removed
		select {
		case <-run.ended:
		case <-time.After(waitTimeout):
			_ = run.cmd.Process.Kill()
			<-run.ended
		}
	})
	ready := make(chan struct{})
	go func() {
		signalReady := sync.OnceFunc(func() { close(ready) })
		for lines := bufio.NewScanner(out); lines.Scan(); {
			run.lines = append(run.lines, lines.Text())
			if strings.HasSuffix(lines.Text(), last) {
				signalReady()
				break
			}
		}
		_, _ = io.Copy(io.Discard, out)
		_ = run.cmd.Wait()
		close(run.ended)
	}()
	select {
	case <-ready:
	case <-run.ended:
		p.t.Fatalf("%v exited: %s", args, run.log)
	case <-time.After(waitTimeout):
		p.t.Fatalf("%v does not start", args)
	}
	return run
}

// stop sends the signal and waits until the process exits.
func (r *process) stop(signal syscall.Signal) {
	r.t.Helper()
	require.NoError(r.t, r.cmd.Process.Signal(signal))
	select {
	case <-r.ended:
	case <-time.After(waitTimeout):
		r.t.Fatalf("the process does not exit: %s", r.log)
	}
}

// Ends of the lines that serve and work print when they have started.
const serving, working = "Ctrl-C ends everything", "when the running jobs are done"

func (p instance) serve(args ...string) *process {
	return p.start(serving, append([]string{"serve"}, args...)...)
}

func (p instance) get(path string) (int, string) {
	p.t.Helper()
	response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", p.port, path))
	require.NoError(p.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	return response.StatusCode, string(body)
}

// query queries the embedded PostgreSQL of a running server.
func (p instance) query(sql string, args ...any) (n int) {
	p.t.Helper()
	address, ok := pgserver.FindRunning(filepath.Join(p.dir, "postgres"))
	require.True(p.t, ok, "PostgreSQL runs")
	conn, err := pgx.Connect(context.Background(), address)
	require.NoError(p.t, err)
	defer conn.Close(context.Background())
	require.NoError(p.t, conn.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

// postmaster returns the process id of PostgreSQL's main process.
func (p instance) postmaster() int {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, "postgres", "data", "postmaster.pid"))
	require.NoError(p.t, err)
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	require.NoError(p.t, err)
	return pid
}

// hasEnded reports whether the process has ended. Zombies count as ended.
func hasEnded(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return syscall.Kill(pid, 0) == syscall.ESRCH || err == nil && strings.Contains(string(stat), ") Z ")
}

func TestCommands_InvalidVariablePrintsOneLine(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	for _, command := range [][]string{
		{}, {"serve"}, {"work"}, {"migrate"}, {"seed"}, {"admin", "grant", "a@example.test"}, {"openapi"},
	} {
		p.requireRefused([]string{"PUBLIC_URL=example.org"}, "PUBLIC_URL: ", command...)
	}
	p.requireRefused([]string{"PORT=abc"}, "PORT: ", "serve")
	for _, public := range []string{"PUBLIC_URL=https://heartward.test", "PUBLIC_URL=http://heartward.test", "HOST=0.0.0.0"} {
		for _, command := range []string{"serve", "work"} {
			p.requireRefused([]string{public}, "SMTP_URL: a site that other machines can reach requires a mail server", command)
			p.requireRefused([]string{public, "SMTP_URL=smtps://mail.example.test", "MAIL_FROM=a@example.test"}, "CONTACT: ", command)
		}
	}
	p.requireRefused([]string{"DATABASE_URL=postgres://nobody:hunter2@127.0.0.1:1/none"}, "DATABASE_URL: ", "serve")
	require.NotContains(t, p.run([]string{"DATABASE_URL=postgres://nobody:hunter2@127.0.0.1:1/none"}, "serve").err, "hunter2")
	p.requireRefused([]string{"DATABASE_URL=postgres://x@127.0.0.1:1/x", "POSTGRES_BIN=/missing"}, "DATABASE_URL: ", "migrate")
	p.requireRefused([]string{"POSTGRES_BIN=/missing"}, "POSTGRES_BIN=/missing: ", "migrate")
}

func TestCommands_OpenAPIAndVAPIDNeedNoDatabase(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	noDatabase := []string{"DATABASE_URL=postgres://x@127.0.0.1:1/x"}
	document := p.run(noDatabase, "openapi")
	require.Zero(t, document.code, document.err)
	require.True(t, json.Valid([]byte(document.out)))
	written, err := os.ReadFile("pwa/src/api/openapi.json")
	require.NoError(t, err)
	require.Equal(t, string(written), document.out, "run scripts/generate")

	keys := p.run(noDatabase, "vapid")
	require.Zero(t, keys.code)
	require.NotEqual(t, keys.out, p.run(noDatabase, "vapid").out)
	for i, line := range strings.Split(strings.TrimSpace(keys.out), "\n") {
		name, value, _ := strings.Cut(line, "=")
		require.Equal(t, []string{"VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY"}[i], name)
		raw, err := base64.RawURLEncoding.DecodeString(value)
		require.NoError(t, err)
		require.Len(t, raw, []int{65, 32}[i])
	}
	require.Regexp(t, `^heartward \S+ go1\.\S+\n$`, p.run(noDatabase, "version").out)
	require.NoDirExists(t, p.dir, "these commands create no data folder")
}

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
