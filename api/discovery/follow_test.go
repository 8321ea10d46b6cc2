package discovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/pgtest"
)

func TestALoadThatFailsLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	insert(t, pool, nil)
	leaves, broken := insert(t, pool, nil), insert(t, pool, row{"last_active_at": "infinity"}) // no hour of it
	s := discovery.New(pool)
	require.Error(t, s.Load(t.Context()))
	exec(t, pool, `DELETE FROM users WHERE id = $1 OR id = $2`, leaves, broken)
	require.NoError(t, s.Load(t.Context()))
	require.Equal(t, 1, s.Index().Members, "who left between the two is not found again")
}

func TestWhoOversleptReadsEverybodyAnew(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	insert(t, pool, nil)
	gone := insert(t, pool, nil)
	s := following(t, pool)
	require.Equal(t, 2, s.Index().Members)
	// Deleted, and the note of it cleaned up before the index looked: one transaction.
	exec(t, pool, `DELETE FROM users WHERE id = '`+gone.String()+`'; DELETE FROM search_removals`)
	s.Oversleep()
	require.Eventually(t, func() bool { return s.Index().Members == 1 }, 10*time.Second, time.Millisecond)
}

func TestWhoComesBackWithTheSameIDStays(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	id := insert(t, pool, nil)
	s := following(t, pool)
	exec(t, pool, `DELETE FROM users WHERE id = $1`, id)
	insert(t, pool, row{"id": id, "email": "back@example.test"})
	last := insert(t, pool, nil) // when this one is there, the others were looked at
	viewer := insert(t, pool, nil)
	require.Eventually(t, func() bool {
		ids := ranked(t, s, viewer, discovery.Filter{}, 50)
		return len(ids) == 2 && (ids[0] == last || ids[1] == last)
	}, 10*time.Second, time.Millisecond)
}
