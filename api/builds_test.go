package api_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/files"
)

// newStore returns a file store for several servers, and its folder.
func newStore(t *testing.T) (*files.Store, string) {
	t.Helper()
	folder := t.TempDir()
	store, err := files.Open(t.Context(), "", folder)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store, folder
}

// newerApp returns a build that has no file in common with builtApp.
func newerApp() fstest.MapFS {
	return fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html><title>Newer</title>")}, "sw.js": {Data: []byte("newer")},
		"assets/chunk-def.js": {Data: []byte("export const newer = true;")},
	}
}

// During a rolling deploy, nodes of two builds run at once, and each receives requests
// for chunks of the other build.
func TestBuilds_AreSharedByNodes(t *testing.T) {
	t.Parallel()
	store, _ := newStore(t)
	before := newPages(t, store, builtApp())
	require.Equal(t, http.StatusNotFound, get(t, before, "/assets/chunk-def.js").status, "no node has published the chunk yet")
	after := newPages(t, store, newerApp())
	old := get(t, after, "/assets/chunk-abc.js", "Accept-Encoding", "identity")
	require.Equal(t, chunk, old.body, "the new node serves a chunk of the old build")
	require.Equal(t, "public, max-age=31536000, immutable", old.header.Get("Cache-Control"))
	require.Equal(t, "text/javascript; charset=utf-8", old.contentType)
	brotliCopy := get(t, after, "/assets/chunk-abc.js", "Accept-Encoding", "gzip, br")
	require.Equal(t, "br", brotliCopy.header.Get("Content-Encoding"))
	require.Equal(t, chunk, bodyOf(t, brotliCopy))
	newer := get(t, before, "/assets/chunk-def.js", "Accept-Encoding", "identity")
	require.Equal(t, "export const newer = true;", newer.body, "the old node serves a chunk of the new build")
	for _, node := range []*fiber.App{before, after} {
		for _, none := range []string{"/assets/other.js", "/assets/deeper/chunk-abc.js", "/assets/..%2fbuilds", "/assets/../../etc/passwd"} {
			require.Equal(t, http.StatusNotFound, get(t, node, none).status, none)
		}
	}
}

func TestBuilds_ChunksAreCached(t *testing.T) {
	t.Parallel()
	store, folder := newStore(t)
	newPages(t, store, builtApp())
	next := newPages(t, store, newerApp())
	first := get(t, next, "/assets/chunk-abc.js", "Accept-Encoding", "br")
	require.Equal(t, http.StatusOK, first.status)
	require.NoError(t, os.Remove(filepath.Join(folder, "assets", "chunk-abc.js")))
	require.Equal(t, first.body, get(t, next, "/assets/chunk-abc.js", "Accept-Encoding", "br").body)
}

func TestBuilds_AreDeletedAfterTwoWeeks(t *testing.T) {
	t.Parallel()
	store, folder := newStore(t)
	oldApp := fstest.MapFS{"index.html": {}, "assets/chunk-abc.js": {Data: []byte(chunk)}, "assets/only-old.js": {Data: []byte("old")}}
	newPages(t, store, oldApp)
	lists, err := os.ReadDir(filepath.Join(folder, "builds"))
	require.NoError(t, err)
	require.Len(t, lists, 1)
	old := filepath.Join(folder, "builds", lists[0].Name())
	age := func(days int) {
		then := time.Now().AddDate(0, 0, -days)
		require.NoError(t, os.Chtimes(old, then, then))
	}
	status := func(app fstest.MapFS) int { return get(t, newPages(t, store, app), "/assets/only-old.js").status }
	age(12)
	require.Equal(t, http.StatusOK, status(newerApp()))
	age(15)
	newPages(t, store, oldApp) // publishes the build again
	require.Equal(t, http.StatusOK, status(newerApp()))
	age(15)
	newPages(t, store, builtApp()) // shares a chunk with the old build
	require.Equal(t, http.StatusNotFound, status(newerApp()))
	require.NoFileExists(t, old)
	require.NoFileExists(t, filepath.Join(folder, "assets", "only-old.js"))
	require.FileExists(t, filepath.Join(folder, "assets", "chunk-abc.js"), "a newer build contains the chunk")
}

func TestBuilds_ChunksOfOtherBuildsAreUnavailableWithoutStore(t *testing.T) {
	t.Parallel()
	store, _ := newStore(t)
	static, err := api.NewStatic(newerApp(), nil, store)
	require.NoError(t, err)
	deps := newDepsWithoutDatabase(t, "https://heartward.test")
	deps.App = static
	server, err := api.New(deps)
	require.NoError(t, err)
	node := server.Fiber
	require.NoError(t, store.Close())
	require.False(t, static.Publish(t.Context()))
	require.Equal(t, http.StatusServiceUnavailable, get(t, node, "/assets/chunk-abc.js").status)
	require.Equal(t, http.StatusOK, get(t, node, "/assets/chunk-def.js").status, "the chunk is part of the node's own build")
}
