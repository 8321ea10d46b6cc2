package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgserver"
)

// instance is the data folder, port and environment of one process.
type instance struct {
	t         testing.TB
	dir       string
	port      int
	variables []string // environment in addition to what command sets
	wrapper   []string // command line that is put before the binary's
}

func newInstance(t testing.TB) instance {
	readTree()
	return instance{t: t, dir: filepath.Join(t.TempDir(), "data"), port: freePort(t)}
}

// readTree makes go test run these tests again when a file of the program or a script has changed. To be called by a
// test: what TestMain reads is not recorded.
func readTree() { _ = os.Getenv("TEST_TREE") }

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
