package discovery_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/pgtest"
)

// During a visit both sides search, filter and see the distance by the visited town.
func TestSearch_UsesVisitedTownForBothSides(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	visitor := insert(t, pool, visiting("Lisbon", "Portugal", time.Now().Add(time.Hour)))
	back := insert(t, pool, visiting("Lisbon", "Portugal", time.Now().Add(-time.Hour)))
	lisboeta, atHome := insert(t, pool, row{"city": "Lisbon", "state": "Portugal"}), insert(t, pool, row{})
	s := loaded(t, pool)

	find := func(viewer uuid.UUID) map[uuid.UUID]discovery.Candidate {
		t.Helper()
		page, _, err := s.Search(t.Context(), viewer, discovery.DefaultFilters(), discovery.Page{Limit: 10})
		require.NoError(t, err)
		found := map[uuid.UUID]discovery.Candidate{}
		for _, candidate := range page {
			found[candidate.ID] = candidate
		}
		return found
	}
	for viewer, other := range map[uuid.UUID]uuid.UUID{visitor: lisboeta, lisboeta: visitor, atHome: back, back: atHome} {
		found := find(viewer)
		require.Len(t, found, 1)
		require.Equal(t, "within 5 miles", *found[other].Compatibility.DistanceBand)
	}
	inLisbon := []string{"You are both in Lisbon this week."}
	require.Equal(t, inLisbon, find(visitor)[lisboeta].Compatibility.Breakdown.Location.Details)
	seen := find(lisboeta)[visitor]
	require.Equal(t, inLisbon, seen.Compatibility.Breakdown.Location.Details)
	require.Equal(t, [2]string{"Portland", "Lisbon"}, [2]string{seen.City, seen.Visit.City}, "the own town is shown too")
	require.Nil(t, find(atHome)[back].Visit)

	far, err := s.Compatibility(t.Context(), atHome, visitor)
	require.NoError(t, err)
	require.Equal(t, "over 100 miles away", *far.DistanceBand)
	require.Equal(t, []string{"This week your towns are more than 100 miles apart."}, far.Breakdown.Location.Details)

	inTown := anywhere()
	inTown.Location.City = "lisbon"
	require.ElementsMatch(t, []uuid.UUID{visitor, lisboeta}, ranked(t, s, atHome, inTown, 10))
	sameState := anywhere()
	sameState.Location.SameState = true
	require.Equal(t, []uuid.UUID{visitor}, ranked(t, s, lisboeta, sameState, 10))
}
