package files_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"

	"heartward/api/platform/files"
)

// silentBucket sends one byte of each blob, and then blocks until the context ends.
type silentBucket struct{ driver.Bucket }

func (silentBucket) Close() error                           { return nil }
func (silentBucket) ErrorCode(err error) gcerrors.ErrorCode { return gcerrors.Code(err) }

func (silentBucket) NewRangeReader(ctx context.Context, _ string, _, _ int64, _ *driver.ReaderOptions) (driver.Reader, error) {
	return &silentReader{ctx: ctx}, nil
}

type silentReader struct {
	ctx  context.Context
	sent bool
}

func (r *silentReader) Read(p []byte) (int, error) {
	if !r.sent {
		r.sent = true
		return copy(p, "x"), nil
	}
	<-r.ctx.Done()
	return 0, r.ctx.Err()
}

func (r *silentReader) Close() error { return nil }
func (r *silentReader) As(any) bool  { return false }
func (r *silentReader) Attributes() *driver.ReaderAttributes {
	return &driver.ReaderAttributes{Size: 2}
}

// Without the time limit this test does not end, because nothing else cancels the read.
func TestRange_FailsWithoutData(t *testing.T) {
	t.Parallel()
	store := files.FromBucket(blob.NewBucket(silentBucket{}))
	store.SetStall(20 * time.Millisecond)
	reader, err := store.Range(context.WithoutCancel(t.Context()), "key", 0, 2)
	require.NoError(t, err)
	content, err := io.ReadAll(reader)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "x", string(content))
	require.NoError(t, reader.Close())
}

// Only the time within a read counts, not the time between two reads.
func TestRange_AllowsSlowReaders(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store, err := files.Open(t.Context(), "", folder)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	require.NoError(t, store.Put(t.Context(), "key", "text/plain", io.LimitReader(zeros{}, 1<<20)))
	store.SetStall(20 * time.Millisecond)
	reader, err := store.Range(t.Context(), "key", 0, -1)
	require.NoError(t, err)
	defer reader.Close()
	_, err = io.ReadFull(reader, make([]byte, 1))
	require.NoError(t, err)
	<-time.After(60 * time.Millisecond) // three times the limit
	rest, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Len(t, rest, 1<<20-1)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
