package media_test

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/fault"
)

func TestMakeFile_EachKind(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.member()
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

	require.Zero(t, w.count(`SELECT count(*) FROM upload_parts`), "parts are deleted")
	w.removeBlobs()
	blobs, _ := w.disk.size()
	require.Equal(t, 1+2+2, blobs)
	sum := w.count(`SELECT sum(bytes) FROM files`)
	_, size := w.disk.size()
	require.EqualValues(t, size, sum, "all stored bytes are counted")
}

// Of ten concurrent calls on two nodes each returns the same file or Unavailable.
// Later calls return the file, even after it was sent.
func TestMakeFile_ConcurrentCallsMakeOneFile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, peer := w.member(), w.member()
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
	owner, other := w.member(), w.member()
	voice, video := recording(t, "voice.webm"), recording(t, "video.webm")
	foreign := w.upload(other, picture(t))
	u, err := w.s.Create(t.Context(), owner, media.ForMessage, 10)
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
		require.Equal(t, c.kind, fault.From(err).Kind, "%s: a retry returns the same error", name)
		require.NoError(t, w.s.Remove(t.Context(), owner, id))
	}
	require.Zero(t, w.count(`SELECT count(*) FROM files`))
	w.exec(`DELETE FROM uploads`)
	w.exec(`UPDATE blob_removals SET due_at = now() - interval '1 second'`)
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
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	type videoUpload struct{ owner, id, poster uuid.UUID }
	var videos []videoUpload
	for range 8 {
		owner := w.member()
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
	owner := w.member()
	id, still := w.upload(owner, recording(t, "video.mp4")), w.upload(owner, picture(t))
	_, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "video", Poster: still})
	require.NoError(t, err)
	blobs, _ := w.disk.size()
	require.Equal(t, 2, blobs, "the recording and its poster")
	require.Positive(t, w.count(`SELECT count(*) FROM blob_removals`), "blobs are marked for removal")
	w.removeBlobs()
	require.Zero(t, w.count(`SELECT count(*) FROM blob_removals`))
}

// Removing an upload while its file is made leaves no rows and no blobs.
func TestRemove_WhileTheFileIsMade(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.member()
	for range 8 {
		id := w.upload(owner, recording(t, "voice.mp4"))
		var group sync.WaitGroup
		group.Go(func() { _, _ = w.s.MakeFile(context.Background(), owner, id, media.FileSpec{Kind: "audio"}) })
		group.Go(func() { _ = w.s.Remove(context.Background(), owner, id) })
		group.Wait()
		_ = w.s.Remove(t.Context(), owner, id) // may run before the upload is claimed
	}
	require.Zero(t, w.count(`SELECT count(*) FROM files`)+w.count(`SELECT count(*) FROM uploads`))
	w.exec(`UPDATE blob_removals SET due_at = now() - interval '1 second'`)
	w.removeBlobs()
	blobs, _ := w.disk.size()
	require.Zero(t, blobs)
}

