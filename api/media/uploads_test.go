package media_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// failingReader is a body that returns an error after some bytes.
type failingReader struct {
	io.Reader
	after int64
}

var errConnection = errors.New("connection lost")

func (c *failingReader) Read(p []byte) (int, error) {
	if c.after <= 0 {
		return 0, errConnection
	}
	n, err := c.Reader.Read(p[:min(int64(len(p)), c.after)])
	c.after -= int64(n)
	return n, err
}

// content returns the content of an upload from its parts.
func (w *env) content(id uuid.UUID) []byte {
	w.Helper()
	rows, err := w.Pool.Query(context.Background(), `SELECT id, starts_at FROM upload_parts WHERE upload_id = $1 ORDER BY starts_at`, id)
	require.NoError(w, err)
	defer rows.Close()
	var content []byte
	for rows.Next() {
		var part uuid.UUID
		var at int
		require.NoError(w, rows.Scan(&part, &at))
		require.Equal(w, len(content), at, "parts are contiguous")
		blob, err := w.disk.find(part.String() + "/part")
		require.NoError(w, err)
		content = append(content, blob...)
	}
	require.NoError(w, rows.Err())
	return content
}

// Three devices send the same file through three nodes. Connections break at random
// offsets, the devices resume at the offset of the server or at an outdated one, and
// the disk is full at times. The content received is always a prefix of the file,
// and in the end the file.
func TestAppend_InterruptedUploadsOnThreeNodes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	nodes := []*media.Service{w.node(), w.node(), w.node()}
	for seed := range uint64(12) {
		owner := w.Member("Ada Moss").ID
		random := rand.New(rand.NewPCG(seed, 4))
		content := noise(seed, 1+random.IntN(3<<20))
		u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, int64(len(content)))
		require.NoError(t, err)
		var group sync.WaitGroup
		for device, node := range nodes {
			random := rand.New(rand.NewPCG(seed, uint64(device)))
			group.Go(func() { sendInParts(t, node, random, owner, u.ID, content) })
		}
		group.Wait()
		require.True(t, bytes.Equal(content, w.content(u.ID)), "seed %d", seed)
	}
	blobs, size := w.disk.size()
	require.Equal(t, w.Count(`SELECT count(*) FROM upload_parts`), blobs, "no other blobs")
	require.Equal(t, w.Count(`SELECT sum(bytes) FROM upload_parts`), size)
	require.Zero(t, w.Count(`SELECT count(*) FROM blob_removals`))
}

func sendInParts(t *testing.T, s *media.Service, random *rand.Rand, owner, id uuid.UUID, content []byte) {
	for offset := int64(0); ; {
		if random.IntN(3) > 0 {
			u, err := s.Find(t.Context(), owner, id)
			require.NoError(t, err)
			if offset = u.Received; offset == u.Length {
				return
			}
		}
		length := 1 + random.Int64N(int64(len(content))-offset)
		body := &failingReader{bytes.NewReader(content[offset : offset+length]), random.Int64N(2 * length)}
		u, err := s.Append(t.Context(), owner, id, offset, body, length)
		switch {
		case err == nil:
			require.Equal(t, offset+length, u.Received, "acknowledged bytes are received")
			offset = u.Received
		case fault.Is(err, fault.Conflict), fault.Is(err, fault.TooLarge), errors.Is(err, errConnection):
		default:
			t.Errorf("%v", err)
			return
		}
		if offset == int64(len(content)) {
			return
		}
	}
}

func TestAppend_RefusesWrongOffsetsLengthsAndOwners(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, other := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
	for length, kind := range map[int64]fault.Kind{0: fault.Invalid, -1: fault.Invalid, media.MaxUpload + 1: fault.TooLarge} {
		_, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, length)
		testkit.RequireKind(t, err, kind)
	}
	u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 10)
	require.NoError(t, err)
	appendContent := func(member uuid.UUID, offset int64, content string) error {
		_, err := w.s.Append(t.Context(), member, u.ID, offset, bytes.NewReader([]byte(content)), int64(len(content)))
		return err
	}
	_, err = w.s.Find(t.Context(), other, u.ID)
	requireFault(t, err, fault.NotFound, "")
	requireFault(t, appendContent(other, 0, "01234"), fault.NotFound, "")
	requireFault(t, w.s.Remove(t.Context(), other, u.ID), fault.NotFound, "")
	_, err = w.s.MakeFile(t.Context(), other, u.ID, media.FileSpec{Kind: "image"})
	requireFault(t, err, fault.NotFound, "")

	requireFault(t, appendContent(owner, 1, "1234"), fault.Conflict, "")
	requireFault(t, appendContent(owner, 0, "01234567890"), fault.TooLarge, "")
	require.NoError(t, appendContent(owner, 0, "01234"))
	requireFault(t, appendContent(owner, 0, "01234"), fault.Conflict, "")
	requireFault(t, appendContent(owner, 5, "567890"), fault.TooLarge, "")
	_, err = w.s.MakeFile(t.Context(), owner, u.ID, media.FileSpec{Kind: "image"})
	requireFault(t, err, fault.Invalid, "path.id")
	require.NoError(t, appendContent(owner, 5, "56789"))
	require.NoError(t, appendContent(owner, 10, ""), "an empty append succeeds")
	require.Equal(t, "0123456789", string(w.content(u.ID)))

	require.NoError(t, w.s.Remove(t.Context(), owner, u.ID))
	requireFault(t, w.s.Remove(t.Context(), owner, u.ID), fault.NotFound, "")
	requireFault(t, appendContent(owner, 10, ""), fault.NotFound, "")
	w.removeBlobs()
	blobs, _ := w.disk.size()
	require.Zero(t, blobs)
}

