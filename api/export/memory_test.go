package export_test

import (
	"archive/zip"
	"bytes"
	"io"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/export"
	"heartward/api/platform/blobs"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// The most live memory that an export may add to that of the process, in bytes.
const maxLive = 8 << 20

// An export of 50,000 messages and 500 files is written without holding it in memory.
//
// It does not run in parallel, because it measures the memory of the process.
func TestMake_HasBoundedMemory(t *testing.T) {
	const messages, pictures, bytesOfPicture = 50_000, 500, 256 << 10
	db := pgtest.NewDB(t)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	ada, _, conversation := db.Pair()
	db.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
		SELECT gen_random_uuid(), $1, n, $2, gen_random_uuid(), n || repeat(' some words', 20), now() - interval '1 day' + n * interval '1 second'
		FROM generate_series(1, $3::int) n`, conversation, ada.ID, messages)
	db.Exec(`UPDATE conversations SET last_seq = $2, last_sender = $3 WHERE id = $1`, conversation, messages, ada.ID)
	db.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) SELECT gen_random_uuid(), $1, 'image/webp', $3 FROM generate_series(1, $2::int)`,
		ada.ID, pictures, bytesOfPicture)
	picture := bytes.Repeat([]byte("p"), bytesOfPicture)
	for _, id := range testkit.SelectAll[uuid.UUID](t, db.Pool, `SELECT id FROM files`) {
		require.NoError(t, store.Put(t.Context(), blobs.Key(id, blobs.Full), "image/webp", bytes.NewReader(picture)))
	}

	id := uuid.New()
	db.Exec(`INSERT INTO exports (id, user_id) VALUES ($1, $2)`, id, ada.ID)
	service := export.New(db.Pool, blobs.New(db.Pool, store), pgtest.Jobs(t, db.Pool), api.Data())
	peak := peakOfLiveMemory(func() { require.NoError(t, service.Make(t.Context(), id)) })

	var file uuid.UUID
	var size int64
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT file_id, bytes FROM exports WHERE id = $1`, id).Scan(&file, &size))
	index, page := contentsOf(t, store, file, size, conversation)
	require.Equal(t, pictures, bytes.Count(index, []byte("<img ")))
	require.Equal(t, messages, bytes.Count(page, []byte(`<li class="message`)))
	t.Logf("%d messages and %d files: an archive of %.1f MB with at most %.1f MB of live memory", messages, pictures, mega(size), mega(peak))
	require.Greater(t, size, int64(10*maxLive))
	require.Less(t, peak, int64(maxLive))
}

func mega(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// peakOfLiveMemory returns by how many bytes the live memory of the process grew at most while run ran. It measures
// after every quarter of maxLive that run allocates: measuring without a pause would find at most that much more, and
// the collections would take ten times the processor time of run.
func peakOfLiveMemory(run func()) int64 {
	before := liveMemory()
	peak, stop, done := before, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for measuredAt := allocated(); ; {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			if now := allocated(); now-measuredAt >= maxLive/4 {
				peak, measuredAt = max(peak, liveMemory()), now
			}
		}
	}()
	run()
	close(stop)
	<-done
	return peak - before
}

// allocated returns the bytes that the process has allocated on the heap since its start, freed ones too.
func allocated() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// liveMemory returns the bytes of the heap that are in use after a garbage collection.
func liveMemory() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// contentsOf returns index.html and the page of the conversation.
func contentsOf(t *testing.T, store *files.Store, file uuid.UUID, size int64, conversation uuid.UUID) (index, page []byte) {
	t.Helper()
	content, err := store.Range(t.Context(), blobs.Key(file, blobs.Archive), 0, size)
	require.NoError(t, err)
	defer content.Close()
	data, err := io.ReadAll(content)
	require.NoError(t, err)
	archive, err := zip.NewReader(bytes.NewReader(data), size)
	require.NoError(t, err)
	read := func(name string) []byte {
		opened, err := archive.Open(name)
		require.NoError(t, err)
		text, err := io.ReadAll(opened)
		require.NoError(t, err)
		return text
	}
	return read("index.html"), read("conversations/" + conversation.String() + ".html")
}
