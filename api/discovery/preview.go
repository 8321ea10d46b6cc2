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

// FilterPreview is the number of members who match a FilterSet that is not saved.
type FilterPreview struct {
	Count       int                `json:"count" doc:"The number of matching members, at most 1000"`
	More        bool               `json:"more" doc:"Whether there are more than count"`
	Suggestions []FilterSuggestion `json:"suggestions" doc:"If no member matches: changes that find some, most members first"`
	Candidates  []Candidate        `json:"candidates" doc:"The first matching members, as many as requested"`
	NewPeopleAt *time.Time         `json:"newPeopleAt" nullable:"true" doc:"If members were left out because the caller was shown as many as a day allows: when others are shown"`
}

// FilterSuggestion is a change to a FilterSet with the number of matching members.
type FilterSuggestion struct {
	Filter  string    `json:"filter" doc:"The filter to change, such as location.maxDistance; 'all' for all of them"`
	Text    string    `json:"text" doc:"The text for the member, with the number of people"`
	People  int       `json:"people"`
	Filters FilterSet `json:"filters" doc:"The changed set, to be saved"`
}

const (
	maxCounted   = 1000
	maxSuggested = 5
)

// A preview of filters without matches runs dozens of searches.
var previews = limits.Rule{Name: "filter-previews", Count: 120, Per: time.Minute}

// Preview counts the members who match set and returns the first of them, at most limit.
// If there are none, it suggests at most five single filters whose removal or widening
// finds members, with the smallest step of a distance or an age that does. If no single
// change helps, it suggests removing all filters if that finds members. It returns the
// errors of SaveFilters and Search, and RateLimited.
func (s *Service) Preview(ctx context.Context, member uuid.UUID, set FilterSet, limit int) (FilterPreview, error) {
	if err := limits.Allow(ctx, s.pool, previews, member.String()); err != nil {
		return FilterPreview{}, err
	}
	set, err := s.checkAndCount(ctx, member, set)
	if err != nil {
		return FilterPreview{}, err
	}
	release, err := s.acquireSlot(ctx)
	if err != nil {
		return FilterPreview{}, err
	}
	defer release()
	me, err := selectViewer(ctx, s.pool, member)
	if err != nil {
		return FilterPreview{}, err
	}
	in, err := s.loadedIndex()
	if err != nil {
		return FilterPreview{}, err
	}
	if set.InterestedIn == nil { // so that suggestions have a value
		set.InterestedIn = me.interestedIn
	}
	preview := FilterPreview{Suggestions: []FilterSuggestion{}, Candidates: []Candidate{}}
	q := query(me, set, uuid.Nil)
	if preview.Count, preview.More = in.Count(member, q, maxCounted); preview.Count > 0 {
		if limit == 0 {
			return preview, nil
		}
		q.Limit = limit
		if set.MLRecommendations {
			if q.LikedAttributes, err = selectLikedAttributes(ctx, s.pool, member); err != nil {
				return FilterPreview{}, err
			}
		}
		found, _ := in.Search(member, q)
		preview.Candidates, preview.NewPeopleAt, err = s.load(ctx, me, found)
		return preview, err
	}
	preview.Suggestions = suggest(set, func(changed FilterSet) (int, bool) {
		return in.Count(member, query(me, changed, uuid.Nil), maxCounted)
	})
	return preview, nil
}

// countFunc returns the number of members that match a set, and whether there are more.
type countFunc func(FilterSet) (people int, more bool)

// suggest returns suggestions for a set without matches.
func suggest(set FilterSet, count countFunc) []FilterSuggestion {
	all := []FilterSuggestion{}
	for _, steps := range changes(set) {
		all = append(all, suggestSmallestStep(steps, count)...)
	}
	if len(all) == 0 {
		return append(all, suggestSmallestStep([]step{{"all", "Clear all filters", set.withoutLimits()}}, count)...)
	}
	slices.SortStableFunc(all, func(a, b FilterSuggestion) int { return cmp.Compare(b.People, a.People) })
	return all[:min(len(all), maxSuggested)]
}

// suggestSmallestStep returns a suggestion for the first step with matches, or nil if no
// step has any. A step matches all members of the previous ones, so that few steps need to
// be counted.
func suggestSmallestStep(steps []step, count countFunc) []FilterSuggestion {
	if widest, _ := count(steps[len(steps)-1].set); widest == 0 {
		return nil
	}
	first := sort.Search(len(steps)-1, func(i int) bool {
		people, _ := count(steps[i].set)
		return people > 0
	})
	people, more := count(steps[first].set)
	return []FilterSuggestion{{steps[first].filter, steps[first].text + ": " + formatCount(people, more), people, steps[first].set.normalized()}}
}

func formatCount(people int, more bool) string {
	switch {
	case more:
		return fmt.Sprintf("more than %d people", people)
	case people == 1:
		return "1 person"
	}
	return fmt.Sprintf("%d people", people)
}

// step is a FilterSet with one filter widened.
type step struct {
	filter, text string
	set          FilterSet
}

// changes returns for each filter of set the steps that remove or widen it, the smallest
// first. It omits filters that set no limit.
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

// widerDistances returns larger distances; the last step sets no limit.
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
		changed.Compatibility.RecentlyActive = isRecent(order[i])
		steps = append(steps, step{"lastActiveWithin", words[i], changed})
	}
	return steps
}

// lowerScores returns lower scores in steps of ten; the last step sets no limit.
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
