package members_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
)

// lossyConn is a connection to PostgreSQL that is lost between a commit and its response.
type lossyConn struct {
	net.Conn
	committed bool
}

func (d *lossyConn) Write(p []byte) (int, error) {
	d.committed = d.committed || bytes.Contains(p, []byte("commit"))
	return d.Conn.Write(p)
}

func (d *lossyConn) Read(p []byte) (int, error) {
	n, err := d.Conn.Read(p)
	if d.committed {
		_ = d.Conn.Close()
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

func TestAddPhoto_LostCommitResponseKeepsBlobs(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	id := w.join("Ada")
	config := w.pool.Config()
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &lossyConn{Conn: conn}, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	_, err = members.New(pool, blobs.New(pool, w.store)).AddPhoto(ctx, id, bytes.NewReader(picture(t)), int64(len(picture(t))))
	require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	me, err := w.Me(ctx, id)
	require.NoError(t, err)
	require.Len(t, me.Photos, 1)
	require.Equal(t, 200, w.call(id, "GET", me.Photos[0].URL, "").Code)
}
