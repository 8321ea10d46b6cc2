package badges_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/badges"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// A check reads the rows of its member, and no more of them than a badge needs, among 100,000 likes.
func TestAward_ReadsOnlyWhatItCounts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	pgtest.Fill(t, w.Pool, []string{"users", "user_likes", "conversations"}, nil, `
		INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0') FROM generate_series(1, 400) n`, `
		WITH u AS (SELECT id, row_number() OVER () AS n FROM users)
		INSERT INTO user_likes (id, from_user_id, to_user_id, like_type)
		SELECT gen_random_uuid(), a.id, b.id, 'like' FROM u a JOIN u b ON a.n <> b.n AND (a.n + b.n) % 3 > 0`, `
		WITH u AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users)
		INSERT INTO conversations (id, user_a, user_b) SELECT gen_random_uuid(), a.id, b.id FROM u a JOIN u b ON a.n < b.n`)
	w.Exec(`ANALYZE users, user_likes, conversations, messages, user_badges`)
	member := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM users WHERE full_name = 'Many' LIMIT 1`)
	for _, cause := range []badges.Cause{badges.LikeSent, badges.MatchMade, badges.ProfileSaved, badges.FriendCame, badges.PostPublished} {
		lines := testkit.SelectAll[string](t, w.Pool, `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) `+badges.AwardSQL(badges.CriteriaOf(cause)),
			pgx.NamedArgs{"member": member, "criteria": badges.CriteriaOf(cause), "silent": false})
		plan := strings.Join(lines, "\n")
		require.NotContains(t, plan, "Seq Scan on user_likes", string(cause))
		require.NotRegexp(t, `rows=\d{4,}|Rows Removed by Filter: \d{4,}`, plan, string(cause))
		w.Exec(`DELETE FROM user_badges`)
	}
}
