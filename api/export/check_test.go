package export

import (
	"archive/zip"
	"bytes"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/blobs"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
)

// A truncated archive, or one without all entries, cannot be downloaded.
func TestCheck_FindsIncompleteArchives(t *testing.T) {
	t.Parallel()
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	s := &Service{blobs: blobs.New(pgtest.New(t), store)}

	const entries = 1000 // so that the directory is longer than what is read at once
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for n := range entries {
		_, err := w.Create(fmt.Sprintf("conversations/%d.json", n))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())

	check := func(stored []byte, size, entries int) error {
		id := uuid.New()
		require.NoError(t, store.Put(t.Context(), blobs.Key(id, blobs.Archive), "application/zip", bytes.NewReader(stored)))
		return s.check(t.Context(), id, int64(size), entries)
	}
	require.NoError(t, check(out.Bytes(), out.Len(), entries))
	require.ErrorContains(t, check(out.Bytes(), out.Len(), entries+1), "has 1000 entries instead of 1001")
	require.ErrorContains(t, check(out.Bytes()[:out.Len()-1], out.Len(), entries), "opening the stored archive")
	require.Error(t, s.check(t.Context(), uuid.New(), 1000, entries))
}
