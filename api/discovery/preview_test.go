package discovery_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
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

// Previews have the counts and suggestions of the reference implementation.
func TestPreview_MatchesReference(t *testing.T) {
	t.Parallel()
	r := testkit.Rand(t, 7)
	pool := pgtest.New(t)
	viewer := insert(t, pool, row{"religion": "other"})
	var ids []uuid.UUID
	for range 150 {
		ids = append(ids, insert(t, pool, randomMember(r)))
	}
	relate(t, pool, r, viewer, ids)
	all := allMembers(t, pool, viewer)
	people := func(set discovery.FilterSet) (n int) {
		now := time.Now()
		for _, other := range all {
			if finds(all[viewer], other, set, now) {
				n++
			}
		}
		return n
	}
	s, empty, byFilter := loaded(t, pool), 0, map[string]int{}
	for i := range 80 {
		few, many := 8, 35 // percent of the filters: a single change rarely helps a set of many
		set := randomFilters(r, []int{few, many}[i%2], "ageRange", "compatibility.recentlyActive")
		cases["ageRange"].draw(r, &set)
		if set.LastActiveWithin == "" {
			set.LastActiveWithin = "any"
		}
		for _, path := range discovery.FilterPaths() {
			if list, ok := discovery.FilterField(path, &set).(*[]string); ok && *list == nil {
				*list = []string{}
			}
		}
		testkit.Exec(t, pool, `DELETE FROM rate_limits WHERE key LIKE 'filter-previews:%'`)
		got, err := s.Preview(t.Context(), viewer, set, 0)
		require.NoError(t, err)
		require.Equal(t, people(set), got.Count, "%+v", set)
		require.False(t, got.More)
		if got.Count > 0 {
			require.Empty(t, got.Suggestions)
			continue
		}
		empty++
		require.Equal(t, expected(set, people), got.Suggestions, "%+v", set)
		for _, suggestion := range got.Suggestions {
			byFilter[suggestion.Filter]++
			recount, err := s.Preview(t.Context(), viewer, suggestion.Filters, 0)
			require.NoError(t, err)
			require.Equal(t, suggestion.People, recount.Count, "a suggested set finds the suggested number of members")
		}
	}
	t.Logf("%d sets without a member; suggestions %v", empty, byFilter)
	assert.Positive(t, empty)
}

// The removal of each filter that excludes a member by itself is suggested.
func TestPreview_SuggestsRemovingEachFilter(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	viewer := insert(t, pool, row{"religion": "other", "city": "Salem"})
	insert(t, pool, row{"city": "Seattle", "state": "WA", "intention_tags": []string{}})
	s := loaded(t, pool)
	for path, c := range cases {
		if c.removal == "" || discovery.FilterField(path, &discovery.FilterSet{}) == nil {
			continue // TestFilters_HaveCases names a path without a filter
		}
		data, err := json.Marshal(withValue(t, everything, path, c.sample))
		require.NoError(t, err)
		var all, set discovery.FilterSet
		require.NoError(t, json.Unmarshal(data, &all))
		set.AgeRange, set.LastActiveWithin = [2]int{18, 99}, "any"
		reflect.ValueOf(discovery.FilterField(path, &set)).Elem().Set(reflect.ValueOf(discovery.FilterField(path, &all)).Elem())
		got, err := s.Preview(t.Context(), viewer, set, 0)
		require.NoError(t, err)
		require.Zero(t, got.Count, path)
		require.Len(t, got.Suggestions, 1, "%s has no suggestion", path)
		assert.Equal(t, path, got.Suggestions[0].Filter)
		assert.Equal(t, c.removal+": 1 person", got.Suggestions[0].Text)
		assert.True(t, clearFilter(path, &set), path)
		assert.Equal(t, reflect.ValueOf(discovery.FilterField(path, &set)).Elem().Interface(),
			reflect.ValueOf(discovery.FilterField(path, &got.Suggestions[0].Filters)).Elem().Interface(), "the suggestion removes %s", path)
	}
}

