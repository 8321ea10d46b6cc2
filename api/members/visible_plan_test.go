package members_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
)

// manyPairs fill the tables that Visible reads, with more than 100,000 rows together. Of @ann are 3,000 matches, of which two thirds have
// ended, as many likes, and 1,000 blocks in each direction.
var manyPairs = []string{
	`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, profile_status, is_approved, incognito)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0'), 'active', true, n % 4 = 0
		FROM generate_series(1, 3000) n`,
	`CREATE TABLE others AS SELECT id, row_number() OVER () AS n FROM users WHERE id <> @ann`,
	`CREATE TABLE pairs AS
		SELECT @ann::uuid AS one, id AS two, n FROM others
		UNION ALL
		SELECT a.id, b.id, i
		FROM generate_series(1, 27000) i
		JOIN others a ON a.n = 1 + i % 3000
		JOIN others b ON b.n = 1 + (i + 1 + i / 3000) % 3000`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) SELECT gen_random_uuid(), two, one, 'like' FROM pairs`,
	`INSERT INTO matches (id, user_a, user_b, unmatched_at)
		SELECT gen_random_uuid(), least(one, two), greatest(one, two), CASE WHEN n % 3 > 0 THEN now() END FROM pairs`,
	`INSERT INTO conversations (id, user_a, user_b) SELECT gen_random_uuid(), least(one, two), greatest(one, two) FROM pairs`,
	`INSERT INTO blocks (blocker_id, blocked_id) SELECT one, two FROM pairs WHERE n % 3 = 0`,
	`INSERT INTO blocks (blocker_id, blocked_id) SELECT two, one FROM pairs WHERE n % 3 = 1 ON CONFLICT DO NOTHING`,
}

// A list asks for its page of members, so what it costs must not grow with what the viewer has done before.
func TestVisible_CostDoesNotGrowWithTheTables(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.Member("Ann").ID
	pgtest.Fill(t, w.Pool, []string{"users", "user_likes", "matches", "conversations", "blocks"}, pgx.NamedArgs{"ann": ann}, manyPairs...)
	w.Exec(`ANALYZE`)
	rows, err := w.Pool.Query(t.Context(), `SELECT id FROM others ORDER BY n LIMIT 50`)
	require.NoError(t, err)
	page, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(t, err)
	plan := pgtest.Explain(t, w.Pool, pg.GenericPlan, `SELECT u.id FROM profiles u WHERE u.id = ANY (@ids) AND `+members.Visible, pgx.NamedArgs{"viewer": ann, "ids": page})
	pgtest.CheckPlan(t, "a page of members", plan, 200)
}
