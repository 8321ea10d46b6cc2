package media_test

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/fault"
)

// Each statement deletes at most 1,000 parts of expired uploads.
func TestRemoveExpired_DeletesPartsInBatches(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	for range 3 {
		u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 1000)
		require.NoError(t, err)
		w.Exec(`INSERT INTO upload_parts (id, upload_id, starts_at, bytes) SELECT gen_random_uuid(), $1, n, 1 FROM generate_series(0, 999) n`, u.ID)
	}
	w.Exec(`CREATE TABLE statements (deleted bigint)`)
	w.Exec(`CREATE FUNCTION deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO statements SELECT count(*) FROM deleted_parts; RETURN NULL; END $$`)
	w.Exec(`CREATE TRIGGER deleted AFTER DELETE ON upload_parts REFERENCING OLD TABLE AS deleted_parts FOR EACH STATEMENT EXECUTE FUNCTION deleted()`)
	w.Exec(`UPDATE uploads SET expires_at = now() - interval '1 second' WHERE id <> (SELECT max(id::text)::uuid FROM uploads)`)
	removed, err := w.s.RemoveExpired(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, removed)
	require.Equal(t, 1000, w.Count(`SELECT count(*) FROM upload_parts`), "parts of an unexpired upload remain")
	require.Equal(t, 2000, w.Count(`SELECT sum(deleted) FROM statements`))
	require.LessOrEqual(t, w.Count(`SELECT max(deleted) FROM statements`), 1000)
}

func TestRemoveExpired_DeletesUnsentFilesOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, peer := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
	unsent, sent := w.file(owner, "audio", "voice.webm"), w.file(owner, "audio", "voice.mp4")
	half, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 10)
	require.NoError(t, err)
	_, err = w.s.Append(t.Context(), owner, half.ID, 0, bytes.NewReader([]byte("half")), 4)
	require.NoError(t, err)
	conversation := w.message(owner, peer)
	_, err = w.attach(owner, "audio", conversation, sent.ID)
	require.NoError(t, err)

	removed, err := w.s.RemoveExpired(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed)
	w.Exec(`UPDATE uploads SET expires_at = now() - interval '1 second'`)
	require.Nil(t, w.read(owner, unsent.ID, "media"))
	_, err = w.s.Append(t.Context(), owner, half.ID, 4, bytes.NewReader([]byte("more")), 4)
	requireFault(t, err, fault.NotFound, "")
	removed, err = w.s.RemoveExpired(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, removed)
	w.removeBlobs()
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM files`))
	requireSame(t, stored(t, "voice.mp4"), w.read(peer, sent.ID, "media"), "as stored")
	blobs, _ := w.disk.size()
	require.Equal(t, 1, blobs)
}
