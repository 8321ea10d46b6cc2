package admin_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/admin"
	"heartward/api/platform/bus"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// env is an admin service with a database and an admin.
type env struct {
	testkit.DB
	s      *admin.Service
	admin  uuid.UUID
	events *bus.Bus
}

func newEnv(t testing.TB) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t)}
	events, err := bus.Open(bus.Options{})
	require.NoError(t, err)
	t.Cleanup(events.Close)
	w.events = events
	w.s = admin.New(w.Pool, events, pgtest.Jobs(t, w.Pool))
	w.admin = w.member("Zoe Admin", `is_admin = true, created_at = '2020-01-01'`)
	return w
}

// member inserts a member and sets columns of it.
func (w *env) member(name, set string) uuid.UUID {
	w.Helper()
	id := w.Member(name).ID
	if set != "" {
		w.Exec(`UPDATE users SET `+set+` WHERE id = $1`, id)
		w.Exec(`UPDATE search_active_hours SET active_hour = date_bin('1 hour', created_at, '2000-01-01T00:00:00Z')
			FROM users WHERE user_id = id AND id = $1`, id)
	}
	return id
}
