package discovery_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// An attacker moves between towns without the limit of a day, and sends 1,000 random
// searches by distance, town, state and score. For each search the members of a town, who
// differ in their private answers only, are all listed or all missing, with equal
// distances and scores. The same search from the same town has the same answer.
func TestSearch_ThousandQueriesRevealTheTownOnly(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	towns := [][2]string{{"Portland", "OR"}, {"Salem", "OR"}, {"Seattle", "WA"}, {"San Francisco", "CA"}, {"Boston", "MA"}, {"Lisbon", "Portugal"}}
	townOf := map[uuid.UUID]int{}
	const perTown = 4
	for n, town := range towns[:4] {
		for i := range perTown {
			private := row{"city": town[0], "state": town[1], "religion_counts": false, "hide_read_receipts": i%2 == 0, "birth_date_exact": i == 3}
			if i > 0 {
				private["religion"] = []string{"", "muslim", "jewish", "atheist"}[i]
			}
			townOf[insert(t, pool, private)] = n
		}
	}
	attacker := insert(t, pool, row{"religion": "christian"})
	s := loaded(t, pool)

	random := rand.New(rand.NewPCG(3, 4))
	answers := map[string]string{}
	listed, missing := 0, 0
	var from [2]string
	for query := range 1000 {
		if query%10 == 0 {
			from = towns[random.IntN(len(towns))]
			lat, lon, ok := gazetteer.Lookup(from[0], from[1])
			require.True(t, ok, from)
			testkit.Exec(t, pool, `UPDATE users SET city = $2, state = $3, town_lat = $4, town_lon = $5 WHERE id = $1`, attacker, from[0], from[1], lat, lon)
			refresh(t, s)
		}
		set := anywhere()
		if random.IntN(4) > 0 {
			set.Location.MaxDistance = new(1 + random.IntN(500))
		}
		set.Location.SameState = random.IntN(5) == 0
		if random.IntN(6) == 0 {
			set.Location.City = towns[random.IntN(len(towns))][0]
		}
		set.Compatibility.MinCompatibilityScore = random.IntN(3) * 30
		page, _, err := s.Search(t.Context(), attacker, set, discovery.Page{Limit: 50})
		require.NoError(t, err)

		seen := [4]struct {
			members int
			answer  string
		}{}
		for _, candidate := range page {
			town := &seen[townOf[candidate.ID]]
			c := candidate.Compatibility
			c.Breakdown.Location.Details = append([]string{}, c.Breakdown.Location.Details...)
			answer := fmt.Sprintf("%+v %v", c.Breakdown, c.Overall)
			if c.DistanceBand != nil {
				answer += *c.DistanceBand
			}
			if town.members++; town.members > 1 {
				require.Equal(t, town.answer, answer, "query %d", query)
			}
			town.answer = answer
		}
		key, all := fmt.Sprint(from, set.Location.SameState, set.Location.City, set.Compatibility.MinCompatibilityScore), ""
		if set.Location.MaxDistance != nil {
			key += fmt.Sprint(*set.Location.MaxDistance)
		}
		for n, town := range seen {
			require.Contains(t, []int{0, perTown}, town.members, "query %d: part of the members of %s", query, towns[n][0])
			if town.members > 0 {
				listed++
			} else {
				missing++
			}
			all += fmt.Sprint(town)
		}
		if before, again := answers[key]; again {
			require.Equal(t, before, all, "query %d again", query)
		}
		answers[key] = all
	}
	require.Greater(t, listed, 100)
	require.Greater(t, missing, 100)
}
