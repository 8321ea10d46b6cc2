package jobs_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// Conversations that ended 180 days ago are deleted with their messages, files, dates and likes, and
// passes after a year. Others stay.
func TestCleanup_DeletesEndedConversationsAndOldPasses(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	const days = `now() - interval '1 day' * `
	ids := []uuid.UUID{}
	for range 4 {
		ids = append(ids, testkit.Member(t, pool, "Ann").ID)
	}
	closed := map[int]string{1: `NULL`, 2: days + `179`, 3: days + `181`}
	for n, at := range closed {
		conversation, file := uuid.New(), uuid.New()
		testkit.Exec(t, pool, `INSERT INTO conversations (id, user_a, user_b, last_seq, closed_at) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), 1, `+at+`)`, conversation, ids[0], ids[n])
		testkit.Exec(t, pool, `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content) VALUES ($1, $1, 1, $2, $1, 'words')`, conversation, ids[0])
		testkit.Exec(t, pool, `INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, file, ids[0])
		testkit.Exec(t, pool, `INSERT INTO message_files (file_id, conversation_id, seq, position) VALUES ($1, $2, 1, 0)`, file, conversation)
		testkit.Exec(t, pool, `INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, proposed_by, changed_by, message_seq)
			VALUES ($1, $1, $2, $1, 'Café', now() + interval '1 day', 'UTC', $2, $2, 1)`, conversation, ids[0])
		testkit.Exec(t, pool, `INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES ($1, $2, $3, 'like')`, conversation, ids[0], ids[n])
		testkit.Exec(t, pool, `INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid))`, conversation, ids[0], ids[n])
	}
	testkit.Exec(t, pool, `INSERT INTO user_passes (from_user_id, to_user_id, created_at) VALUES ($1, $2, `+days+`367), ($1, $3, `+days+`364)`, ids[0], ids[1], ids[2])
	start(t, pool, make(sentPushes, 1)) // clean-up runs once at the start
	count := func(table string) (n int) {
		require.NoError(t, pool.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&n))
		return n
	}
	require.Eventually(t, func() bool { return count(`river_job WHERE kind = 'cleanup' AND state = 'completed'`) == 1 }, testkit.Timeout, 20*time.Millisecond)
	for table, want := range map[string]int{"conversations": 2, "messages": 2, "files": 2, "message_files": 2, "dates": 2, "user_likes": 2, "matches": 3, "user_passes": 1} {
		require.Equal(t, want, count(table), table)
	}
	require.Zero(t, count(`conversations WHERE closed_at < now() - interval '180 days'`))
}
