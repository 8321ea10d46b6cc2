package members_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pgtest"
)

// lossyConn is a connection to PostgreSQL that is lost between the commit of a photo and its
// response.
type lossyConn struct {
	net.Conn
	added, committed bool
}

func (d *lossyConn) Write(p []byte) (int, error) {
	d.added = d.added || bytes.Contains(p, []byte("INSERT INTO member_media"))
	d.committed = d.committed || d.added && bytes.Contains(p, []byte("commit"))
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
	config := w.Pool.Config()
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &lossyConn{Conn: conn}, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	upload := w.uploaded(id, picture(t))
	b := blobs.New(pool, w.store)
	photo, err := media.New(pool, b, members.New(pool, b), pgtest.Jobs(t, pool), nil).AddPicture(ctx, id, upload, members.PhotoSlot)
	require.NoError(t, err, "the photo is found by another connection")
	me, err := w.Me(ctx, id)
	require.NoError(t, err)
	require.Equal(t, []members.Photo{photo}, me.Photos)
	require.Equal(t, 200, w.call(id, "GET", me.Photos[0].URL, "").Code)
	retry, err := w.media.AddPicture(ctx, id, upload, members.PhotoSlot)
	require.NoError(t, err)
	require.Equal(t, []members.Photo{retry}, me.Photos, "a retry returns the photo")
}