func TestPreview_SuggestsChangesThatHelp(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	s, set := loaded(t, pool), discovery.DefaultFilters()
	set.AgeRange = [2]int{30, 40}
	preview := func() discovery.FilterPreview {
		t.Helper()
		refresh(t, s)
		got, err := s.Preview(t.Context(), me, set, 0)
		require.NoError(t, err)
		return got
	}
	requireSuggestions := func(want ...string) {
		t.Helper()
		got := preview()
		assert.Zero(t, got.Count)
		var texts []string
		for _, suggestion := range got.Suggestions {
			texts = append(texts, suggestion.Text)
		}
		assert.Equal(t, want, texts)
	}
	assert.Equal(t, []discovery.FilterSuggestion{}, preview().Suggestions, "there is no other member")

	insert(t, pool, row{"city": "Seattle", "state": "WA", "birth_date": birth(50)["birth_date"]})
	requireSuggestions("Clear all filters: 1 person") // no single change helps: both too far and too old
	for range 2 {
		insert(t, pool, row{"city": "Corvallis"}) // 71 miles
	}
	insert(t, pool, birth(43))
	requireSuggestions("Widen the distance to 75 miles: 2 people", "Look at ages 25 to 45: 1 person")
	set.VerifiedOnly = true
	requireSuggestions("Clear all filters: 4 people")
	set.VerifiedOnly = false
	insert(t, pool, row{})
	assert.Equal(t, 1, preview().Count)
	assert.Empty(t, preview().Suggestions)
}

func TestPreview_CountsAtMostThousand(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	const many = `INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, town_lat, town_lon, referral_code)
		SELECT gen_random_uuid(), 'm' || i || '@example.test', 'Kim', 'Kim', current_date - 30 * 365, 'Portland', 'OR', u.town_lat, u.town_lon, 'code' || i + 1000
		FROM generate_series(1, $2::int) i, users u WHERE u.id = $1`
	testkit.Exec(t, pool, many, me, 1000)
	s := loaded(t, pool)
	got, err := s.Preview(t.Context(), me, discovery.DefaultFilters(), 0)
	require.NoError(t, err)
	assert.Equal(t, 1000, got.Count)
	assert.False(t, got.More)
	insert(t, pool, row{})
	got, err = loaded(t, pool).Preview(t.Context(), me, discovery.DefaultFilters(), 0)
	require.NoError(t, err)
	assert.Equal(t, 1000, got.Count)
	assert.True(t, got.More)
}

// The candidates of a preview are the first of the list with these filters saved.
func TestPreview_ReturnsFirstCandidates(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	for _, age := range []int{30, 31, 33, 36, 41, 47, 55, 64} {
		insert(t, pool, birth(age))
	}
	s := loaded(t, pool)
	set := discovery.DefaultFilters()
	set.AgeRange, set.MLRecommendations = [2]int{31, 60}, true
	want, _, err := s.Search(t.Context(), me, set, discovery.Page{Limit: 4})
	require.NoError(t, err)
	got, err := s.Preview(t.Context(), me, set, 4)
	require.NoError(t, err)
	assert.Equal(t, want, got.Candidates)
	assert.Equal(t, 6, got.Count)
	set.AgeRange = [2]int{70, 80}
	got, err = s.Preview(t.Context(), me, set, 4)
	require.NoError(t, err)
	assert.Equal(t, []discovery.Candidate{}, got.Candidates)
	response := signedIn(t, pool, me).Post("/api/discovery/preview", map[string]any{"filters": map[string]any{}, "candidates": 13})
	assert.Equal(t, http.StatusUnprocessableEntity, response.Code)
	assert.Contains(t, response.Body.String(), "body.candidates")
}

func TestPreview_IsRateLimited(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	insert(t, pool, row{})
	s := loaded(t, pool)
	var err error
	for n := 0; err == nil && n < 200; n++ {
		_, err = s.Preview(t.Context(), me, discovery.DefaultFilters(), 0)
	}
	testkit.RequireKind(t, err, fault.RateLimited)
	_, err = s.Preview(t.Context(), uuid.New(), discovery.DefaultFilters(), 0)
	testkit.RequireKind(t, err, fault.NotFound)
}

