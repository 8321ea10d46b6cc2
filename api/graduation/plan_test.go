package graduation_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/graduation"
	"heartward/api/platform/pgtest"
)

// A page of the wall and of the queue reads only its rows, of 100,000 couples each.
func TestLists_ReadOnlyTheirPage(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	pgtest.Fill(t, w.Pool, []string{"users", "graduated_couples"}, nil, `
		INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0') FROM generate_series(1, 1000) n`, `
		WITH u AS (SELECT id, row_number() OVER () AS n FROM users)
		INSERT INTO graduated_couples (user_one_id, user_two_id, status, requested_at, accepted_at, approved_at)
		SELECT a.id, b.id, s, now() - i * interval '1 minute', now() - i * interval '1 minute', CASE s WHEN 'graduated' THEN now() - i * interval '1 minute' END
		FROM generate_series(1, 100000) i
		CROSS JOIN unnest(ARRAY['graduated', 'pending']) s
		JOIN u a ON a.n = 1 + i % 1000
		JOIN u b ON b.n = 1 + (i + 1 + i / 1000) % 1000
		WHERE a.id <> b.id`)
	w.Exec(`ANALYZE users, graduated_couples`)
	for name, sql := range map[string]string{"wall": graduation.WallSQL, "queue": graduation.PendingSQL} {
		plan := pgtest.Explain(t, w.Pool, "", sql, time.Now().AddDate(0, 0, -30), uuid.Max, w.moderator, 51)
		require.NotContains(t, plan, "Seq Scan on graduated_couples", name)
		require.NotRegexp(t, `rows=\d{5,}|Rows Removed by Filter: \d{4,}`, plan, name)
	}
}
