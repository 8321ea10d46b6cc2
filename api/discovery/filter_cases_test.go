package discovery_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"heartward/api/discovery"
	"heartward/api/discovery/compat"
	"heartward/api/members"
	"heartward/api/platform/gazetteer"
)

// filterCase has the test data of one filter. There is one for each path of a FilterSet;
// see TestFilters_HaveCases.
type filterCase struct {
	initial, sample any // the default and another valid value, in JSON
	invalid         []any
	// draw sets the filter to a random value.
	draw func(r *rand.Rand, set *discovery.FilterSet)
	// matches is the reference implementation. It is nil for filters that exclude no
	// member.
	matches func(me, other plain, set discovery.FilterSet, now time.Time) bool
	removal string // the text of the suggestion to remove it; empty for filters that are widened in steps or never suggested
}

var (
	null        = json.RawMessage("null")
	randomMiles = []int{5, 25, 50, 75, 100, 101, 160, 500}
	randomTimes = []string{"1d", "3d", "1w", "1m"}
	activeHours = map[string]int{"1d": 24, "3d": 72, "1w": 7 * 24, "1m": 30 * 24}
)

var cases = map[string]filterCase{
	"ageRange": {
		initial: []int{18, 65}, sample: []int{25, 35},
		invalid: []any{[]int{17, 40}, []int{18, 100}, []int{40, 30}, []int{30}, []int{30, 40, 50}, []any{}, []string{"18", "65"},
			[]float64{18.5, 40}, []float64{18, 1e300}, "18-65", 30, null},
		draw: func(r *rand.Rand, f *discovery.FilterSet) {
			f.AgeRange[0] = 18 + r.IntN(30)
			f.AgeRange[1] = f.AgeRange[0] + r.IntN(45)
		},
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return other.Age >= f.AgeRange[0] && (f.AgeRange[1] == 0 || other.Age <= f.AgeRange[1])
		},
	},
	"interestedIn": {
		initial: []string{}, sample: []string{"man", "nonbinary"},
		invalid: []any{[]string{"girl"}, []string{""}, many("woman", 5), "woman", []int{1}, null},
		draw:    func(r *rand.Rand, f *discovery.FilterSet) { f.InterestedIn = choose(r, fourGenders, 2) },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return other.Gender == nil || len(f.InterestedIn) == 0 || slices.Contains(f.InterestedIn, *other.Gender)
		},
	},
	"height.minCm": {
		initial: nil, sample: 170, invalid: []any{89, 251, 1e300, 195, 170.5, "tall"}, removal: "Include shorter people",
		draw: func(r *rand.Rand, f *discovery.FilterSet) { f.Height.MinCm = new(150 + r.IntN(30)) },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return f.Height.MinCm == nil || other.Height != nil && *other.Height >= *f.Height.MinCm
		},
	},
	"height.maxCm": {
		initial: nil, sample: 190, invalid: []any{89, 251, 1e300, 190.5, "tall"}, removal: "Include taller people",
		draw: func(r *rand.Rand, f *discovery.FilterSet) { f.Height.MaxCm = new(180 + r.IntN(30)) },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return f.Height.MaxCm == nil || other.Height != nil && *other.Height <= *f.Height.MaxCm
		},
	},
	"location.maxDistance": {
		initial: 50, sample: nil, invalid: []any{0, -1, 501, 1e300, 12.5, "anywhere", true},
		draw: func(r *rand.Rand, f *discovery.FilterSet) {
			f.Location.MaxDistance = new(randomMiles[r.IntN(len(randomMiles))])
		},
		matches: func(me, other plain, f discovery.FilterSet, _ time.Time) bool {
			miles, _, known := compat.Distance(me.person().Town, other.person().Town)
			return f.Location.MaxDistance == nil || !known || miles <= float64(*f.Location.MaxDistance)
		},
	},
	"location.sameState": {
		initial: false, sample: true, invalid: []any{"yes", 1, null}, removal: "Look beyond your state",
		draw: func(_ *rand.Rand, f *discovery.FilterSet) { f.Location.SameState = true },
		matches: func(me, other plain, f discovery.FilterSet, _ time.Time) bool {
			return !f.Location.SameState || stateOf(me) == "" || stateOf(other) == "" || stateOf(me) == stateOf(other)
		},
	},
	"location.city": {
		initial: "", sample: "Salem", invalid: []any{strings.Repeat("x", 101), "a\u0000b", "two\nlines", 5, null}, removal: "Look in other towns",
		draw: func(r *rand.Rand, f *discovery.FilterSet) {
			f.Location.City = []string{"PORTLAND", "Salem", "nowhere"}[r.IntN(3)]
		},
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return f.Location.City == "" || gazetteer.Fold(other.City) == gazetteer.Fold(f.Location.City)
		},
	},
	"intentionTags": {
		initial: []string{}, sample: []string{"Healing", "Marriage"}, removal: "Include other intentions",
		invalid: []any{many("Healing", 21), many("Healing", 10_000), []string{"healing?"}, []string{""}, []int{1}, "Healing", null},
		draw:    func(r *rand.Rand, f *discovery.FilterSet) { f.IntentionTags = choose(r, manyTags, 3) },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return common(f.IntentionTags, other.Tags)
		},
	},
	"lifestyle.hasChildren": {
		initial: nil, sample: false, invalid: []any{"any", 1}, removal: "Include people with and without children",
		draw: func(r *rand.Rand, f *discovery.FilterSet) { f.Lifestyle.HasChildren = new(chance(r, 50)) },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return answered(f.Lifestyle.HasChildren, other.HasChildren)
		},
	},
	"lifestyle.wantsChildren": {
		initial: nil, sample: true, invalid: []any{"true", 0}, removal: "Include people whether or not they want children",
		draw: func(r *rand.Rand, f *discovery.FilterSet) { f.Lifestyle.WantsChildren = new(chance(r, 50)) },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return answered(f.Lifestyle.WantsChildren, other.WantsChildren)
		},
	},
	"lifestyle.education": {
		initial: nil, sample: "masters", invalid: []any{"phd", "", 3}, removal: "Include every education",
		draw: func(r *rand.Rand, f *discovery.FilterSet) {
			f.Lifestyle.Education = new([]string{"bachelors", "masters"}[r.IntN(2)])
		},
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return answered(f.Lifestyle.Education, other.Education)
		},
	},
	"lifestyle.religion": {
		initial: nil, sample: "hindu", invalid: []any{"jedi", "", false}, removal: "Include every religion",
		draw: func(r *rand.Rand, f *discovery.FilterSet) {
			f.Lifestyle.Religion = new([]string{"spiritual", "other"}[r.IntN(2)])
		},
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return answered(f.Lifestyle.Religion, other.Religion)
		},
	},
	"compatibility.minCompatibilityScore": {
		initial: 0, sample: 70, invalid: []any{-1, 101, 1e300, 0.5, "60"},
		draw: func(r *rand.Rand, f *discovery.FilterSet) { f.Compatibility.MinCompatibilityScore = 5 * r.IntN(20) },
		matches: func(me, other plain, f discovery.FilterSet, _ time.Time) bool {
			return compat.Of(me.person(), other.person()).Overall >= f.Compatibility.MinCompatibilityScore
		},
	},
	"compatibility.prioritizeNewUsers": {
		initial: false, sample: true, invalid: []any{"on", null},
		draw: func(_ *rand.Rand, f *discovery.FilterSet) { f.Compatibility.PrioritizeNewUsers = true },
	},
	"compatibility.featuredOnly": {
		initial: false, sample: true, invalid: []any{1}, removal: "Include members who are not featured",
		draw: func(_ *rand.Rand, f *discovery.FilterSet) { f.Compatibility.FeaturedOnly = true },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return !f.Compatibility.FeaturedOnly || other.Featured
		},
	},
	"compatibility.recentlyActive": {initial: true, sample: false, invalid: []any{"1w"}, draw: func(*rand.Rand, *discovery.FilterSet) {}},
	"lastActiveWithin": {
		initial: "1w", sample: "1m", invalid: []any{"2d", "", 7, null},
		draw: func(r *rand.Rand, f *discovery.FilterSet) { f.LastActiveWithin = randomTimes[r.IntN(len(randomTimes))] },
		matches: func(_, other plain, f discovery.FilterSet, now time.Time) bool {
			hours, limited := activeHours[f.LastActiveWithin]
			if other.HidesActivity {
				hours = activeHours["1m"]
			}
			oldest := now.Add(-time.Duration(hours) * time.Hour).Truncate(24 * time.Hour)
			return !limited || !other.Active.Before(oldest)
		},
	},
	"profileCompleteness": {
		initial: 0, sample: 50, invalid: []any{-1, 101, 1e300, "50"}, removal: "Include profiles that are less complete",
		draw: func(r *rand.Rand, f *discovery.FilterSet) { f.ProfileCompleteness = 10 * r.IntN(8) },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return other.Completeness >= f.ProfileCompleteness
		},
	},
	"hasVoiceGreeting": {
		initial: false, sample: true, invalid: []any{"x"}, removal: "Include members without a voice greeting",
		draw: func(_ *rand.Rand, f *discovery.FilterSet) { f.HasVoiceGreeting = true },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return !f.HasVoiceGreeting || other.HasVoice
		},
	},
	"hasVideoIntroduction": {
		initial: false, sample: true, invalid: []any{2}, removal: "Include members without a video",
		draw: func(_ *rand.Rand, f *discovery.FilterSet) { f.HasVideoIntroduction = true },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return !f.HasVideoIntroduction || other.HasVideo
		},
	},
	"verifiedOnly": {
		initial: false, sample: true, invalid: []any{"x"}, removal: "Include members who are not verified yet",
		draw: func(_ *rand.Rand, f *discovery.FilterSet) { f.VerifiedOnly = true },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return !f.VerifiedOnly || other.Verified
		},
	},
	"relationshipGoals":    wordCase("relationshipGoals", "Include other relationship goals"),
	"personalityTraits":    wordCase("personalityTraits", "Include other personalities"),
	"lifestylePreferences": wordCase("lifestylePreferences", "Include other ways of life"),
	"pronouns":             wordCase("pronouns", "Include other pronouns"),
	"languages":            wordCase("languages", "Include people who speak other languages"),
	"drinking":             wordCase("drinking", "Include other drinking habits"),
	"smoking":              wordCase("smoking", "Include other smoking habits"),
	"pets":                 wordCase("pets", "Include people with other pets"),
	"mlRecommendations": {
		initial: false, sample: true, invalid: []any{"on"},
		draw: func(_ *rand.Rand, f *discovery.FilterSet) { f.MLRecommendations = true },
	},
}

