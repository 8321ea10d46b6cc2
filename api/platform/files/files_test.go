package files_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/testkit"
)

func TestStore_PutRangeDelete(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "with space", "files")
	store, err := files.Open(t.Context(), "", folder)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	const key = "0192/full.webp"
	require.NoError(t, store.Put(t.Context(), key, "image/webp", strings.NewReader("0123456789")))

	size, err := store.Size(t.Context(), key)
	require.NoError(t, err)
	require.EqualValues(t, 10, size)
	for _, c := range []struct {
		offset, length int64
		want           string
	}{{0, -1, "0123456789"}, {2, 3, "234"}, {8, -1, "89"}} {
		r, err := store.Range(t.Context(), key, c.offset, c.length)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.Equal(t, c.want, string(got))
	}

	require.NoError(t, store.Delete(t.Context(), key))
	_, err = store.Range(t.Context(), key, 0, -1)
	testkit.RequireKind(t, err, fault.NotFound)
	testkit.RequireKind(t, store.Delete(t.Context(), key), fault.NotFound)
	remaining := 0
	require.NoError(t, filepath.WalkDir(folder, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			remaining++
		}
		return err
	}))
	require.Zero(t, remaining, "no file or folder of a deleted blob remains")
}

// A failed Put stores nothing and keeps an existing blob.
func TestPut_FailureKeepsTheExistingBlob(t *testing.T) {
	t.Parallel()
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	failingPut := func() error {
		return store.Put(t.Context(), "0192/media", "video/webm", io.MultiReader(strings.NewReader("half of"), iotest.ErrReader(syscall.ENOSPC)))
	}
	testkit.RequireKind(t, failingPut(), fault.Unavailable)
	_, err = store.Size(t.Context(), "0192/media")
	testkit.RequireKind(t, err, fault.NotFound)
	require.NoError(t, store.Put(t.Context(), "0192/media", "video/webm", strings.NewReader("the whole of it")))
	testkit.RequireKind(t, failingPut(), fault.Unavailable)
	size, err := store.Size(t.Context(), "0192/media")
	require.NoError(t, err)
	require.EqualValues(t, len("the whole of it"), size)
}

func TestOpen_RefusesUnknownSchemes(t *testing.T) {
	t.Parallel()
	_, err := files.Open(t.Context(), "ftp://example.test/x", "")
	require.ErrorContains(t, err, "opening the file store")
}

func TestStore_KeysCannotLeaveTheFolder(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	store, err := files.Open(t.Context(), "", folder)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	require.NoError(t, store.Put(t.Context(), "../outside", "text/plain", strings.NewReader("x")))
	_, err = os.Stat(filepath.Join(filepath.Dir(folder), "outside"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
