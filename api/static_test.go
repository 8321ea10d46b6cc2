package api_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
)

// Whoever asks and never reads would hold a goroutine and the answer for good.
func TestNoReaderIsWaitedForWithoutEnd(t *testing.T) {
	t.Parallel()
	config := newPages(t, "", builtApp()).Config()
	for _, wait := range []time.Duration{config.ReadTimeout, config.WriteTimeout, config.IdleTimeout} {
		require.Positive(t, wait)
	}
}

func TestAnEarlierAssetIsReadOnce(t *testing.T) {
	t.Parallel()
	keep := t.TempDir()
	newPages(t, keep, builtApp())
	next := newPages(t, keep, fstest.MapFS{"index.html": {Data: []byte("new")}})
	ask := func(path string) answer { return get(t, next, path, "Accept-Encoding", "br") }
	first := ask("/assets/chunk-abc.js")
	require.Equal(t, http.StatusOK, first.status)
	require.NoError(t, os.Remove(filepath.Join(keep, "chunk-abc.js")))
	require.Equal(t, first.body, ask("/assets/chunk-abc.js").body)
	require.Equal(t, http.StatusNotFound, ask("/assets/deeper/chunk-abc.js").status, "it has one address")
}