// expected returns the suggestions of the reference implementation: each filter alone in
// its steps, and all filters together if none helps alone.
func expected(set discovery.FilterSet, people func(discovery.FilterSet) int) []discovery.FilterSuggestion {
	suggestions := []discovery.FilterSuggestion{}
	helps := func(filter, text string, changed discovery.FilterSet) bool {
		n := people(changed)
		if n == 0 {
			return false
		}
		within := changed.LastActiveWithin
		changed.Compatibility.RecentlyActive = within == "1d" || within == "3d" || within == "1w"
		words := fmt.Sprintf("%s: %d people", text, n)
		if n == 1 {
			words = text + ": 1 person"
		}
		suggestions = append(suggestions, discovery.FilterSuggestion{Filter: filter, Text: words, People: n, Filters: changed})
		return true
	}
	for _, path := range discovery.FilterPaths() {
		switch changed := set; path {
		case "location.maxDistance":
			distanceSteps(set, helps)
		case "ageRange":
			ageSteps(set, helps)
		case "lastActiveWithin":
			timeSteps(set, helps)
		case "compatibility.minCompatibilityScore":
			scoreSteps(set, helps)
		default:
			if removal := cases[path].removal; removal != "" && clearFilter(path, &changed) {
				helps(path, removal, changed)
			}
		}
	}
	if len(suggestions) == 0 {
		all := discovery.DefaultFilters()
		all.AgeRange, all.Location.MaxDistance, all.LastActiveWithin = [2]int{18, 99}, nil, "any"
		all.InterestedIn = set.InterestedIn
		all.Compatibility.PrioritizeNewUsers, all.MLRecommendations = set.Compatibility.PrioritizeNewUsers, set.MLRecommendations
		helps("all", "Clear all filters", all)
	}
	slices.SortStableFunc(suggestions, func(a, b discovery.FilterSuggestion) int { return b.People - a.People })
	return suggestions[:min(5, len(suggestions))]
}

type suggestFunc func(filter, text string, changed discovery.FilterSet) bool

// clearFilter removes the filter and reports whether it was set.
func clearFilter(path string, set *discovery.FilterSet) bool {
	value := reflect.ValueOf(discovery.FilterField(path, set)).Elem()
	if list, ok := value.Addr().Interface().(*[]string); ok {
		wasSet := len(*list) > 0
		*list = []string{}
		return wasSet
	}
	wasSet := !value.IsZero()
	value.SetZero()
	return wasSet
}

func ageSteps(set discovery.FilterSet, helps suggestFunc) {
	for _, years := range []int{2, 5, 10, 15, 20, 30, 81} {
		changed := set
		changed.AgeRange = [2]int{max(18, set.AgeRange[0]-years), min(99, set.AgeRange[1]+years)}
		if helps("ageRange", fmt.Sprintf("Look at ages %d to %d", changed.AgeRange[0], changed.AgeRange[1]), changed) {
			return
		}
	}
}

func timeSteps(set discovery.FilterSet, helps suggestFunc) {
	times := []struct{ within, text string }{{"1d", ""}, {"3d", "in the last 3 days"}, {"1w", "in the last week"}, {"1m", "in the last month"}, {"any", "at any time"}}
	isLonger := false
	for _, time := range times {
		changed := set
		changed.LastActiveWithin = time.within
		if isLonger && helps("lastActiveWithin", "Include people seen "+time.text, changed) {
			return
		}
		isLonger = isLonger || time.within == set.LastActiveWithin
	}
}

func scoreSteps(set discovery.FilterSet, helps suggestFunc) {
	for score := set.Compatibility.MinCompatibilityScore - 1; score >= 0; score-- {
		changed := set
		changed.Compatibility.MinCompatibilityScore = score
		text := fmt.Sprintf("Lower the compatibility to %d%%", score)
		if score == 0 {
			text = "Include every compatibility"
		}
		if score%10 == 0 && helps("compatibility.minCompatibilityScore", text, changed) {
			return
		}
	}
}

func distanceSteps(set discovery.FilterSet, helps suggestFunc) {
	if set.Location.MaxDistance == nil {
		return
	}
	for _, miles := range []int{10, 25, 50, 75, 100, 150, 200, 300, 500} {
		changed := set
		changed.Location.MaxDistance = &miles
		if miles > *set.Location.MaxDistance && helps("location.maxDistance", fmt.Sprintf("Widen the distance to %d miles", miles), changed) {
			return
		}
	}
	changed := set
	changed.Location.MaxDistance = nil
	helps("location.maxDistance", "Look anywhere", changed)
}
