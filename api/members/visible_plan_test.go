package members_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
)

// manyPairs fill the tables that visible_members reads, with more than 100,000 rows together. Of @ann are 3,000 matches, of which two thirds have
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

// memberIdioms are the ways in which statements use visible_members and the views of members, each for a page of members.
var memberIdioms = map[string]string{
	"of ids": `
		SELECT id
		FROM visible_members(@viewer)
		WHERE id = ANY(@ids)`,
	"a join": `
		SELECT
			u.id,
			u.age
		FROM unnest(@ids::uuid[]) page (id)
		JOIN visible_members(@viewer) u ON u.id = page.id`,
	"a left join": `
		SELECT
			u.id,
			u.first_name,
			u.is_searched
		FROM unnest(@ids::uuid[]) page (id)
		LEFT JOIN visible_members(@viewer) u ON u.id = page.id`,
	"a condition": `
		SELECT p.id
		FROM profiles p
		WHERE p.id = ANY(@ids)
			AND EXISTS (SELECT FROM visible_members(@viewer) v WHERE v.id = p.id)`,
	"a value": `
		SELECT EXISTS (SELECT FROM visible_members(@viewer) v WHERE v.id = p.id)
		FROM profiles p
		WHERE p.id = ANY(@ids)`,
	"of a column": `
		SELECT u.id
		FROM profiles me
		JOIN visible_members(me.id) u ON u.id = ANY(@ids)
		WHERE me.id = @viewer`,
	"a condition on a search row": `
		SELECT u.id, u.last_active_at
		FROM search_members u
		WHERE u.id = ANY(@ids)
			AND EXISTS (SELECT FROM visible_members(@viewer) v WHERE v.id = u.id)`,
	"an activity": `
		SELECT (SELECT a.last_active_at FROM member_activities a WHERE a.user_id = p.id)
		FROM profiles p
		WHERE p.id = ANY(@ids)
			AND p.id <> @viewer`,
	"a completeness": `
		SELECT c.percent
		FROM member_completeness c
		WHERE c.user_id = ANY(@ids)
			AND c.user_id <> @viewer`,
	"a computed column": `
		SELECT p.id
		FROM profiles p
		WHERE p.id = ANY(@ids)
			AND p.id <> @viewer
			AND (p.is_searched OR p.is_paused OR p.is_shown)`,
}

// A list asks for its page of members, so what it costs must not grow with what the viewer has done before. A function that
// PostgreSQL does not inline would be run for all members, or be in a filter of the plan. VACUUM, which PostgreSQL may run by
// itself at any time, makes scans of indexes cheaper than lookups, so the plans are checked before and after it.
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
	checkPlans := func() {
		for name, statement := range memberIdioms {
			for _, settings := range []string{pg.GenericPlan, ""} {
				plan := pgtest.Explain(t, w.Pool, settings, statement, pgx.NamedArgs{"viewer": ann, "ids": page})
				pgtest.CheckPlan(t, name, plan, 200, "lookalikes", "member_activity", "member_media", "member_prompts") // which are empty
				for _, call := range []string{"Function Scan on visible_members", "is_searched(", "is_paused("} {
					require.NotContains(t, plan, call, name)
				}
			}
		}
	}
	checkPlans()
	w.Exec(`VACUUM`)
	checkPlans()
}
