package discovery

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/limits"
)

// FilterPreview is the number of people who match a FilterSet, before it is saved.
type FilterPreview struct {
	Count       int                `json:"count" doc:"How many members, counted up to 1000"`
	More        bool               `json:"more" doc:"There are more than were counted"`
	Suggestions []FilterSuggestion `json:"suggestions" doc:"Where no member fits: the changes that would find some, most members first"`
}

// FilterSuggestion is one change to a FilterSet and how many people match then.
type FilterSuggestion struct {
	Filter  string    `json:"filter" doc:"The filter to change, such as location.maxDistance; 'all' for all of them"`
	Text    string    `json:"text" doc:"For the member, with the number of people"`
	People  int       `json:"people"`
	Filters FilterSet `json:"filters" doc:"The set with the change made, to be saved"`
}

const (
	mostCounted   = 1000
	mostSuggested = 5
)

// A preview of filters that match no one searches some dozens of times.
var previews = limits.Rule{Name: "filter-previews", Count: 120, Per: time.Minute}

// Preview counts the members who match set. When there is none, it suggests each
// single filter that brings people back when it is removed or widened: for a
// distance or an age the smallest step that helps. When no single one helps,
// removing all of them is suggested, if that does.
// Errors as of SaveFilters, RateLimited and those of Search.
func (s *Service) Preview(ctx context.Context, member uuid.UUID, set FilterSet) (FilterPreview, error) {
	if err := limits.Allow(ctx, s.pool, previews, member.String()); err != nil {
		return FilterPreview{}, err
	}
	set, err := s.allowed(ctx, member, set)
	if err != nil {
		return FilterPreview{}, err
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return FilterPreview{}, err
	}
	defer leave()
	me, err := selectViewer(ctx, s.pool, member)
	if err != nil {
		return FilterPreview{}, err
	}
	in, err := s.loadedIndex()
	if err != nil {
		return FilterPreview{}, err
	}
	preview := FilterPreview{Suggestions: []FilterSuggestion{}}
	if preview.Count, preview.More = in.Count(member, query(me, set, uuid.Nil), mostCounted); preview.Count > 0 {
		return preview, nil
	}
	preview.Suggestions = suggest(set, func(changed FilterSet) (int, bool) {
		return in.Count(member, query(me, changed, uuid.Nil), mostCounted)
	})
	return preview, nil
}

// counting returns how many people match a set, and whether there are more.
type counting func(FilterSet) (people int, more bool)

// suggest returns what would bring people back to a set that matches no one.
func suggest(set FilterSet, count counting) []FilterSuggestion {
	all := []FilterSuggestion{}
	for _, steps := range changes(set) {
		all = append(all, firstThatHelps(steps, count)...)
	}
	if len(all) == 0 {
		return append(all, firstThatHelps([]step{{"all", "Clear all filters", set.withoutLimits()}}, count)...)
	}
	slices.SortStableFunc(all, func(a, b FilterSuggestion) int { return cmp.Compare(b.People, a.People) })
	return all[:min(len(all), mostSuggested)]
}

// firstThatHelps returns a suggestion of the first step that people match; it is
// empty when there is none. Each step keeps the people of the steps before it, so
// that few of them need to be counted.
func firstThatHelps(steps []step, count counting) []FilterSuggestion {
	if widest, _ := count(steps[len(steps)-1].set); widest == 0 {
		return nil
	}
	first := sort.Search(len(steps)-1, func(i int) bool {
		people, _ := count(steps[i].set)
		return people > 0
	})
	people, more := count(steps[first].set)
	return []FilterSuggestion{{steps[first].filter, steps[first].text + ": " + counted(people, more), people, steps[first].set.normalized()}}
}

func counted(people int, more bool) string {
	switch {
	case more:
		return fmt.Sprintf("more than %d people", people)
	case people == 1:
		return "1 person"
	}
	return fmt.Sprintf("%d people", people)
}

// step is a FilterSet with one filter wider than it was.
type step struct {
	filter, text string
	set          FilterSet
}

// changes returns the ways to remove or widen one filter of set, each in steps
// from the smallest on. Filters that leave no one out have none.
func changes(set FilterSet) (all [][]step) {
	for _, f := range filters {
		var steps []step
		changed := set
		switch {
		case f.widen != nil:
			steps = f.widen(set)
		case f.removal != "" && f.clear(&changed):
			steps = []step{{f.path, f.removal, changed}}
		}
		if len(steps) > 0 {
			all = append(all, steps)
		}
	}
	return all
}

// widerDistances returns the distances beyond the present one, anywhere last.
func widerDistances(set FilterSet) (steps []step) {
	const filter = "location.maxDistance"
	if set.Location.MaxDistance == nil {
		return nil
	}
	for _, miles := range []int{10, 25, 50, 75, 100, 150, 200, 300, 500} {
		if miles > *set.Location.MaxDistance {
			changed := set
			changed.Location.MaxDistance = &miles
			steps = append(steps, step{filter, fmt.Sprintf("Widen the distance to %d miles", miles), changed})
		}
	}
	changed := set
	changed.Location.MaxDistance = nil
	return append(steps, step{filter, "Look anywhere", changed})
}

// widerAges returns wider ranges of age, in both directions at once.
func widerAges(set FilterSet) (steps []step) {
	last := set.AgeRange
	for _, years := range []int{2, 5, 10, 15, 20, 30, 81} {
		changed := set
		changed.AgeRange = [2]int{max(18, set.AgeRange[0]-years), min(99, set.AgeRange[1]+years)}
		if changed.AgeRange != last {
			text := fmt.Sprintf("Look at ages %d to %d", changed.AgeRange[0], changed.AgeRange[1])
			steps = append(steps, step{"ageRange", text, changed})
			last = changed.AgeRange
		}
	}
	return steps
}

// longerActivity returns the longer times since the last activity.
func longerActivity(set FilterSet) (steps []step) {
	order := []string{"1d", "3d", "1w", "1m", "any"}
	words := []string{"", "Include people seen in the last 3 days", "Include people seen in the last week",
		"Include people seen in the last month", "Include people seen at any time"}
	for i := slices.Index(order, set.LastActiveWithin) + 1; i < len(order); i++ {
		changed := set
		changed.LastActiveWithin = order[i]
		changed.Compatibility.RecentlyActive = recent(order[i])
		steps = append(steps, step{"lastActiveWithin", words[i], changed})
	}
	return steps
}

// lowerScores returns lower scores, in steps of ten; the last sets no limit.
func lowerScores(set FilterSet) (steps []step) {
	for score := set.Compatibility.MinCompatibilityScore; score > 0; {
		score = max(0, (score-1)/10*10)
		text := fmt.Sprintf("Lower the compatibility to %d%%", score)
		if score == 0 {
			text = "Include every compatibility"
		}
		changed := set
		changed.Compatibility.MinCompatibilityScore = score
		steps = append(steps, step{"compatibility.minCompatibilityScore", text, changed})
	}
	return steps
}
