package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// Cleanup removes the blobs of an upload that did not become a file, and blobs that could
// not be deleted before because the store was unavailable.
func TestCleanup_RemovesDueBlobs(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	deleted, later := uuid.New(), uuid.New()
	for _, id := range []uuid.UUID{deleted, later} {
		require.NoError(t, store.Put(t.Context(), id.String()+"/full.webp", "image/webp", strings.NewReader("x")))
	}
	testkit.Exec(t, pool, `INSERT INTO blob_removals (file_id, due_at) VALUES ($1, now() - interval '1 s'), ($2, now() + interval '1 hour')`, deleted, later)
	testkit.Exec(t, pool, `INSERT INTO search_removals (user_id, removed_at) VALUES ($1, now() - interval '25 hours'), ($1, now() - interval '23 hours')`, deleted)
	deps := newDeps(t, pool, make(sentPushes, 1))
	deps.Blobs = blobs.New(pool, store)
	startWorkersWith(t, pool, deps) // cleanup runs once at the start
	require.Eventually(t, func() bool {
		var blobRemovals, searchRemovals int
		err := pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM blob_removals), (SELECT count(*) FROM search_removals)`).Scan(&blobRemovals, &searchRemovals)
		return err == nil && blobRemovals == 1 && searchRemovals == 1
	}, testkit.Timeout, 20*time.Millisecond)
	_, err = store.Size(t.Context(), deleted.String()+"/full.webp")
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = store.Size(t.Context(), later.String()+"/full.webp")
	require.NoError(t, err)
}
