package moderation_test

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
)

// Photos from before the comparison get their hashes in batches, and are compared like new ones. Running again changes nothing.
func TestHashPhotos_BackfillsInBatches(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, rob := w.person("Ann Moss", 7), w.person("Bob Moss", 1), w.person("Rob Moss", 1)
	w.Exec(`DELETE FROM photo_hashes`)
	w.block(ann, bob)
	// Photos without contents are passed over, and more than a batch of them needs another job.
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0') FROM generate_series(1, 150) n`)
	w.Exec(`WITH f AS (INSERT INTO files (id, owner_id, content_type, bytes) SELECT gen_random_uuid(), id, 'image/webp', 1 FROM users WHERE first_name = 'Many' RETURNING id, owner_id)
		INSERT INTO member_media (file_id, user_id, slot, position) SELECT id, owner_id, 'photo', 1 FROM f`)

	w.addPicture(ann, "header_banner", "no picture")
	args, batches := moderation.HashPhotosArgs{}, 0
	for more := true; more; batches++ {
		require.NoError(t, w.s.HashPhotos(t.Context(), args))
		require.NoError(t, w.s.HashPhotos(t.Context(), args), "a job may run twice")
		var next []uuid.UUID
		require.NoError(t, w.Pool.QueryRow(t.Context(), `SELECT coalesce(array_agg((args->>'after')::uuid), '{}') FROM river_job WHERE kind = 'hash_photos'`).Scan(&next))
		w.Exec(`DELETE FROM river_job WHERE kind = 'hash_photos'`)
		require.LessOrEqual(t, len(next), 1, "one next batch")
		if more = len(next) == 1; more {
			require.Positive(t, compare(next[0], args.After))
			args.After = next[0]
		}
	}
	require.GreaterOrEqual(t, batches, 2)
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM photo_hashes`))
	require.Len(t, w.secondAccounts(), 1)
	require.Empty(t, w.visibleOn(ann, rob), "the second account of whom Ann blocked")
	before := w.Count(`SELECT count(*) FROM reports`)
	require.NoError(t, w.s.HashPhotos(t.Context(), moderation.HashPhotosArgs{}))
	require.Equal(t, before, w.Count(`SELECT count(*) FROM reports`))
}

func compare(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
