package members_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/testkit"
)

// lastActiveAt returns the last activity in the member's own profile.
func (w *env) lastActiveAt(id uuid.UUID) time.Time {
	w.Helper()
	me, err := w.Me(w.Context(), id)
	require.NoError(w, err)
	return me.LastActiveAt
}

func (w *env) setLastActive(id uuid.UUID, ago string) {
	w.Helper()
	w.Exec(`
		INSERT INTO member_activity (user_id, last_active_at) VALUES ($1, now() - $2::text::interval)
		ON CONFLICT (user_id) DO UPDATE SET last_active_at = excluded.last_active_at`, id, ago)
}

func TestTouch_SetsLastActivity(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	w.Exec(`UPDATE users SET created_at = now() - interval '3 days' WHERE id = $1`, ann)
	require.WithinDuration(t, time.Now().AddDate(0, 0, -3), w.lastActiveAt(ann), time.Hour, "joining is the first activity")

	for range 2 { // the first inserts, the second updates
		require.NoError(t, members.Touch(t.Context(), w.Pool, ann))
		require.WithinDuration(t, time.Now(), w.lastActiveAt(ann), time.Minute)
		w.setLastActive(ann, "1 day")
	}
	require.NoError(t, members.Touch(t.Context(), w.Pool, uuid.New()), "a deleted member is ignored")
}

func TestTouchMany_SkipsActivityOfLastMinute(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	require.NoError(t, members.TouchMany(t.Context(), w.Pool, nil))
	first, old, recent, other := w.join("First"), w.join("Old"), w.join("Recent"), w.join("Other")
	w.setLastActive(old, "1 day")
	w.setLastActive(recent, "50 seconds")
	w.setLastActive(other, "1 day")
	before := w.lastActiveAt(recent)
	require.NoError(t, members.TouchMany(t.Context(), w.Pool, []uuid.UUID{old, uuid.New(), first, recent}))
	require.Equal(t, before, w.lastActiveAt(recent))
	for _, id := range []uuid.UUID{first, old} {
		require.WithinDuration(t, time.Now(), w.lastActiveAt(id), time.Hour)
	}
	require.WithinDuration(t, time.Now().AddDate(0, 0, -1), w.lastActiveAt(other), time.Hour)

	w.Exec(`DELETE FROM users`)
	remaining := testkit.Select[int](t, w.Pool, `SELECT (SELECT count(*) FROM member_activity) + (SELECT count(*) FROM search_active_hours)`)
	require.Zero(t, remaining, "the activity is deleted with the member")
}
