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
	owner := w.member()
	for range 3 {
		u, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForMessage, 1000)
		require.NoError(t, err)
		w.exec(`INSERT INTO upload_parts (id, upload_id, starts_at, bytes) SELECT gen_random_uuid(), $1, n, 1 FROM generate_series(0, 999) n`, u.ID)
	}
	w.exec(`CREATE TABLE statements (deleted bigint)`)
	w.exec(`CREATE FUNCTION deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO statements SELECT count(*) FROM deleted_parts; RETURN NULL; END $$`)
	w.exec(`CREATE TRIGGER deleted AFTER DELETE ON upload_parts REFERENCING OLD TABLE AS deleted_parts FOR EACH STATEMENT EXECUTE FUNCTION deleted()`)
	w.exec(`UPDATE uploads SET expires_at = now() - interval '1 second' WHERE id <> (SELECT max(id::text)::uuid FROM uploads)`)
	removed, err := w.s.RemoveExpired(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, removed)
	require.EqualValues(t, 1000, w.count(`SELECT count(*) FROM upload_parts`), "parts of an unexpired upload remain")
	require.EqualValues(t, 2000, w.count(`SELECT sum(deleted) FROM statements`))
	require.LessOrEqual(t, w.count(`SELECT max(deleted) FROM statements`), int64(1000))
}

func TestRemoveExpired_UnsentFiles(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, peer := w.member(), w.member()
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
	w.exec(`UPDATE uploads SET expires_at = now() - interval '1 second'`)
	require.Nil(t, w.read(owner, unsent.ID, "media"))
	_, err = w.s.Append(t.Context(), owner, half.ID, 4, bytes.NewReader([]byte("more")), 4)
	requireFault(t, err, fault.NotFound, "")
	removed, err = w.s.RemoveExpired(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, removed)
	w.removeBlobs()
	require.EqualValues(t, 1, w.count(`SELECT count(*) FROM files`))
	requireSame(t, stored(t, "voice.mp4"), w.read(peer, sent.ID, "media"), "as stored")
	blobs, _ := w.disk.size()
	require.Equal(t, 1, blobs)
}
