package api_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// cable is the way to PostgreSQL. It bears a number of writes; then it is cut:
// every connection ends and new ones are refused, as when the server is gone.
type cable struct {
	mu    sync.Mutex
	left  int  // writes until the cut; negative: never
	after bool // the last write still arrives, its answer does not
	conns []net.Conn
}

const cableName = "cable" // by which PostgreSQL knows the connections

var errCut = errors.New("the cable is cut")

func (c *cable) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errCut}
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c.conns = append(c.conns, conn)
	return wire{conn, c}, nil
}

func (c *cable) bear(writes int, after bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left, c.after = writes, after
}

// heal lets the cable bear everything again, discards the connections of the
// pool that the cut has ended, and waits until PostgreSQL has ended them too: it
// may still carry out the last statement that arrived.
func (c *cable) heal(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	c.bear(-1, false)
	pool.Reset()
	require.Eventually(t, func() bool {
		var backends int32
		err := pool.QueryRow(t.Context(), `
			SELECT count(*)
			FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = $1`, cableName).Scan(&backends)
		return err == nil && backends <= pool.Stat().TotalConns()
	}, 30*time.Second, time.Millisecond)
}

// used reports whether the cut has come.
func (c *cable) used() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left == 0
}

type wire struct {
	net.Conn
	c *cable
}

func (w wire) Write(p []byte) (n int, err error) {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	if w.c.left > 0 {
		w.c.left--
	}
	if w.c.left != 0 {
		return w.Conn.Write(p)
	}
	if w.c.after {
		n, err = w.Conn.Write(p)
	} else {
		err = &net.OpError{Op: "write", Net: "tcp", Err: errCut}
	}
	for _, conn := range w.c.conns {
		_ = conn.Close()
	}
	w.c.conns = nil
	return n, err
}

// newCable is a way to a database of one's own.
func newCable(t *testing.T) (*cable, *pgxpool.Pool) {
	t.Helper()
	way := &cable{left: -1}
	config := pgtest.New(t).Config()
	config.ConnConfig.DialFunc = way.dial
	config.ConnConfig.RuntimeParams["application_name"] = cableName
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return way, pool
}

// TestWithoutPostgreSQLCallsAreAskedToComeBack loses PostgreSQL at each step
// of each operation.
func TestWithoutPostgreSQLCallsAreAskedToComeBack(t *testing.T) {
	t.Parallel()
	way, pool := newCable(t)
	s := newStageAt(t, "http://heartward.test", pool)
	operations := s.operations()
	slices.SortFunc(operations, func(a, b operation) int { // signing out comes last
		key := func(op operation) string {
			if strings.Contains(op.path, "logout") {
				return "~" + op.path
			}
			return op.path + op.method
		}
		return strings.Compare(key(a), key(b))
	})
	asked := 0
	for _, op := range operations {
		way.heal(t, pool)
		_, err := pool.Exec(t.Context(), `DELETE FROM rate_limits`)
		require.NoError(t, err)
		contentType, body := op.sampleBody(s)
		for step := range 24 {
			way.heal(t, pool)
			require.NoError(t, pool.Ping(t.Context()))
			way.bear(1+step/2, step%2 == 1)
			got := s.send(s.viewer, op.method, op.pathWith(s, nil, ""), contentType, body)
			what := op.method + " " + op.path + ": " + got.body
			require.NotEqual(t, http.StatusInternalServerError, got.status, what)
			if got.status == http.StatusServiceUnavailable {
				require.Equal(t, "application/problem+json", got.contentType, what)
				require.NotEmpty(t, got.header.Get("Retry-After"), what)
				asked++
			} else if cookies := cookieOf(got); got.status < 300 && cookies != "" {
				s.viewer = cookies
			}
			if !way.used() {
				break
			}
		}
	}
	require.Greater(t, asked, 100)
}

func TestWhatNeedsNoPostgreSQLGoesOnAndTheRestHeals(t *testing.T) {
	t.Parallel()
	way, pool := newCable(t)
	s := newStageAt(t, "http://heartward.test", pool)
	way.bear(1, false)
	for range 2 { // with connections that die, and then without any
		for path, status := range map[string]int{
			"/readyz": 503, "/riverui/": 503, "/api/auth/user": 503, "/healthz": 200, "/": 200, "/sw.js": 200, "/docs": 200,
		} {
			require.Equal(t, status, s.send(s.viewer, http.MethodGet, path, "", "").status, path)
		}
	}
	way.heal(t, pool)
	for _, path := range []string{"/readyz", "/api/auth/user"} {
		require.Equal(t, http.StatusOK, s.send(s.viewer, http.MethodGet, path, "", "").status, path)
	}
}
