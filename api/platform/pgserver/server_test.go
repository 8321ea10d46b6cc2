package pgserver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgserver"
	"heartward/api/platform/testkit"
)

// ownerEnv names the folder on which the test binary runs a server instead of
// tests.
const ownerEnv = "HEARTWARD_TEST_SERVER_DIR"

// TestMain runs a server until standard input is closed if ownerEnv is set: tests
// start the test binary as the process that owns a server, and kill it.
func TestMain(m *testing.M) {
	dir := os.Getenv(ownerEnv)
	if dir == "" {
		os.Exit(m.Run())
	}
	server, err := pgserver.Start(context.Background(), pgserver.Options{Dir: dir})
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(server.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	server.Stop()
}

func TestStart_ReusesDataOfEarlierRuns(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	server := start(t, pgserver.Options{Dir: dir})
	run(t, server.URL(), "CREATE TABLE kept AS SELECT 7 AS n")
	socket := socketDir(t, dir)
	require.DirExists(t, socket)
	server.Stop()
	server.Stop()

	require.NoDirExists(t, socket, "the socket's folder is removed")
	require.NoFileExists(t, filepath.Join(dir, "data", "postmaster.pid"))
	again := start(t, pgserver.Options{Dir: dir})
	require.Equal(t, server.URL(), again.URL())
	require.Equal(t, "7", run(t, again.URL(), "SELECT n::text FROM kept"))
	require.Equal(t, "heartward", run(t, again.URL(), "SELECT current_database()"))
	require.Equal(t, "on", run(t, again.URL(), "SHOW fsync"))
	require.Empty(t, run(t, again.URL(), "SHOW listen_addresses"))
}

func TestStart_RefusesSecondServerOnSameFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	server := start(t, pgserver.Options{Dir: dir, Throwaway: true})

	_, err := pgserver.Start(context.Background(), pgserver.Options{Dir: dir})

	require.ErrorContains(t, err, fmt.Sprintf("another server (process %d) is already running on %s", os.Getpid(), dir))
	require.Equal(t, "1", run(t, server.URL(), "SELECT '1'"), "the first server still responds")
}

func TestFindRunning_OnlyWhileServerRuns(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	_, found := pgserver.FindRunning(dir)
	require.False(t, found)
	server := start(t, pgserver.Options{Dir: dir})

	url, found := pgserver.FindRunning(dir)

	require.True(t, found)
	require.Equal(t, server.URL(), url)
	server.Stop()
	_, found = pgserver.FindRunning(dir)
	require.False(t, found)
}

func TestServer_RestartsAfterKill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	server := start(t, pgserver.Options{Dir: dir})
	run(t, server.URL(), "CREATE TABLE kept AS SELECT 7 AS n")
	busy := connect(t, server.URL())
	before := serverPID(t, dir)
	asleep := make(chan error, 1)
	go func() { // a busy backend detects the end of its parent with a delay
		_, err := busy.Exec(context.Background(), "SELECT pg_sleep(600)")
		asleep <- err
	}()
	require.Eventually(t, func() bool {
		return run(t, server.URL(), "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "1"
	}, testkit.Timeout, 10*time.Millisecond)

	require.NoError(t, syscall.Kill(before, syscall.SIGKILL))

	require.Error(t, <-asleep)
	require.Eventually(t, func() bool {
		conn, err := pgx.Connect(context.Background(), server.URL())
		if err != nil {
			return false
		}
		defer conn.Close(context.Background())
		var n int
		return conn.QueryRow(context.Background(), "SELECT n FROM kept").Scan(&n) == nil && n == 7
	}, testkit.Timeout, 20*time.Millisecond)
	require.NotEqual(t, before, serverPID(t, dir))
}

func TestStart_AfterOwnerWasKilled(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	owner, url := startOwner(t, dir)
	run(t, url, "CREATE TABLE kept AS SELECT 7 AS n")
	orphan := serverPID(t, dir)

	require.NoError(t, owner.Process.Kill())
	_ = owner.Wait()

	server := start(t, pgserver.Options{Dir: dir})
	require.Equal(t, url, server.URL())
	require.Equal(t, "7", run(t, server.URL(), "SELECT n::text FROM kept"))
	require.NotEqual(t, orphan, serverPID(t, dir))
}

func TestStart_StopsServerThatOutlivedItsOwner(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	owner, url := startOwner(t, dir)
	conn := connect(t, url)
	run(t, url, "CREATE TABLE kept AS SELECT 7 AS n")
	orphan := serverPID(t, dir)
	// A stopped server does not handle the parent-death signal, as if the signal were
	// lost.
	require.NoError(t, syscall.Kill(orphan, syscall.SIGSTOP))
	require.NoError(t, owner.Process.Kill())
	_ = owner.Wait()
	t.Cleanup(func() { _ = syscall.Kill(orphan, syscall.SIGKILL) })

	started := make(chan *pgserver.Server, 1)
	go func() {
		server, err := pgserver.Start(context.Background(), pgserver.Options{Dir: dir})
		if err == nil {
			started <- server
		}
		close(started)
	}()
	require.NoError(t, syscall.Kill(orphan, syscall.SIGCONT))
	server := <-started

	require.NotNil(t, server)
	t.Cleanup(server.Stop)
	require.Equal(t, "7", run(t, server.URL(), "SELECT n::text FROM kept"))
	require.Error(t, conn.Ping(context.Background()), "the old server has exited")
}

func TestStart_RefusesDataOfAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	start(t, pgserver.Options{Dir: dir}).Stop()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "data", "PG_VERSION"), []byte("12\n"), 0o600))

	_, err := pgserver.Start(context.Background(), pgserver.Options{Dir: dir})

	require.ErrorContains(t, err, "the data was created by PostgreSQL 12, but the installed version is")
	require.NotContains(t, err.Error(), "\n")
}

func TestStart_RefusesFolderWithoutPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := pgserver.Start(context.Background(), pgserver.Options{Dir: filepath.Join(dir, "postgres"), BinDir: dir})
	require.EqualError(t, err, "POSTGRES_BIN="+dir+": no initdb in this folder")
}

func TestStop_DeletesThrowawayServer(t *testing.T) {
	t.Parallel()
	server := start(t, pgserver.Options{Throwaway: true})
	dir := run(t, server.URL(), "SHOW unix_socket_directories")
	require.Equal(t, "off", run(t, server.URL(), "SHOW fsync"))
	server.Stop()
	require.NoDirExists(t, dir)
}

func start(t *testing.T, opts pgserver.Options) *pgserver.Server {
	t.Helper()
	server, err := pgserver.Start(context.Background(), opts)
	require.NoError(t, err)
	t.Cleanup(server.Stop)
	return server
}

// startOwner starts a process that runs a server on dir, and returns the address
// of the server.
func startOwner(t *testing.T, dir string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), ownerEnv+"="+dir)
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "postgres://")
	return cmd, strings.TrimSpace(line)
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// run returns the first column of the first row, and "" for a command.
func run(t *testing.T, url, sql string) string {
	t.Helper()
	conn := connect(t, url)
	rows, err := conn.Query(context.Background(), sql)
	require.NoError(t, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

func pidLine(t *testing.T, dir string, n int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	require.NoError(t, err)
	return strings.Split(string(text), "\n")[n-1]
}

func serverPID(t *testing.T, dir string) int {
	t.Helper()
	pid, err := strconv.Atoi(pidLine(t, dir, 1))
	require.NoError(t, err)
	return pid
}

func socketDir(t *testing.T, dir string) string {
	t.Helper()
	return pidLine(t, dir, 5)
}
