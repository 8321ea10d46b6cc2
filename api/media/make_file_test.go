package media_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestMakeFile_StoresEachKindAndDeletesTheParts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	voice, err := w.s.MakeFile(t.Context(), owner, w.upload(owner, recording(t, "voice.webm")),
		media.FileSpec{Kind: "audio", DurationMs: 1, Waveform: []int{1, 100}})
	require.NoError(t, err)
	require.Equal(t, []any{"audio", "audio/webm", []int{1, 100}, "/files/" + voice.ID.String() + "/media"},
		[]any{voice.Kind, voice.MimeType, voice.Waveform, voice.URL})
	require.Positive(t, *voice.DurationMs)
	requireSame(t, stored(t, "voice.webm"), w.read(owner, voice.ID, "media"), "as stored")

	id, still := w.upload(owner, recording(t, "video.mp4")), w.upload(owner, picture(t))
	video, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "video", Poster: still})
	require.NoError(t, err)
	require.Equal(t, id, video.ID)
	require.Equal(t, "/files/"+id.String()+"/poster.webp", *video.PosterURL)
	require.NotEmpty(t, video.Placeholder)
	require.NotEmpty(t, w.read(owner, id, "poster.webp"))
	_, err = w.s.Find(t.Context(), owner, still)
	requireFault(t, err, fault.NotFound, "")

	image, err := w.s.MakeFile(t.Context(), owner, w.upload(owner, picture(t)), media.FileSpec{Kind: "image"})
	require.NoError(t, err)
	require.Equal(t, []any{"image", "image/webp", 40, 30, "/files/" + image.ID.String() + "/thumb.webp"},
		[]any{image.Kind, image.MimeType, *image.Width, *image.Height, *image.ThumbURL})
	require.NotEmpty(t, w.read(owner, image.ID, "full.webp"))

	require.Zero(t, w.Count(`SELECT count(*) FROM upload_parts`), "parts are deleted")
	w.removeBlobs()
	blobs, _ := w.disk.size()
	require.Equal(t, 1+2+2, blobs)
	sum := w.Count(`SELECT sum(bytes) FROM files`)
	_, size := w.disk.size()
	require.Equal(t, size, sum, "all stored bytes are counted")
}

// A lease of a time when the clock was ahead ends at once, instead of at that time.
func TestMakeFile_WaitsForALeaseUnlessItIsFromAClockAhead(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	id := w.upload(owner, picture(t))
	lease := func(end string) {
		w.Exec(`UPDATE uploads SET finishing = $2, finishing_until = now() + $3::interval WHERE id = $1`, id, uuid.New(), end)
	}
	lease("30 seconds")
	_, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "image"})
	requireFault(t, err, fault.Unavailable, "")
	lease("1 day")
	made, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "image"})
	require.NoError(t, err)
	require.Equal(t, id, made.ID)
}

// Of ten concurrent calls on two nodes each returns the same file or Unavailable.
// Later calls return the file, even after it was sent.
func TestMakeFile_ConcurrentCallsMakeOneFile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, peer := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
	id := w.upload(owner, recording(t, "video.webm"))
	nodes := []*media.Service{w.node(), w.node()}
	var group sync.WaitGroup
	attachments := make(chan media.Attachment, 10)
	for i := range 10 {
		group.Go(func() {
			a, err := nodes[i%2].MakeFile(context.Background(), owner, id, media.FileSpec{Kind: "video"})
			if err == nil {
				attachments <- a
			} else if !fault.Is(err, fault.Unavailable) {
				t.Errorf("%v", err)
			}
		})
	}
	group.Wait()
	close(attachments)
	first, ok := <-attachments
	require.True(t, ok)
	for other := range attachments {
		require.Equal(t, first, other)
	}
	requireSameFile := func() {
		other, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "video"})
		require.NoError(t, err)
		require.Equal(t, first, other)
	}
	requireSameFile()
	_, err := w.attach(owner, "video", w.message(owner, peer), id)
	require.NoError(t, err)
	requireSameFile()
	w.removeBlobs()
	requireSame(t, stored(t, "video.webm"), w.read(peer, id, "media"), "as stored")
}