func TestAppend_LimitsConcurrentRequests(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	var writers []*io.PipeWriter
	var group sync.WaitGroup
	for range 3 {
		u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 100)
		require.NoError(t, err)
		read, write := io.Pipe()
		writers = append(writers, write)
		group.Go(func() { _, _ = w.s.Append(context.Background(), owner, u.ID, 0, read, 100) })
		_, err = write.Write([]byte("x")) // the request is being read
		require.NoError(t, err)
	}
	u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 100)
	require.NoError(t, err)
	send := func() error {
		_, err := w.s.Append(t.Context(), owner, u.ID, 0, bytes.NewReader(make([]byte, 10)), 10)
		return err
	}
	requireFault(t, send(), fault.Unavailable, "")
	require.Equal(t, 3, w.s.Receiving())
	require.Zero(t, w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`),
		"a request that waits for its body uses no connection to the database")
	for _, write := range writers {
		require.NoError(t, write.CloseWithError(errConnection))
	}
	group.Wait()
	require.NoError(t, send())
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM uploads WHERE received = 1`), "bytes before the interruption are stored")
}

// A full disk loses no acknowledged part, and the upload can continue afterwards.
func TestAppend_ContinuesAfterAFullDisk(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	content := picture(t)
	half := len(content) / 2
	u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, int64(len(content)))
	require.NoError(t, err)
	_, err = w.s.Append(t.Context(), owner, u.ID, 0, bytes.NewReader(content[:half]), int64(half))
	require.NoError(t, err)
	sendRest := func() error {
		_, err := w.s.Append(t.Context(), owner, u.ID, int64(half), bytes.NewReader(content[half:]), int64(len(content)-half))
		return err
	}
	makeFile := func() error {
		_, err := w.s.MakeFile(t.Context(), owner, u.ID, media.FileSpec{Kind: "image"})
		return err
	}
	w.disk.full.Store(true)
	requireFault(t, sendRest(), fault.Unavailable, "")
	upload, err := w.s.Find(t.Context(), owner, u.ID)
	require.NoError(t, err)
	require.EqualValues(t, half, upload.Received)
	w.disk.full.Store(false)
	require.NoError(t, sendRest())
	w.disk.full.Store(true)
	requireFault(t, makeFile(), fault.Unavailable, "")
	require.Zero(t, w.Count(`SELECT count(*) FROM files`))
	w.disk.full.Store(false)
	require.NoError(t, makeFile())
	require.NotEmpty(t, w.read(owner, u.ID, "full.webp"))
	w.removeBlobs()
	blobs, _ := w.disk.size()
	require.Equal(t, 2, blobs, "the picture and its thumbnail")
}