// A Remove that waited for the lock of MakeFile deletes the file as well.
func TestRemove_AfterTheFileWasMade(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.member()
	id := w.upload(owner, picture(t))
	maker, err := w.pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = maker.Rollback(context.Background()) }()
	_, err = maker.Exec(t.Context(), `UPDATE uploads SET expires_at = expires_at + interval '1 second' WHERE id = $1`, id)
	require.NoError(t, err)
	_, err = maker.Exec(t.Context(), `INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, id, owner)
	require.NoError(t, err)
	removed := make(chan error, 1)
	go func() { removed <- w.s.Remove(context.Background(), owner, id) }()
	require.Eventually(t, func() bool {
		return w.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	}, 10*time.Second, 5*time.Millisecond)
	require.NoError(t, maker.Commit(t.Context()))
	require.NoError(t, <-removed)
	require.Zero(t, w.count(`SELECT count(*) FROM files`))
}

func TestAttachTx_AttachesFilesOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, peer := w.member(), w.member()
	conversation := w.message(owner, peer)
	var pictures []uuid.UUID
	for range 3 {
		a, err := w.s.MakeFile(t.Context(), owner, w.upload(owner, picture(t)), media.FileSpec{Kind: "image"})
		require.NoError(t, err)
		pictures = append(pictures, a.ID)
	}
	voice := w.file(owner, "audio", "voice.webm").ID
	peersVoice := w.file(peer, "audio", "voice.webm").ID
	raw := w.upload(owner, picture(t))
	for name, c := range map[string]struct {
		kind string
		ids  []uuid.UUID
	}{
		"another's": {"audio", []uuid.UUID{peersVoice}}, "unknown": {"audio", []uuid.UUID{uuid.New()}}, "not a file yet": {"image", []uuid.UUID{raw}},
		"a voice as a picture": {"image", []uuid.UUID{voice}}, "one of two is invalid": {"image", []uuid.UUID{pictures[0], voice}},
		"twice": {"image", []uuid.UUID{pictures[0], pictures[0]}}, "none": {"audio", nil}, "two voices": {"audio", []uuid.UUID{voice, peersVoice}},
		"a text": {"text", []uuid.UUID{voice}}, "eleven": {"image", make([]uuid.UUID, 11)},
	} {
		_, err := w.attach(owner, c.kind, conversation, c.ids...)
		require.Error(t, err, name)
		require.Equal(t, "fileIds", fault.From(err).Field, name)
	}
	require.Zero(t, w.count(`SELECT count(*) FROM message_files`))
	require.Nil(t, w.read(peer, pictures[0], "full.webp"), "unsent files are visible to their owner only")

	var group sync.WaitGroup
	lists := make(chan []media.Attachment, 8)
	for range 8 {
		group.Go(func() {
			if list, err := w.attach(owner, "image", conversation, pictures[2], pictures[0]); err == nil {
				lists <- list
			}
		})
	}
	group.Wait()
	require.Len(t, lists, 1)
	list := <-lists
	require.Equal(t, []uuid.UUID{pictures[2], pictures[0]}, []uuid.UUID{list[0].ID, list[1].ID}, "in the given order")
	_, err := w.attach(owner, "image", conversation, pictures[0])
	requireFault(t, err, fault.Invalid, "fileIds")
	requireFault(t, w.s.Remove(t.Context(), owner, pictures[0]), fault.NotFound, "")
}

// Two messages that name the same files in different order do not deadlock.
func TestAttachTx_LocksInOneOrder(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, peer := w.member(), w.member()
	conversation := w.message(owner, peer)
	var ids []uuid.UUID
	for range 3 {
		id := uuid.Must(uuid.NewV7())
		w.exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, id, owner)
		w.exec(`INSERT INTO uploads (id, owner_id, length, received, expires_at) VALUES ($1, $2, 1, 1, now() + interval '1 day')`, id, owner)
		ids = append(ids, id)
	}
	// With many rows, the plan looks them up in the order in which they are named.
	w.exec(`INSERT INTO files (id, owner_id, content_type, bytes) SELECT gen_random_uuid(), $1, 'image/webp', 1 FROM generate_series(1, 3000)`, owner)
	w.exec(`INSERT INTO uploads (id, owner_id, length, received, expires_at) SELECT id, owner_id, 1, 1, now() + interval '1 day' FROM files ON CONFLICT DO NOTHING`)
	w.exec(`ANALYZE files, uploads`)
	holder, err := w.pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = holder.Rollback(context.Background()) }()
	_, err = holder.Exec(t.Context(), `SELECT FROM uploads WHERE id = $1 FOR UPDATE`, ids[1])
	require.NoError(t, err)
	results := make(chan error, 2)
	for i, order := range [][]uuid.UUID{{ids[2], ids[1], ids[0]}, {ids[0], ids[1], ids[2]}} {
		go func() {
			list, err := w.attach(owner, "image", conversation, order...)
			if err == nil && list[0].ID != order[0] {
				t.Errorf("the plan returns rows in another order")
			}
			results <- err
		}()
		require.Eventually(t, func() bool {
			return w.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == int64(i+1)
		}, 10*time.Second, 5*time.Millisecond)
	}
	require.NoError(t, holder.Rollback(t.Context()))
	successes := 0
	for range 2 {
		if err := <-results; err == nil {
			successes++
		} else {
			requireFault(t, err, fault.Invalid, "fileIds")
		}
	}
	require.Equal(t, 1, successes)
}

// Deleting a message deletes its files and their blobs.
func TestFiles_AreDeletedWithTheirMessage(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{
		`DELETE FROM conversations`, `DELETE FROM messages`, `DELETE FROM message_files`, `DELETE FROM files`, `DELETE FROM users`,
	} {
		w := newEnv(t)
		owner, peer := w.member(), w.member()
		conversation := w.message(owner, peer)
		id := w.file(owner, "audio", "voice.webm").ID
		_, err := w.attach(owner, "audio", conversation, id)
		require.NoError(t, err, statement)
		w.exec(statement)
		require.Zero(t, w.count(`SELECT count(*) FROM files`)+w.count(`SELECT count(*) FROM message_files`), statement)
		w.removeBlobs()
		blobs, _ := w.disk.size()
		require.Zero(t, blobs, statement)
	}
}

// Both members can open a sent file while they see the conversation.
func TestOpenFile_VisibleToBothMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, peer, stranger := w.member(), w.member(), w.member()
	conversation := w.message(owner, peer)
	id := w.file(owner, "audio", "voice.webm").ID
	_, err := w.attach(owner, "audio", conversation, id)
	require.NoError(t, err)
	want := stored(t, "voice.webm")
	for _, c := range []struct {
		state       string
		owner, peer bool
	}{
		{`UPDATE conversations SET requested_by = NULL`, true, true},
		{`UPDATE conversations SET requested_by = '` + owner.String() + `'`, true, true},
		{`UPDATE conversations SET declined_at = now()`, true, false},
		{`UPDATE conversations SET requested_by = NULL, declined_at = NULL`, true, true},
		{`UPDATE users SET profile_status = 'suspended' WHERE id = '` + owner.String() + `'`, true, false},
		{`UPDATE users SET profile_status = 'active'`, true, true},
		{`UPDATE conversations SET closed_at = now()`, false, false},
	} {
		w.exec(c.state)
		require.Equal(t, c.owner, bytes.Equal(want, w.read(owner, id, "media")), "owner: %s", c.state)
		require.Equal(t, c.peer, bytes.Equal(want, w.read(peer, id, "media")), "peer: %s", c.state)
		require.Nil(t, w.read(stranger, id, "media"), c.state)
	}
}

// A slow file store must not keep a transaction, and its row lock, open.
func TestRemoveBlobs_HoldsNoTransactionDuringStoreCalls(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.member()
	id := w.upload(owner, recording(t, "voice.mp4"))
	_, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "audio"})
	require.NoError(t, err)
	w.exec(`DELETE FROM files`)
	deletions := 0
	w.disk.onDelete = func() {
		deletions++
		if open := w.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`); open > 0 {
			t.Errorf("%d transactions are open while a blob is deleted", open)
		}
	}
	w.blobs.RemoveNow(t.Context(), id)
	require.Positive(t, deletions)
	blobs, _ := w.disk.size()
	require.Zero(t, blobs)
}

// A process that died while it deleted blobs leaves a claim. Another process continues when
// the claim has expired.
func TestRemoveBlobs_ContinuesAfterAnExpiredClaim(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.member()
	id := w.upload(owner, recording(t, "voice.mp4"))
	_, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "audio"})
	require.NoError(t, err)
	w.exec(`DELETE FROM files`)
	w.exec(`UPDATE blob_removals SET due_at = now() - interval '1 minute', claimed_until = now() + interval '1 minute'`)
	removed, err := w.blobs.RemoveDue(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed, "claimed by another process")
	w.exec(`UPDATE blob_removals SET claimed_until = now() - interval '1 second'`)
	removed, err = w.blobs.RemoveDue(t.Context())
	require.NoError(t, err)
	require.Positive(t, removed)
	blobs, _ := w.disk.size()
	require.Zero(t, blobs)
}