func TestMakeFile_RefusesInvalidFiles(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, other := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
	voice, video := recording(t, "voice.webm"), recording(t, "video.webm")
	foreign := w.upload(other, picture(t))
	u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 10)
	require.NoError(t, err)
	half := u.ID
	still := w.upload(owner, []byte("no picture"))
	for name, c := range map[string]struct {
		content []byte
		spec    media.FileSpec
		kind    fault.Kind
		field   string
	}{
		"a voice as a video":                {voice, media.FileSpec{Kind: "video"}, fault.Invalid, "path.id"},
		"a video as a voice":                {video, media.FileSpec{Kind: "audio"}, fault.Invalid, "path.id"},
		"a video as a picture":              {video, media.FileSpec{Kind: "image"}, fault.Invalid, "path.id"},
		"a picture as a voice":              {picture(t), media.FileSpec{Kind: "audio"}, fault.Invalid, "path.id"},
		"a truncated video":                 {video[:len(video)/2], media.FileSpec{Kind: "video"}, fault.Invalid, "path.id"},
		"a page":                            {[]byte("<!doctype html><script>alert(1)</script>"), media.FileSpec{Kind: "image"}, fault.Invalid, "path.id"},
		"noise":                             {noise(1, 100_000), media.FileSpec{Kind: "audio"}, fault.Invalid, "path.id"},
		"a large picture":                   {append(picture(t), make([]byte, 10<<20)...), media.FileSpec{Kind: "image"}, fault.TooLarge, ""},
		"another's picture":                 {video, media.FileSpec{Kind: "video", Poster: foreign}, fault.Invalid, "posterUploadId"},
		"an incomplete upload of a picture": {video, media.FileSpec{Kind: "video", Poster: half}, fault.Invalid, "posterUploadId"},
		"no picture of it":                  {video, media.FileSpec{Kind: "video", Poster: still}, fault.Invalid, "posterUploadId"},
		"an unknown picture":                {video, media.FileSpec{Kind: "video", Poster: uuid.New()}, fault.Invalid, "posterUploadId"},
	} {
		id := w.upload(owner, c.content)
		_, err := w.s.MakeFile(t.Context(), owner, id, c.spec)
		require.Error(t, err, name)
		require.Equal(t, []any{c.kind, c.field}, []any{fault.From(err).Kind, fault.From(err).Field}, "%s: %v", name, err)
		_, err = w.s.MakeFile(t.Context(), owner, id, c.spec)
		testkit.RequireKind(t, err, c.kind, "%s: a retry returns the same error", name)
		require.NoError(t, w.s.Remove(t.Context(), owner, id))
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM files`))
	w.Exec(`DELETE FROM uploads`)
	w.Exec(`UPDATE blob_removals SET due_at = now() - interval '1 second'`)
	w.removeBlobs()
	blobs, _ := w.disk.size()
	require.Zero(t, blobs)
}

// The disk space of a video and its poster is acquired at once, so that concurrent
// calls do not deadlock.
func TestMakeFile_LittleDiskSpaceDoesNotDeadlock(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	video, still := recording(t, "video.mp4"), picture(t)
	w.s.SetSpace(int64(2*len(video) + len(still)/2))
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Timeout)
	defer cancel()
	type videoUpload struct{ owner, id, poster uuid.UUID }
	var videos []videoUpload
	for range 8 {
		owner := w.Member("Ada Moss").ID
		videos = append(videos, videoUpload{owner, w.upload(owner, video), w.upload(owner, still)})
	}
	var group sync.WaitGroup
	for _, v := range videos {
		group.Go(func() {
			a, err := w.s.MakeFile(ctx, v.owner, v.id, media.FileSpec{Kind: "video", Poster: v.poster})
			if err != nil || a.PosterURL == nil {
				t.Errorf("%v, %v", a.PosterURL, err)
			}
		})
	}
	group.Wait()
}

// The blobs of parts are deleted with their upload and not by the removal job, which runs
// only every ten minutes.
func TestMakeFile_DeletesTheParts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	id, still := w.upload(owner, recording(t, "video.mp4")), w.upload(owner, picture(t))
	_, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "video", Poster: still})
	require.NoError(t, err)
	blobs, _ := w.disk.size()
	require.Equal(t, 2, blobs, "the recording and its poster")
	require.Positive(t, w.Count(`SELECT count(*) FROM blob_removals`), "blobs are marked for removal")
	w.removeBlobs()
	require.Zero(t, w.Count(`SELECT count(*) FROM blob_removals`))
}

// Removing an upload while its file is made leaves no rows and no blobs.
func TestRemove_LeavesNothingOfAFileBeingMade(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	for range 8 {
		id := w.upload(owner, recording(t, "voice.mp4"))
		var group sync.WaitGroup
		group.Go(func() { _, _ = w.s.MakeFile(context.Background(), owner, id, media.FileSpec{Kind: "audio"}) })
		group.Go(func() { _ = w.s.Remove(context.Background(), owner, id) })
		group.Wait()
		_ = w.s.Remove(t.Context(), owner, id) // may run before the upload is claimed
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM files`)+w.Count(`SELECT count(*) FROM uploads`))
	w.Exec(`UPDATE blob_removals SET due_at = now() - interval '1 second'`)
	w.removeBlobs()
	blobs, _ := w.disk.size()
	require.Zero(t, blobs)
}

// A Remove that waited for the lock of MakeFile deletes the file as well.
func TestRemove_DeletesAFileMadeMeanwhile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	id := w.upload(owner, picture(t))
	maker, err := w.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = maker.Rollback(context.Background()) }()
	_, err = maker.Exec(t.Context(), `UPDATE uploads SET expires_at = expires_at + interval '1 second' WHERE id = $1`, id)
	require.NoError(t, err)
	_, err = maker.Exec(t.Context(), `INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, id, owner)
	require.NoError(t, err)
	removed := make(chan error, 1)
	go func() { removed <- w.s.Remove(context.Background(), owner, id) }()
	require.Eventually(t, func() bool {
		return w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	}, testkit.Timeout, 5*time.Millisecond)
	require.NoError(t, maker.Commit(t.Context()))
	require.NoError(t, <-removed)
	require.Zero(t, w.Count(`SELECT count(*) FROM files`))
}
