package matching_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
)

// 100,000 likes. Ann has received 10,000 of them, of which she has answered every other one: the newest two thirds of these by
// a like, the rest by a pass.
var manyLikes = []string{
	`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0')
		FROM generate_series(1, 10000) n`,
	`CREATE TABLE other_users AS SELECT id, row_number() OVER () AS n FROM users WHERE id <> @ann`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		SELECT gen_random_uuid(), id, @ann, 'like', now() - n * interval '10 minutes' FROM other_users`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		SELECT gen_random_uuid(), @ann, id, 'like', now() - n * interval '10 minutes' FROM other_users WHERE n % 2 = 0 AND n <= 6667`,
	`INSERT INTO user_passes (from_user_id, to_user_id, created_at)
		SELECT @ann, id, now() FROM other_users WHERE n % 2 = 0 AND n > 6667`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		SELECT gen_random_uuid(), a.id, b.id, 'like', now() - a.n * interval '10 minutes'
		FROM other_users a
		CROSS JOIN generate_series(1, 9) AS step
		JOIN other_users b ON b.n = 1 + (a.n + 37 * step) % 10000
		ON CONFLICT DO NOTHING`,
}

// The cost of a page and of a count is that of its rows: neither that of the likes that Ann has received nor that of her own.
func TestUnansweredLikes_CostDoesNotGrowWithTheTables(t *testing.T) {
	t.Parallel()
	pool, _, _ := setup(t)
	ann := member(t, pool, "Ann")
	pgtest.Fill(t, pool, []string{"users", "user_likes", "user_passes"}, pgx.NamedArgs{"ann": ann}, manyLikes...)
	_, err := pool.Exec(t.Context(), `VACUUM ANALYZE`)
	require.NoError(t, err)
	now := time.Now()
	// As the statements run, but the tables that are empty here are read by indexes, as full ones are.
	const custom = `SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_seqscan = off`
	for name, statement := range matching.UnansweredStatements {
		for _, settings := range []string{custom, pg.GenericPlan} {
			for _, before := range []time.Time{now.Add(time.Hour), now.AddDate(0, 0, -30)} {
				plan := pgtest.Explain(t, pool, settings, statement, matching.UnansweredArgs(ann, now.AddDate(0, 0, -1), before, 101))
				pgtest.CheckPlan(t, name, plan, 500)
				require.NotContains(t, plan, "Function Scan", name)
			}
		}
	}
}