func TestCreate_RespectsLimits(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	for range 10 {
		_, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 2)
		require.NoError(t, err)
	}
	w.Exec(`UPDATE uploads SET received = 1`)
	_, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 1)
	requireFault(t, err, fault.RateLimited, "")
	require.LessOrEqual(t, fault.From(err).RetryAfter, time.Minute, "a device tries again soon")
	w.Exec(`DELETE FROM uploads`)

	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 500 << 20)`, uuid.New(), owner)
	_, err = w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 1)
	requireFault(t, err, fault.Conflict, "")
	w.Exec(`DELETE FROM files`)

	for range 190 { // with those above, two hundred; refused ones do not count
		u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 1)
		require.NoError(t, err)
		require.NoError(t, w.s.Remove(t.Context(), owner, u.ID))
	}
	_, err = w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 1)
	requireFault(t, err, fault.RateLimited, "")
	require.Positive(t, fault.From(err).RetryAfter)
	_, err = w.s.Create(t.Context(), w.Member("Ada Moss").ID, uuid.New(), media.ForMessage, 1)
	require.NoError(t, err, "another member")
}

func TestCreate_RetryReturnsFirstUpload(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, other, id := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID, uuid.New()
	first, err := w.s.Create(t.Context(), owner, id, media.ForMessage, 10)
	require.NoError(t, err)
	require.Equal(t, id, first.ID)
	counted := w.Count(`SELECT extract(epoch FROM sum(tat - now()))::bigint FROM rate_limits WHERE key LIKE 'media:%'`)
	_, err = w.s.Append(t.Context(), owner, id, 0, bytes.NewReader([]byte("abc")), 3)
	require.NoError(t, err)
	again, err := w.s.Create(t.Context(), owner, id, media.ForMessage, 10)
	require.NoError(t, err)
	require.EqualValues(t, 3, again.Received)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM uploads`))
	require.LessOrEqual(t, w.Count(`SELECT extract(epoch FROM sum(tat - now()))::bigint FROM rate_limits WHERE key LIKE 'media:%'`), counted,
		"a repetition does not count")

	used := func(owner, id uuid.UUID, purpose media.Purpose, length int64) {
		t.Helper()
		_, err := w.s.Create(t.Context(), owner, id, purpose, length)
		requireFault(t, err, fault.Conflict, "")
		require.Equal(t, "upload_id_used", fault.From(err).Code)
	}
	used(owner, id, media.ForMessage, 11)
	used(owner, id, media.ForProfile, 10)
	used(other, id, media.ForMessage, 10)
	w.Exec(`UPDATE uploads SET expires_at = now()`)
	used(owner, id, media.ForMessage, 10)
	w.Exec(`DELETE FROM uploads`)
	file := w.file(owner, "audio", "voice.webm")
	w.Exec(`DELETE FROM uploads`)
	used(owner, file.ID, media.ForMessage, 10)
	used(other, file.ID, media.ForMessage, 10)
	require.Zero(t, w.Count(`SELECT count(*) FROM uploads`))
}

// The responses to ten creations are lost, and the device begins each upload anew.
func TestCreate_ReplacesTheOldestEmptyUpload(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	begun, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 10)
	require.NoError(t, err)
	_, err = w.s.Append(t.Context(), owner, begun.ID, 0, bytes.NewReader([]byte("abc")), 3)
	require.NoError(t, err)
	var lost []uuid.UUID
	for range 9 {
		u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 10)
		require.NoError(t, err)
		lost = append(lost, u.ID)
	}
	next, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 10)
	require.NoError(t, err)
	_, err = w.s.Find(t.Context(), owner, lost[0])
	requireFault(t, err, fault.NotFound, "")
	for _, id := range append(lost[1:], begun.ID, next.ID) {
		_, err = w.s.Find(t.Context(), owner, id)
		require.NoError(t, err)
	}
}

// Uploads for the profile have separate limits and do not count for those of messages.
func TestCreate_LimitsPurposesSeparately(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	create := func(purpose media.Purpose) (media.Upload, error) {
		return w.s.Create(t.Context(), owner, uuid.New(), purpose, 1)
	}
	for range 10 {
		_, err := create(media.ForProfile)
		require.NoError(t, err)
	}
	w.Exec(`UPDATE uploads SET received = 1`)
	_, err := create(media.ForProfile)
	requireFault(t, err, fault.RateLimited, "")
	for range 10 {
		_, err := create(media.ForMessage)
		require.NoError(t, err, "incomplete uploads of a profile do not count")
	}
	w.Exec(`DELETE FROM uploads`)

	for range 50 { // with those above, sixty
		u, err := create(media.ForProfile)
		require.NoError(t, err)
		require.NoError(t, w.s.Remove(t.Context(), owner, u.ID))
	}
	_, err = create(media.ForProfile)
	requireFault(t, err, fault.RateLimited, "")
	_, err = create(media.ForMessage)
	require.NoError(t, err)
}

func TestMakeFile_RefusesUploadsForAProfile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	still := w.uploadFor(owner, media.ForProfile, picture(t))
	_, err := w.s.MakeFile(t.Context(), owner, still, media.FileSpec{Kind: "image"})
	requireFault(t, err, fault.Invalid, "path.id")
	video := w.upload(owner, recording(t, "video.webm"))
	_, err = w.s.MakeFile(t.Context(), owner, video, media.FileSpec{Kind: "video", Poster: still})
	requireFault(t, err, fault.Invalid, "posterUploadId")
	require.Zero(t, w.Count(`SELECT count(*) FROM files`))
}

func TestAppend_LimitsTheNumberOfParts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 2*512)
	require.NoError(t, err)
	send := func() error {
		next, err := w.s.Append(t.Context(), owner, u.ID, u.Received, bytes.NewReader([]byte("x")), 1)
		u = next
		return err
	}
	for range 512 {
		require.NoError(t, send())
	}
	requireFault(t, send(), fault.Conflict, "")
	require.EqualValues(t, 512, u.Received)
	require.Equal(t, 512, w.Count(`SELECT count(*) FROM upload_parts`))
	blobs, _ := w.disk.size()
	require.Equal(t, 512, blobs, "refused parts are removed")
	require.NoError(t, w.s.Remove(t.Context(), owner, u.ID), "can be removed")
}
