package pgtest

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// Commits loses the connections of a pool between a COMMIT and its response: the transaction is committed, and its caller
// gets an error. It is safe for concurrent use.
type Commits struct {
	lose  atomic.Bool
	after atomic.Pointer[string]
}

// LoseNext makes the next COMMIT lose its connection.
func (c *Commits) LoseNext() { c.LoseNextAfter("") }

// LoseNextAfter makes the next COMMIT lose its connection on which a statement with this text was prepared, which happens once
// for each connection and statement.
func (c *Commits) LoseNextAfter(statement string) {
	c.after.Store(&statement)
	c.lose.Store(true)
}

// NewLossyPool returns a pool on the database of pool, whose commits c loses. It is closed at the end of the test.
func NewLossyPool(t testing.TB, pool *pgxpool.Pool) (lossy *pgxpool.Pool, c *Commits) {
	t.Helper()
	c = &Commits{}
	config := pool.Config()
	dial := config.ConnConfig.DialFunc
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &lossyConn{Conn: conn, commits: c}, err
	}
	lossy, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(lossy.Close)
	return lossy, c
}

// lossyConn is a connection to PostgreSQL.
type lossyConn struct {
	net.Conn
	commits  *Commits
	prepared bool // the statement of LoseNextAfter
	isLost   atomic.Bool
}

func (c *lossyConn) Write(p []byte) (int, error) {
	if after := c.commits.after.Load(); after != nil {
		c.prepared = c.prepared || bytes.Contains(p, []byte(*after))
		if c.prepared && isCommit(p) && c.commits.lose.CompareAndSwap(true, false) {
			c.isLost.Store(true)
		}
	}
	return c.Conn.Write(p)
}

// isCommit reports whether data is the message with which pgx commits: a simple query with its length.
func isCommit(data []byte) bool {
	return len(data) > 5 && data[0] == 'Q' && bytes.Equal(data[5:], []byte("commit\x00"))
}

func (c *lossyConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p) // waits for the response, after which the transaction is committed
	if c.isLost.Load() {
		_ = c.Conn.Close()
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}
