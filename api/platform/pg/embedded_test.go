package pg_test

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

	"heartward/api/platform/pg"
)

const holdEnv = "HEARTWARD_TEST_HOLD"

// TestMain lets the test binary be the process that holds a server and is
// killed by a test.
func TestMain(m *testing.M) {
	dir := os.Getenv(holdEnv)
	if dir == "" {
		os.Exit(m.Run())
	}
	server, err := pg.StartEmbedded(context.Background(), pg.EmbeddedOptions{Dir: dir})
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(server.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	server.Stop()
}

func TestEmbeddedKeepsItsDataFromStartToStart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	server := start(t, pg.EmbeddedOptions{Dir: dir})
	run(t, server.URL(), "CREATE TABLE kept AS SELECT 7 AS n")
	socket := socketDir(t, dir)
	require.DirExists(t, socket)
	server.Stop()
	server.Stop()

	require.NoDirExists(t, socket, "the socket's folder is removed")
	require.NoFileExists(t, filepath.Join(dir, "data", "postmaster.pid"))
	again := start(t, pg.EmbeddedOptions{Dir: dir})
	require.Equal(t, server.URL(), again.URL())
	require.Equal(t, "7", run(t, again.URL(), "SELECT n::text FROM kept"))
	require.Equal(t, "heartward", run(t, again.URL(), "SELECT current_database()"))
	require.Equal(t, "on", run(t, again.URL(), "SHOW fsync"))
	require.Empty(t, run(t, again.URL(), "SHOW listen_addresses"))
}

func TestEmbeddedRefusesASecondServerOnTheSameFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	server := start(t, pg.EmbeddedOptions{Dir: dir, Throwaway: true})

	_, err := pg.StartEmbedded(context.Background(), pg.EmbeddedOptions{Dir: dir})

	require.ErrorContains(t, err, fmt.Sprintf("another server (process %d) is already running on %s", os.Getpid(), dir))
	require.Equal(t, "1", run(t, server.URL(), "SELECT '1'"), "the first one is not disturbed")
}

func TestRunningEmbeddedFindsTheServerOfThisFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	_, found := pg.RunningEmbedded(dir)
	require.False(t, found)
	server := start(t, pg.EmbeddedOptions{Dir: dir})

	url, found := pg.RunningEmbedded(dir)

	require.True(t, found)
	require.Equal(t, server.URL(), url)
	server.Stop()
	_, found = pg.RunningEmbedded(dir)
	require.False(t, found)
}

func TestEmbeddedHealsWhenTheServerIsKilled(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	server := start(t, pg.EmbeddedOptions{Dir: dir})
	run(t, server.URL(), "CREATE TABLE kept AS SELECT 7 AS n")
	busy := connect(t, server.URL())
	before := serverPID(t, dir)
	asleep := make(chan error, 1)
	go func() { // a child that does not notice at once that its parent is gone
		_, err := busy.Exec(context.Background(), "SELECT pg_sleep(600)")
		asleep <- err
	}()
	require.Eventually(t, func() bool {
		return run(t, server.URL(), "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "1"
	}, 10*time.Second, 10*time.Millisecond)

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
	}, 20*time.Second, 20*time.Millisecond)
	require.NotEqual(t, before, serverPID(t, dir))
}

func TestEmbeddedEndsWithAKilledProcessAndStartsAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	holder, url := hold(t, dir)
	run(t, url, "CREATE TABLE kept AS SELECT 7 AS n")
	orphan := serverPID(t, dir)

	require.NoError(t, holder.Process.Kill())
	_ = holder.Wait()

	server := start(t, pg.EmbeddedOptions{Dir: dir})
	require.Equal(t, url, server.URL())
	require.Equal(t, "7", run(t, server.URL(), "SELECT n::text FROM kept"))
	require.NotEqual(t, orphan, serverPID(t, dir))
}

func TestEmbeddedStopsALiveServerThatNobodyHolds(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	holder, url := hold(t, dir)
	conn := connect(t, url)
	run(t, url, "CREATE TABLE kept AS SELECT 7 AS n")
	orphan := serverPID(t, dir)
	// Stopped, it does not act on the signal that it gets with its parent's
	// death, as if that had been lost.
	require.NoError(t, syscall.Kill(orphan, syscall.SIGSTOP))
	require.NoError(t, holder.Process.Kill())
	_ = holder.Wait()
	t.Cleanup(func() { _ = syscall.Kill(orphan, syscall.SIGKILL) })

	started := make(chan *pg.Embedded, 1)
	go func() {
		server, err := pg.StartEmbedded(context.Background(), pg.EmbeddedOptions{Dir: dir})
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
	require.Error(t, conn.Ping(context.Background()), "the old server is gone")
}

func TestEmbeddedSaysWhenTheDataIsOfAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	start(t, pg.EmbeddedOptions{Dir: dir}).Stop()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "data", "PG_VERSION"), []byte("12\n"), 0o600))

	_, err := pg.StartEmbedded(context.Background(), pg.EmbeddedOptions{Dir: dir})

	require.ErrorContains(t, err, "the data was made by PostgreSQL 12, but here is")
	require.NotContains(t, err.Error(), "\n")
}

func TestEmbeddedSaysWhenTheProgramsAreMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := pg.StartEmbedded(context.Background(), pg.EmbeddedOptions{Dir: filepath.Join(dir, "postgres"), BinDir: dir})
	require.EqualError(t, err, "POSTGRES_BIN="+dir+": no initdb there")
}

func TestThrowawayLeavesNothing(t *testing.T) {
	t.Parallel()
	server := start(t, pg.EmbeddedOptions{Throwaway: true})
	dir := run(t, server.URL(), "SHOW unix_socket_directories")
	require.Equal(t, "off", run(t, server.URL(), "SHOW fsync"))
	server.Stop()
	require.NoDirExists(t, dir)
}

func start(t *testing.T, opts pg.EmbeddedOptions) *pg.Embedded {
	t.Helper()
	server, err := pg.StartEmbedded(context.Background(), opts)
	require.NoError(t, err)
	t.Cleanup(server.Stop)
	return server
}

// hold starts a process that holds a server on dir.
func hold(t *testing.T, dir string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdEnv+"="+dir)
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

// run answers the first column of the first row, "" for a command.
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
