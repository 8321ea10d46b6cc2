package matching_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// passed returns the members in Passes of the last 30 days.
func passed(t testing.TB, s *matching.Service, member uuid.UUID, size int) []uuid.UUID {
	t.Helper()
	return listed(t, s, member, false, size)
}

// listed returns the members in Passes, active or lapsed, read page by page.
func listed(t testing.TB, s *matching.Service, member uuid.UUID, lapsed bool, size int) (ids []uuid.UUID) {
	t.Helper()
	for cursor := ""; ; {
		list, next, err := s.Passes(t.Context(), actor(member), lapsed, cursor, size)
		require.NoError(t, err)
		require.NotNil(t, list)
		for _, p := range list {
			require.NotEmpty(t, p.User.FirstName)
			ids = append(ids, p.User.ID)
		}
		if cursor = next; next == "" {
			return ids
		}
	}
}

func TestPasses_ListsLapsedPasses(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann := member(t, pool, "Ann")
	var lapsed []uuid.UUID
	for days := range 4 {
		other := member(t, pool, "Other")
		require.NoError(t, s.Pass(t.Context(), actor(ann), other, uuid.Nil))
		testkit.Exec(t, pool, `UPDATE user_passes SET created_at = now() - make_interval(days => $2) WHERE to_user_id = $1`, other, 31+days)
		lapsed = append(lapsed, other)
	}
	recent, blocked := member(t, pool, "Recent"), member(t, pool, "Blocked")
	for _, other := range []uuid.UUID{recent, blocked} {
		require.NoError(t, s.Pass(t.Context(), actor(ann), other, uuid.Nil))
	}
	testkit.Exec(t, pool, `UPDATE user_passes SET created_at = now() - interval '31 days' WHERE to_user_id = $1`, blocked)
	testkit.Exec(t, pool, `INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, blocked, ann)
	for _, size := range []int{1, 3, 50} {
		assert.Equal(t, lapsed, listed(t, s, ann, true, size), "page of %d", size)
	}
	assert.Equal(t, []uuid.UUID{recent}, passed(t, s, ann, 50))
	like(t, s, ann, lapsed[0])
	require.NoError(t, s.Pass(t.Context(), actor(ann), lapsed[1], uuid.Nil))
	assert.Equal(t, lapsed[2:], listed(t, s, ann, true, 50), "a liked member and one passed on again are not listed")
	assert.Empty(t, listed(t, s, lapsed[2], true, 50), "passes of other members are not listed")
}

func TestPasses_ListsRecentPasses(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann := member(t, pool, "Ann")
	var want []uuid.UUID
	for range 5 {
		other := member(t, pool, "Other")
		require.NoError(t, s.Pass(t.Context(), actor(ann), other, uuid.Nil))
		want = append([]uuid.UUID{other}, want...)
	}
	hide := func(sql string) {
		other := member(t, pool, "Hidden")
		require.NoError(t, s.Pass(t.Context(), actor(ann), other, uuid.Nil))
		testkit.Exec(t, pool, sql, other)
	}
	hide(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`)
	hide(`UPDATE users SET paused_at = now() WHERE id = $1`)
	hide(`UPDATE users SET incognito = true WHERE id = $1`)
	hide(`UPDATE user_passes SET created_at = now() - interval '31 days' WHERE to_user_id = $1`)
	hide(`INSERT INTO blocks (blocker_id, blocked_id) SELECT from_user_id, $1 FROM user_passes LIMIT 1`)
	hide(`INSERT INTO blocks (blocker_id, blocked_id) SELECT $1, from_user_id FROM user_passes LIMIT 1`)
	for _, size := range []int{1, 2, 50} {
		assert.Equal(t, want, passed(t, s, ann, size), "page of %d", size)
	}
	require.NoError(t, s.UndoPass(t.Context(), actor(ann), want[0], uuid.Nil))
	require.NoError(t, s.UndoPass(t.Context(), actor(ann), want[0], uuid.Nil), "a repeated call succeeds")
	like(t, s, ann, want[1])
	assert.Equal(t, want[2:], passed(t, s, ann, 50), "a liked member is not in the list of passes")
	assert.Empty(t, passed(t, s, want[2], 50), "passes of other members are not listed")
	require.NoError(t, s.UndoPass(t.Context(), actor(ann), uuid.New(), uuid.Nil), "does not tell a deleted account from others")
	_, _, err := s.Passes(t.Context(), actor(ann), false, "nonsense", 1)
	testkit.RequireKind(t, err, fault.Invalid)
}

// Calls may arrive late, repeatedly and out of order: an undone pass remains deleted, and
// a new pass is stored.
func TestUndoPass_WorksInAnyOrderOfCalls(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	first, second := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	type call struct {
		undo bool
		id   uuid.UUID
	}
	for name, c := range map[string]struct {
		calls []call
		want  int
	}{
		"in order":                      {[]call{{false, first}, {true, first}}, 0},
		"the pass arrives late":         {[]call{{true, first}, {false, first}}, 0},
		"each call twice":               {[]call{{false, first}, {true, first}, {false, first}, {true, first}, {false, first}}, 0},
		"another pass":                  {[]call{{false, first}, {true, first}, {false, second}, {false, first}}, 1},
		"undone without ids":            {[]call{{false, uuid.Nil}, {true, uuid.Nil}}, 0},
		"without ids, and another pass": {[]call{{false, uuid.Nil}, {true, uuid.Nil}, {false, uuid.Nil}}, 1},
	} {
		ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
		for _, call := range c.calls {
			do := s.Pass
			if call.undo {
				do = s.UndoPass
			}
			require.NoError(t, do(t.Context(), actor(ann), bob, call.id), name)
		}
		assert.Len(t, passed(t, s, ann, 50), c.want, name)
	}
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
	require.NoError(t, s.Pass(t.Context(), actor(ann), bob, first))
	testkit.Exec(t, pool, `UPDATE user_passes SET created_at = now() - interval '10 days' WHERE from_user_id = $1`, ann)
	require.NoError(t, s.Pass(t.Context(), actor(ann), bob, first))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM user_passes WHERE from_user_id = $1 AND created_at < now() - interval '9 days'`, ann),
		"a repeated pass does not restart the 30 days")
}
