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
	"heartward/api/platform/testkit"
)

// flakyProxy is a proxy to PostgreSQL that is cut after a number of writes: connections
// are closed and new ones refused.
type flakyProxy struct {
	mu          sync.Mutex
	writesLeft  int  // writes until the cut; negative for none
	deliverLast bool // whether the last write is delivered, without its response
	conns       []net.Conn
}

const proxyName = "flaky-proxy" // the application_name of the connections

var errCut = errors.New("the connection was cut")

func (p *flakyProxy) dial(ctx context.Context, network, address string) (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.writesLeft == 0 {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errCut}
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	p.conns = append(p.conns, conn)
	return proxyConn{conn, p}, nil
}

// cutAfter cuts the connection at the given write from now, which is still delivered if
// deliverLast is set.
func (p *flakyProxy) cutAfter(writes int, deliverLast bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writesLeft, p.deliverLast = writes, deliverLast
}

// heal restores the connection, discards the closed connections of the pool, and
// waits until PostgreSQL has closed them too, because it may still execute the last
// statement.
func (p *flakyProxy) heal(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	p.cutAfter(-1, false)
	pool.Reset()
	require.Eventually(t, func() bool {
		var backends int32
		err := pool.QueryRow(t.Context(), `
			SELECT count(*)
			FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = $1`, proxyName).Scan(&backends)
		return err == nil && backends <= pool.Stat().TotalConns()
	}, testkit.Timeout, time.Millisecond)
}

// wasCut reports whether the connection was cut.
func (p *flakyProxy) wasCut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.writesLeft == 0
}

type proxyConn struct {
	net.Conn
	proxy *flakyProxy
}

func (c proxyConn) Write(data []byte) (n int, err error) {
	c.proxy.mu.Lock()
	defer c.proxy.mu.Unlock()
	if c.proxy.writesLeft > 0 {
		c.proxy.writesLeft--
	}
	if c.proxy.writesLeft != 0 {
		return c.Conn.Write(data)
	}
	if c.proxy.deliverLast {
		n, err = c.Conn.Write(data)
	} else {
		err = &net.OpError{Op: "write", Net: "tcp", Err: errCut}
	}
	for _, conn := range c.proxy.conns {
		_ = conn.Close()
	}
	c.proxy.conns = nil
	return n, err
}

// newFlakyProxy returns a proxy to a new database, and a pool that uses it.
func newFlakyProxy(t *testing.T) (*flakyProxy, *pgxpool.Pool) {
	t.Helper()
	proxy := &flakyProxy{writesLeft: -1}
	config := pgtest.New(t).Config()
	config.ConnConfig.DialFunc = proxy.dial
	config.ConnConfig.RuntimeParams["application_name"] = proxyName
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return proxy, pool
}

// Cuts the connection to PostgreSQL at each step of each operation.
func TestOperations_UnavailableWithoutPostgreSQL(t *testing.T) {
	t.Parallel()
	proxy, pool := newFlakyProxy(t)
	s := newEnvAt(t, "http://heartward.test", pool)
	operations := s.operations()
	slices.SortFunc(operations, func(a, b operation) int { // signing out is last, because it ends the session
		key := func(op operation) string {
			if strings.Contains(op.path, "logout") {
				return "~" + op.path
			}
			return op.path + op.method
		}
		return strings.Compare(key(a), key(b))
	})
	unavailable := 0
	for _, op := range operations {
		proxy.heal(t, pool)
		testkit.Exec(t, pool, `DELETE FROM rate_limits`)
		contentType, body := op.sampleBody(s)
		for step := range 24 {
			proxy.heal(t, pool)
			require.NoError(t, pool.Ping(t.Context()))
			proxy.cutAfter(1+step/2, step%2 == 1)
			got := s.send(s.viewer, op.method, op.pathWith(s, nil, ""), contentType, body)
			what := op.method + " " + op.path + ": " + got.body
			require.NotEqual(t, http.StatusInternalServerError, got.status, what)
			if got.status == http.StatusServiceUnavailable {
				require.Equal(t, "application/problem+json", got.contentType, what)
				require.NotEmpty(t, got.header.Get("Retry-After"), what)
				unavailable++
			} else if cookies := cookieOf(got); got.status < 300 && cookies != "" {
				s.viewer = cookies
			}
			if !proxy.wasCut() {
				break
			}
		}
	}
	require.Greater(t, unavailable, 100)
}

func TestServer_RecoversFromLossOfPostgreSQL(t *testing.T) {
	t.Parallel()
	proxy, pool := newFlakyProxy(t)
	s := newEnvAt(t, "http://heartward.test", pool)
	proxy.cutAfter(1, false)
	for range 2 { // first with broken connections in the pool, then with an empty pool
		for path, status := range map[string]int{
			"/readyz": 503, "/api/auth/user": 503, "/healthz": 200, "/": 200, "/sw.js": 200, "/docs": 200,
		} {
			require.Equal(t, status, s.send(s.viewer, http.MethodGet, path, "", "").status, path)
		}
	}
	proxy.heal(t, pool)
	for _, path := range []string{"/readyz", "/api/auth/user"} {
		require.Equal(t, http.StatusOK, s.send(s.viewer, http.MethodGet, path, "", "").status, path)
	}
}
