package auth_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// updates is the number of updates of a table since its database was created, and of
// those that changed no index (HOT).
type updates struct{ All, HOT int }

// The use of a session is recorded once a minute. Both updates are HOT, change narrow
// tables and fire no trigger of users. The test updates each row once: half a page has
// room for that, and a page is not pruned while a parallel test has an open transaction.
func TestCheckSession_UpdatesAreHOT(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), t.Context()
	config := w.Pool.Config()
	config.MaxConns = 1 // so that one flush covers all statistics
	pool, err := pgxpool.NewWithConfig(ctx, config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	w.serve(pool, auth.Config{RateLimitScale: 1})
	w.Exec(`
		INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@example.test', 'Kim', 'Kim', '1990-01-01', 'code' || n FROM generate_series(1000, 1999) n`)
	w.Exec(`
		INSERT INTO sessions (id, token_hash, user_id, expires_at)
		SELECT gen_random_uuid(), sha256(uuid_send(id)), id, now() + interval '90 days' FROM users`)
	w.Exec(`INSERT INTO session_activity (session_id, last_seen_at) SELECT id, now() - interval '61 seconds' FROM sessions`)
	w.Exec(`INSERT INTO member_activity (user_id, last_active_at) SELECT id, now() FROM users`)

	rows, _ := w.Pool.Query(ctx, `SELECT id, user_id FROM sessions`)
	actors, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a web.Actor, err error) {
		return a, row.Scan(&a.SessionID, &a.ID)
	})
	require.NoError(t, err)
	for _, actor := range actors {
		require.NoError(t, w.CheckSession(ctx, actor))
	}

	testkit.Exec(t, pool, `SELECT pg_stat_force_next_flush()`)
	updatesOf := func(table string) (u updates) {
		t.Helper()
		require.NoError(t, pool.QueryRow(ctx, `SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = $1`, table).Scan(&u.All, &u.HOT))
		return u
	}
	require.Equal(t, updates{1000, 1000}, updatesOf("member_activity"))
	require.Equal(t, updates{1000, 1000}, updatesOf("session_activity"))
	require.Zero(t, updatesOf("users"))
	require.Zero(t, updatesOf("sessions"))
	require.Equal(t, 1, w.Count(`SELECT count(DISTINCT xmin::text) FROM users`), "users is not updated")
}
