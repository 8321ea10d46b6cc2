package discovery_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

func religion(faith string) discovery.FilterSet {
	set := discovery.DefaultFilters()
	set.Lifestyle.Religion = &faith
	return set
}

func TestSaveFilters_ReligionRequiresOwnAnswer(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := loaded(t, pool), insert(t, pool, row{"religion_counts": true})
	_, err := s.SaveFilters(t.Context(), me, religion("hindu"))
	testkit.RequireInvalid(t, err, "lifestyle.religion")
	_, err = s.Preview(t.Context(), me, religion("hindu"), 0)
	testkit.RequireKind(t, err, fault.Invalid, "a preview has the same rule")
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM discovery_filters`))

	testkit.Exec(t, pool, `UPDATE users SET religion = 'jewish' WHERE id = $1`, me)
	_, err = s.SaveFilters(t.Context(), me, religion("hindu"))
	require.NoError(t, err)
	testkit.Exec(t, pool, `UPDATE users SET religion = NULL WHERE id = $1`, me)
	saved, err := s.Filters(t.Context(), me)
	require.NoError(t, err)
	assert.Nil(t, saved.Filters.Lifestyle.Religion, "the filter is ignored without an own answer")
	testkit.Exec(t, pool, `UPDATE users SET religion = 'jewish' WHERE id = $1`, me)
	saved, err = s.Filters(t.Context(), me)
	require.NoError(t, err)
	assert.Equal(t, "hindu", *saved.Filters.Lifestyle.Religion)
}

func TestSaveFilters_AllowsThreeReligionsAMonth(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := loaded(t, pool), insert(t, pool, row{"religion": "other"})
	for range 3 { // changing between counted religions is not limited
		for _, faith := range []string{"hindu", "jewish", "muslim"} {
			_, err := s.SaveFilters(t.Context(), me, religion(faith))
			require.NoError(t, err)
			_, err = s.Preview(t.Context(), me, religion(faith), 0)
			require.NoError(t, err)
		}
	}
	for range 2 {
		_, err := s.Preview(t.Context(), me, religion("atheist"), 0)
		testkit.RequireKind(t, err, fault.RateLimited)
		_, err = s.SaveFilters(t.Context(), me, religion("christian"))
		testkit.RequireKind(t, err, fault.RateLimited)
		require.Greater(t, fault.From(err).RetryAfter, 9*24*time.Hour)
	}
	saved, err := s.Filters(t.Context(), me)
	require.NoError(t, err)
	assert.Equal(t, "muslim", *saved.Filters.Lifestyle.Religion, "a refused religion is not stored")
	_, err = s.SaveFilters(t.Context(), me, discovery.DefaultFilters())
	require.NoError(t, err, "removing the filter is not limited")

	testkit.Exec(t, pool, `UPDATE rate_limits SET tat = tat - interval '31 days'`)
	_, err = s.SaveFilters(t.Context(), me, religion("christian"))
	require.NoError(t, err, "another religion is allowed after a month")
}

func TestSaveFilters_SavedReligionIsNotCountedAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := loaded(t, pool), insert(t, pool, row{"religion": "other"})
	_, err := s.SaveFilters(t.Context(), me, religion("hindu"))
	require.NoError(t, err)
	testkit.Exec(t, pool, `DELETE FROM rate_limits`)
	_, err = s.SaveFilters(t.Context(), me, religion("hindu"))
	require.NoError(t, err)
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM rate_limits`), "it is not counted again")
}

func TestSaveFilters_ConcurrentDevicesRespectReligionLimit(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := loaded(t, pool), insert(t, pool, row{"religion": "other"})
	var group sync.WaitGroup
	var lock sync.Mutex
	saved := map[string]bool{}
	for _, faith := range []string{"christian", "jewish", "muslim", "hindu", "buddhist", "spiritual", "agnostic", "atheist", "other"} {
		group.Go(func() {
			if _, err := s.SaveFilters(t.Context(), me, religion(faith)); err == nil {
				lock.Lock()
				saved[faith] = true
				lock.Unlock()
			} else if !fault.Is(err, fault.RateLimited) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	assert.Len(t, saved, 3)
}

func TestHTTP_GridAndDeckApplySavedFilters(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	near := insert(t, pool, row{"city": "Gresham"})
	far := insert(t, pool, row{"city": "Seattle", "state": "WA"})
	old := insert(t, pool, birth(70))
	api, s := signedIn(t, pool, me), loaded(t, pool)
	requireMembers := func(path string, wanted ...uuid.UUID) {
		t.Helper()
		body := api.Get(path).Body.String()
		for _, id := range []uuid.UUID{near, far, old} {
			want := false
			for _, w := range wanted {
				want = want || w == id
			}
			assert.Equal(t, want, strings.Contains(body, id.String()), "%s: %s", path, id)
		}
	}
	const grid, deck = "/api/discover", "/api/matches/for-you"
	requireMembers(grid, near)
	requireMembers(deck, near) // the same as the grid, also without saved filters
	_, err := s.SaveFilters(t.Context(), me, discovery.DefaultFilters())
	require.NoError(t, err)
	requireMembers(grid, near)
	requireMembers(deck, near)
	set := discovery.DefaultFilters()
	set.AgeRange, set.Location.MaxDistance = [2]int{30, 99}, nil
	_, err = s.SaveFilters(t.Context(), me, set)
	require.NoError(t, err)
	requireMembers(grid, near, far, old)
	requireMembers(deck, near, far, old)
	require.NoError(t, s.ResetFilters(t.Context(), me))
	requireMembers(grid, near)
	requireMembers(deck, near)
}
