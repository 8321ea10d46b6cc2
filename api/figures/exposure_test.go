package figures_test

import (
	"testing"
	"time"

	"sync"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/figures"
)

// Members who cannot be shown to everyone do not count, also when they were shown before.
func TestExposure_CountsMembersWhoCanBeShown(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	monday := today.Add(-2 * day)
	var ids []uuid.UUID
	for range 4 {
		ids = append(ids, w.member(monday))
	}
	for _, set := range []string{
		`profile_status = 'suspended'`, `is_approved = false`, `is_graduated = true`, `paused_at = now()`, `incognito = true`,
	} {
		id := w.member(monday)
		w.Exec(`UPDATE users SET `+set+` WHERE id = $1`, id)
		w.show(monday, id, 50)
	}
	w.show(monday, uuid.New(), 50) // a deleted member
	w.show(monday.Add(-day), ids[3], 9)
	w.show(monday, ids[0], 2)
	w.show(today, ids[0], 4)
	w.show(today, ids[1], 2)
	w.Exec(`INSERT INTO daily_items (day, member_id, rule, item_id) VALUES ($1, $2, 'files', $3)`, today, ids[0], ids[2])
	w.store(now)
	weeks := w.read(7, now).Weeks
	require.Len(t, weeks, 2)
	require.Equal(t, "2026-06-08", weeks[0].Week)
	require.True(t, weeks[0].IsFinal)
	require.Equal(t, 3, weeks[0].NeverShown)
	require.InDelta(t, 0.75, *weeks[0].Gini, 1e-9)
	require.Equal(t, figures.Exposure{
		Week: "2026-06-15", Members: 4, NeverShown: 2, Gini: weeks[1].Gini, CountedAt: now,
	}, weeks[1])
	require.InDelta(t, 0.625, *weeks[1].Gini, 1e-9, "of 0, 0, 2 and 6 times")
}

// The records of today stay in daily_items, where the daily limit reads them, and count for the week.
func TestExposure_CountsToday(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	present := time.Now().UTC()
	day := present.Truncate(24 * time.Hour)
	ann := w.member(present.Add(-time.Hour))
	w.member(present.Add(-time.Hour))
	w.show(day, ann, 3)
	for range 2 {
		w.store(present)
		weeks := w.read(7, present).Weeks
		last := weeks[len(weeks)-1]
		require.Equal(t, 1, last.NeverShown)
		require.InDelta(t, 0.5, *last.Gini, 1e-9)
		require.Equal(t, 3, w.Count(`SELECT count(*) FROM daily_items`))
	}
}

// If no member was shown, the Gini coefficient is null.
func TestExposure_OfNobody(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.store(now)
	require.Equal(t, []figures.Exposure{{Week: "2026-06-15", CountedAt: now}}, w.read(7, now).Weeks)
	w.member(today)
	w.store(now)
	require.Equal(t, []figures.Exposure{{Week: "2026-06-15", Members: 1, NeverShown: 1, CountedAt: now}}, w.read(7, now).Weeks)
}

// A final week stays as it is when members leave and late rows arrive, which are deleted.
func TestExposure_FinalWeekNeverChanges(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	monday := today.Add(-2 * day)
	ann, ben := w.member(monday.Add(-day)), w.member(monday.Add(-day))
	w.show(monday.Add(-day), ann, 3)
	w.store(monday.Add(30 * time.Minute))
	weeks := w.read(7, monday).Weeks
	require.Len(t, weeks, 2, "in its first hour the new week is counted beside the last one")
	require.False(t, weeks[0].IsFinal)
	require.InDelta(t, 0.5, *weeks[0].Gini, 1e-9)
	w.store(monday.Add(time.Hour))
	before := w.read(7, monday).Weeks[0]
	require.True(t, before.IsFinal)
	require.Zero(t, w.Count(`SELECT count(*) FROM weekly_showings`))

	w.show(monday.Add(-day), ben, 9)
	w.Exec(`DELETE FROM users WHERE id = $1`, ann)
	w.store(now)
	require.Equal(t, before, w.read(7, monday).Weeks[0])
	require.Zero(t, w.Count(`SELECT count(*) FROM weekly_showings`)+w.Count(`SELECT count(*) FROM daily_items`))
}

// Concurrent runs of the clean-up and the job count each row once.
func TestCountShowings_ConcurrentRunsCountOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	monday := today.Add(-2 * day)
	ann, ben := w.member(monday), w.member(monday)
	w.show(monday, ann, 12_000)
	w.show(monday.Add(day), ben, 8_000)
	var runs sync.WaitGroup
	for range 4 {
		runs.Go(func() { assert.NoError(t, figures.CountShowings(t.Context(), w.Pool)) })
	}
	runs.Wait()
	require.NoError(t, figures.CountShowings(t.Context(), w.Pool))
	require.Equal(t, 12_000, w.Count(`SELECT times FROM weekly_showings WHERE member_id = $1 AND week = $2`, ann, monday))
	require.Equal(t, 8_000, w.Count(`SELECT times FROM weekly_showings WHERE member_id = $1 AND week = $2`, ben, monday))
	require.Zero(t, w.Count(`SELECT count(*) FROM daily_items`))
}

// Figures of a day read the rows of that day by indexes, however many others there are.
func TestDays_ReadOnlyTheirRows(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	const total, days = 20_000, 100
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, created_at)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1970-01-01', 'MANY' || lpad(n::text, 8, '0'), $1::timestamptz - n % $2 * interval '1 day'
		FROM generate_series(1, $3::int) n`, now, days, total)
	w.Exec(`INSERT INTO member_activity SELECT id, created_at FROM users`)
	ann := w.member(now)
	w.Exec(`INSERT INTO matches (id, user_a, user_b, created_at) SELECT gen_random_uuid(), least(id, $1), greatest(id, $1), created_at FROM users WHERE id <> $1`, ann)
	conversation := uuid.New()
	w.Exec(`INSERT INTO conversations (id, user_a, user_b, last_seq) VALUES ($1, least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $3)`, conversation, ann, total)
	w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
		SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid, $1, n, $2, gen_random_uuid(), 'words', at
		FROM (SELECT n, $3::timestamptz - n % $4 * interval '1 day' AS at FROM generate_series(1, $5::int) n) m`, conversation, ann, now, days, total)
	w.Exec(`INSERT INTO reports (id, reason, place, priority, created_at, status, reviewed_at)
		SELECT gen_random_uuid(), 'spam', 'card', 2, created_at, 'reviewed', created_at FROM users`)
	w.Exec(`ANALYZE users, active_days, matches, messages, reports`)

	conn, err := w.Pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	// The view counts the earlier statements of the connection too, until they are flushed, which happens once a second.
	_, err = conn.Exec(t.Context(), `SELECT pg_stat_force_next_flush()`)
	require.NoError(t, err)
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	defer func() { assert.NoError(t, tx.Rollback(t.Context())) }()
	for range 7 { // more than five, after which a generic plan may be used
		_, err = figures.CountDay(t.Context(), tx, today.Add(-day))
		require.NoError(t, err)
	}
	rows, err := tx.Query(t.Context(), `
		SELECT relname, seq_scan, idx_tup_fetch
		FROM pg_stat_xact_user_tables
		WHERE relname IN ('users', 'active_days', 'matches', 'messages', 'reports')`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var table string
		var whole, read int
		require.NoError(t, rows.Scan(&table, &whole, &read))
		require.Zero(t, whole, "%s is read as a whole", table)
		require.LessOrEqual(t, read, 7*2*total/days, table)
	}
	require.NoError(t, rows.Err())
}
