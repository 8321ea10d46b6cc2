package queue_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
	"heartward/api/queue"
)

// A page reads about as many rows of each kind as it shows, of 100,000 that wait.
func TestList_ReadsOnlyItsPage(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	pgtest.Fill(t, w.Pool, []string{"users", "reports", "message_flags", "profile_reviews", "graduated_couples", "community_posts"}, nil,
		`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0') FROM generate_series(1, 10000) n`,
		`WITH u AS (SELECT id, row_number() OVER () AS n FROM users)
		INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority, over_limit, created_at)
		SELECT gen_random_uuid(), a.id, b.id, 'spam', 'profile', i % 3, i % 50 = 0, now() - i * interval '1 minute'
		FROM generate_series(1, 30000) i JOIN u a ON a.n = 1 + i % 1000 JOIN u b ON b.n = 1 + (i + 1 + i / 1000) % 1000`,
		`WITH u AS (SELECT id, row_number() OVER () AS n FROM users)
		INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, source, created_at)
		SELECT gen_random_uuid(), gen_random_uuid(), 1, a.id, b.id, 'c', (ARRAY['money', 'spam', 'harassment'])[1 + i % 3], 'filter', now() - i * interval '1 minute'
		FROM generate_series(1, 30000) i JOIN u a ON a.n = 1 + i % 1000 JOIN u b ON b.n = 1 + (i + 1 + i / 1000) % 1000`,
		`INSERT INTO profile_reviews (user_id, subject, submitted_at)
		SELECT id, 'profile', now() - row_number() OVER () * interval '1 minute' FROM users WHERE email LIKE '%@many.test'`,
		`WITH u AS (SELECT id, row_number() OVER () AS n FROM users)
		INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, submitted_at)
		SELECT u.id, gen_random_uuid(), 'T', 'S', 'C', 'advice', '{advice}', now() - i * interval '1 minute'
		FROM generate_series(1, 20000) i JOIN u ON u.n = 1 + i % 1000`,
		`WITH u AS (SELECT id, row_number() OVER () AS n FROM users)
		INSERT INTO graduated_couples (user_one_id, user_two_id, status, requested_at, accepted_at)
		SELECT a.id, b.id, 'pending', now() - i * interval '1 minute', now() - i * interval '1 minute'
		FROM generate_series(1, 10000) i JOIN u a ON a.n = 1 + i % 1000 JOIN u b ON b.n = 1 + (i + 1 + i / 1000) % 1000 WHERE a.id <> b.id`,
	)
	w.Exec(`ANALYZE users, reports, message_flags, profile_reviews, graduated_couples, community_posts`)
	for _, after := range []time.Time{time.Now().AddDate(-5, 0, 0), time.Now().AddDate(0, 0, -5)} {
		plan := pgtest.Explain(t, w.Pool, "", queue.EntriesSQL(""), w.admin.ID, true, after.UTC(), uuid.Max, 51)
		require.NotRegexp(t, `Seq Scan on (reports|message_flags|profile_reviews|graduated_couples|community_posts)`, plan)
		require.NotRegexp(t, `actual rows=\d{4,}|Rows Removed by Filter: \d{4,}`, plan)
	}
	counts := pgtest.Explain(t, w.Pool, "", queue.CountsSQL, w.admin.ID, true, 1000, []float64{1, 24, 72})
	require.NotRegexp(t, `actual rows=\d{5,}|Rows Removed by Filter: \d{4,}`, counts)
}
