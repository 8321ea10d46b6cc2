package files_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"

	"heartward/api/platform/files"
)

// stallingBucket has blobs of three bytes. It sends one byte a read until it stalls, which blocks until the context
// ends.
type stallingBucket struct {
	driver.Bucket
	stallsAt int // 0 to 2 for a byte, -1 for opening, 4 for never
}

func (stallingBucket) Close() error                           { return nil }
func (stallingBucket) ErrorCode(err error) gcerrors.ErrorCode { return gcerrors.Code(err) }

func (b stallingBucket) NewRangeReader(ctx context.Context, _ string, _, _ int64, _ *driver.ReaderOptions) (driver.Reader, error) {
	if b.stallsAt < 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &stallingReader{ctx: ctx, stallsAt: b.stallsAt}, nil
}

type stallingReader struct {
	ctx            context.Context
	sent, stallsAt int
}

func (r *stallingReader) Read(p []byte) (int, error) {
	if r.sent == r.stallsAt {
		<-r.ctx.Done()
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.sent == 3 {
		return 0, io.EOF
	}
	r.sent++
	return copy(p, "x"), nil
}

func (r *stallingReader) Close() error { return nil }
func (r *stallingReader) As(any) bool  { return false }
func (r *stallingReader) Attributes() *driver.ReaderAttributes {
	return &driver.ReaderAttributes{Size: 3}
}

// Nothing but the time limit cancels the read: without it synctest fails, because all goroutines are blocked.
func TestRange_FailsWithoutData(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stallsAt int
		content  string
	}{"opening": {-1, ""}, "first read": {0, ""}, "second read": {1, "x"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				store := files.FromBucket(blob.NewBucket(stallingBucket{stallsAt: c.stallsAt}))
				reader, err := store.Range(context.WithoutCancel(t.Context()), "key", 0, 3)
				content := []byte{}
				if c.stallsAt >= 0 {
					require.NoError(t, err)
					content, err = io.ReadAll(reader)
					require.NoError(t, reader.Close())
				}
				require.ErrorIs(t, err, context.Canceled)
				require.Equal(t, c.content, string(content))
				require.Equal(t, 30*time.Second, time.Since(began), "by the clock of synctest")
			})
		})
	}
}

// Only the time within a read counts, not the time after opening and between two reads.
func TestRange_AllowsSlowReaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := files.FromBucket(blob.NewBucket(stallingBucket{stallsAt: 4}))
		reader, err := store.Range(context.WithoutCancel(t.Context()), "key", 0, 3)
		require.NoError(t, err)
		for range 3 {
			time.Sleep(time.Hour) // by the clock of synctest
			_, err = io.ReadFull(reader, make([]byte, 1))
			require.NoError(t, err)
		}
		require.NoError(t, reader.Close())
	})
}
