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
	"heartward/api/platform/testkit"
)

func TestAttachTx_AttachesFilesOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, peer := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
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
	require.Zero(t, w.Count(`SELECT count(*) FROM message_files`))
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
	owner, peer := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
	conversation := w.message(owner, peer)
	var ids []uuid.UUID
	for range 3 {
		id := uuid.Must(uuid.NewV7())
		w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, id, owner)
		w.Exec(`INSERT INTO uploads (id, owner_id, length, received, expires_at) VALUES ($1, $2, 1, 1, now() + interval '1 day')`, id, owner)
		ids = append(ids, id)
	}
	// With many rows, the plan looks them up in the order in which they are named.
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) SELECT gen_random_uuid(), $1, 'image/webp', 1 FROM generate_series(1, 3000)`, owner)
	w.Exec(`INSERT INTO uploads (id, owner_id, length, received, expires_at) SELECT id, owner_id, 1, 1, now() + interval '1 day' FROM files ON CONFLICT DO NOTHING`)
	w.Exec(`ANALYZE files, uploads`)
	holder, err := w.Pool.Begin(t.Context())
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
			return w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == i+1
		}, testkit.Timeout, 5*time.Millisecond)
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
		owner, peer := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
		conversation := w.message(owner, peer)
		id := w.file(owner, "audio", "voice.webm").ID
		_, err := w.attach(owner, "audio", conversation, id)
		require.NoError(t, err, statement)
		w.Exec(statement)
		require.Zero(t, w.Count(`SELECT count(*) FROM files`)+w.Count(`SELECT count(*) FROM message_files`), statement)
		w.removeBlobs()
		blobs, _ := w.disk.size()
		require.Zero(t, blobs, statement)
	}
}

// Both members can open a sent file while they see the conversation.
func TestOpenFile_VisibleToBothMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, peer, stranger := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
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
		w.Exec(c.state)
		require.Equal(t, c.owner, bytes.Equal(want, w.read(owner, id, "media")), "owner: %s", c.state)
		require.Equal(t, c.peer, bytes.Equal(want, w.read(peer, id, "media")), "peer: %s", c.state)
		require.Nil(t, w.read(stranger, id, "media"), c.state)
	}
}

// A slow file store must not keep a transaction, and its row lock, open.
func TestRemoveBlobs_HoldsNoTransactionDuringStoreCalls(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	id := w.upload(owner, recording(t, "voice.mp4"))
	_, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "audio"})
	require.NoError(t, err)
	w.Exec(`DELETE FROM files`)
	deletions := 0
	w.disk.onDelete = func() {
		deletions++
		if open := w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`); open > 0 {
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
	owner := w.Member("Ada Moss").ID
	id := w.upload(owner, recording(t, "voice.mp4"))
	_, err := w.s.MakeFile(t.Context(), owner, id, media.FileSpec{Kind: "audio"})
	require.NoError(t, err)
	w.Exec(`DELETE FROM files`)
	w.Exec(`UPDATE blob_removals SET due_at = now() - interval '1 minute', claimed_until = now() + interval '1 minute'`)
	removed, err := w.blobs.RemoveDue(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed, "claimed by another process")
	w.Exec(`UPDATE blob_removals SET claimed_until = now() - interval '1 second'`)
	removed, err = w.blobs.RemoveDue(t.Context())
	require.NoError(t, err)
	require.Positive(t, removed)
	blobs, _ := w.disk.size()
	require.Zero(t, blobs)
}
