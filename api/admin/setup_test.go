package admin_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/admin"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
)

// env is an admin service with a database and an admin.
type env struct {
	t     testing.TB
	pool  *pgxpool.Pool
	s     *admin.Service
	admin uuid.UUID
}

func newEnv(t testing.TB) *env {
	t.Helper()
	w := &env{t: t, pool: pgtest.New(t)}
	events, err := bus.Open(bus.Options{})
	require.NoError(t, err)
	t.Cleanup(events.Close)
	w.s = admin.New(w.pool, events, pgtest.Jobs(t, w.pool))
	w.admin = w.member("Zoe Admin", `is_admin = true, created_at = '2020-01-01'`)
	return w
}

// member inserts a member and sets columns of it.
func (w *env) member(name, set string) uuid.UUID {
	w.t.Helper()
	id := uuid.New()
	w.exec(`INSERT INTO users (id, email, full_name, first_name, last_name, birth_date, referral_code)
		VALUES ($1, $2, $3, split_part($3, ' ', 1), split_part($3, ' ', 2), '1990-01-01', $4)`,
		id, id.String()+"@example.test", name, id.String()[24:])
	if set != "" {
		w.exec(`UPDATE users SET `+set+` WHERE id = $1`, id)
		w.exec(`UPDATE search_active_hours SET active_hour = date_bin('1 hour', created_at, '2000-01-01T00:00:00Z')
			FROM users WHERE user_id = id AND id = $1`, id)
	}
	return id
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.pool.Exec(context.Background(), sql, args...)
	require.NoError(w.t, err)
}

func (w *env) count(from string, args ...any) (n int) {
	w.t.Helper()
	require.NoError(w.t, w.pool.QueryRow(context.Background(), `SELECT count(*) FROM `+from, args...).Scan(&n))
	return n
}

func requireInvalid(t testing.TB, err error, field string) {
	t.Helper()
	require.True(t, fault.Is(err, fault.Invalid), "%v", err)
	require.Equal(t, field, fault.From(err).Field)
}