// wordCase returns the case of the word list with this name.
func wordCase(name, removal string) filterCase {
	at := slices.IndexFunc(members.WordLists, func(l members.WordList) bool { return l.Name == name })
	words := members.WordLists[at].Words
	return filterCase{
		initial: []string{}, sample: words[1:3], removal: removal,
		invalid: []any{[]string{words[0] + "?"}, []string{strings.ToLower(words[0])}, many(words[0], len(words)+1), many(words[0], 10_000),
			words[0], null},
		draw: func(r *rand.Rand, f *discovery.FilterSet) { *f.Lists()[at] = choose(r, words, 3) },
		matches: func(_, other plain, f discovery.FilterSet, _ time.Time) bool {
			return common(*f.Lists()[at], *other.Lists()[at])
		},
	}
}

func many(word string, n int) []string {
	return strings.Split(strings.Repeat(word+",", n-1)+word, ",")
}

// document returns a set in JSON, with the value that value returns for each case.
func document(value func(filterCase) any) map[string]any {
	document := map[string]any{}
	for path, c := range cases {
		group, name, grouped := strings.Cut(path, ".")
		if !grouped {
			document[path] = value(c)
			continue
		}
		if document[group] == nil {
			document[group] = map[string]any{}
		}
		document[group].(map[string]any)[name] = value(c)
	}
	return document
}

// text returns a document as JSON text.
func text(value func(filterCase) any) string {
	data, err := json.Marshal(document(value))
	if err != nil {
		panic(err)
	}
	return string(data)
}

var (
	defaults   = text(func(c filterCase) any { return c.initial })
	everything = text(func(c filterCase) any { return c.sample })
)

// caseOf returns the case of a filter. Without one, which TestFilters_HaveCases reports, it is a case that changes nothing.
func caseOf(path string) filterCase {
	c := cases[path]
	if c.draw == nil {
		c.draw = func(*rand.Rand, *discovery.FilterSet) {}
	}
	return c
}

// randomFilters returns a set in which each filter is random with a probability of percent in 100.
// It does not set the filters in keep.
func randomFilters(r *rand.Rand, percent int, keep ...string) (f discovery.FilterSet) {
	for _, path := range discovery.FilterPaths() {
		if chance(r, percent) && !slices.Contains(keep, path) {
			caseOf(path).draw(r, &f)
		}
	}
	return f
}

// matches is the reference implementation of a FilterSet.
func matches(me, other plain, f discovery.FilterSet, now time.Time) bool {
	for _, c := range cases {
		if c.matches != nil && !c.matches(me, other, f, now) {
			return false
		}
	}
	return true
}
