package discovery

import (
	"reflect"
	"slices"
	"time"

	"heartward/api/discovery/index"
	"heartward/api/members"
)

// filter is one filter of a FilterSet. The table of filters determines the limits of a
// search, the preview's suggestions and the normalized form of a set.
type filter struct {
	path  string                         // in JSON
	field func(*FilterSet) any           // returns the address of its value
	query func(*index.Query, *FilterSet) // adds its limit to a search

	// The suggestion if the filters match no member: removal is the text for removing the
	// filter, widen returns steps that widen it, the smallest first. Filters with neither are
	// not suggested: they only change the order, follow another filter, or are a choice of
	// the profile.
	removal string
	widen   func(FilterSet) []step
}

// filters are the filters in the order of their suggestions.
var filters = []filter{
	{
		path: "location.maxDistance", widen: widerDistances,
		field: func(f *FilterSet) any { return &f.Location.MaxDistance },
		query: func(q *index.Query, f *FilterSet) {
			if miles := f.Location.MaxDistance; miles != nil {
				q.MaxMiles = float64(*miles)
			}
		},
	},
	{
		path: "ageRange", widen: widerAges,
		field: func(f *FilterSet) any { return &f.AgeRange },
		query: func(q *index.Query, f *FilterSet) { q.MinAge, q.MaxAge = f.AgeRange[0], f.AgeRange[1] },
	},
	{
		path:  "interestedIn",
		field: func(f *FilterSet) any { return &f.InterestedIn },
		query: func(q *index.Query, f *FilterSet) {
			if f.InterestedIn != nil {
				q.InterestedIn = f.InterestedIn
			}
		},
	},
	{
		path: "lastActiveWithin", widen: longerActivity,
		field: func(f *FilterSet) any { return &f.LastActiveWithin },
		query: func(q *index.Query, f *FilterSet) {
			if within := activeWithin[f.LastActiveWithin]; within > 0 {
				q.ActiveSince = q.Hour - int(within/time.Hour)
			}
		},
	},
	{
		path: "location.sameState", removal: "Look beyond your state",
		field: func(f *FilterSet) any { return &f.Location.SameState },
		query: func(q *index.Query, f *FilterSet) { q.SameState = f.Location.SameState },
	},
	{
		path: "location.city", removal: "Look in other towns",
		field: func(f *FilterSet) any { return &f.Location.City },
		query: func(q *index.Query, f *FilterSet) { q.InCity = f.Location.City },
	},
	{
		path: "intentionTags", removal: "Include other intentions",
		field: func(f *FilterSet) any { return &f.IntentionTags },
		query: func(q *index.Query, f *FilterSet) { q.AnyTag = f.IntentionTags },
	},
	{
		path: "height.minCm", removal: "Include shorter people",
		field: func(f *FilterSet) any { return &f.Height.MinCm },
		query: func(q *index.Query, f *FilterSet) {
			if f.Height.MinCm != nil {
				q.MinHeight = *f.Height.MinCm
			}
		},
	},
	{
		path: "height.maxCm", removal: "Include taller people",
		field: func(f *FilterSet) any { return &f.Height.MaxCm },
		query: func(q *index.Query, f *FilterSet) {
			if f.Height.MaxCm != nil {
				q.MaxHeight = *f.Height.MaxCm
			}
		},
	},
	wordFilter("relationshipGoals", "Include other relationship goals"),
	wordFilter("personalityTraits", "Include other personalities"),
	wordFilter("lifestylePreferences", "Include other ways of life"),
	wordFilter("pronouns", "Include other pronouns"),
	wordFilter("languages", "Include people who speak other languages"),
	wordFilter("drinking", "Include other drinking habits"),
	wordFilter("smoking", "Include other smoking habits"),
	wordFilter("pets", "Include people with other pets"),
	{
		path: "lifestyle.hasChildren", removal: "Include people with and without children",
		field: func(f *FilterSet) any { return &f.Lifestyle.HasChildren },
		query: func(q *index.Query, f *FilterSet) { q.HasChildren = f.Lifestyle.HasChildren },
	},
	{
		path: "lifestyle.wantsChildren", removal: "Include people whether or not they want children",
		field: func(f *FilterSet) any { return &f.Lifestyle.WantsChildren },
		query: func(q *index.Query, f *FilterSet) { q.WantsChildren = f.Lifestyle.WantsChildren },
	},
	{
		path: "lifestyle.education", removal: "Include every education",
		field: func(f *FilterSet) any { return &f.Lifestyle.Education },
		query: func(q *index.Query, f *FilterSet) { q.Education = f.Lifestyle.Education },
	},
	{
		path: "lifestyle.religion", removal: "Include every religion",
		field: func(f *FilterSet) any { return &f.Lifestyle.Religion },
		query: func(q *index.Query, f *FilterSet) { q.Religion = f.Lifestyle.Religion },
	},
	{
		path: "compatibility.featuredOnly", removal: "Include members who are not featured",
		field: func(f *FilterSet) any { return &f.Compatibility.FeaturedOnly },
		query: func(q *index.Query, f *FilterSet) { q.Featured = f.Compatibility.FeaturedOnly },
	},
	{
		path: "verifiedOnly", removal: "Include members who are not verified yet",
		field: func(f *FilterSet) any { return &f.VerifiedOnly },
		query: func(q *index.Query, f *FilterSet) { q.Verified = f.VerifiedOnly },
	},
	{
		path: "hasVoiceGreeting", removal: "Include members without a voice greeting",
		field: func(f *FilterSet) any { return &f.HasVoiceGreeting },
		query: func(q *index.Query, f *FilterSet) { q.HasVoice = f.HasVoiceGreeting },
	},
	{
		path: "hasVideoIntroduction", removal: "Include members without a video",
		field: func(f *FilterSet) any { return &f.HasVideoIntroduction },
		query: func(q *index.Query, f *FilterSet) { q.HasVideo = f.HasVideoIntroduction },
	},
	{
		path: "profileCompleteness", removal: "Include profiles that are less complete",
		field: func(f *FilterSet) any { return &f.ProfileCompleteness },
		query: func(q *index.Query, f *FilterSet) { q.MinCompleteness = f.ProfileCompleteness },
	},
	{
		path: "compatibility.minCompatibilityScore", widen: lowerScores,
		field: func(f *FilterSet) any { return &f.Compatibility.MinCompatibilityScore },
		query: func(q *index.Query, f *FilterSet) { q.MinScore = f.Compatibility.MinCompatibilityScore },
	},
	{
		path:  "compatibility.prioritizeNewUsers",
		field: func(f *FilterSet) any { return &f.Compatibility.PrioritizeNewUsers },
		query: func(q *index.Query, f *FilterSet) { q.NewestFirst = f.Compatibility.PrioritizeNewUsers },
	},
	{
		path:  "compatibility.recentlyActive", // follows lastActiveWithin
		field: func(f *FilterSet) any { return &f.Compatibility.RecentlyActive },
		query: func(*index.Query, *FilterSet) {},
	},
	{
		path:  "mlRecommendations", // Query.LikedAttributes, which rank reads from the database
		field: func(f *FilterSet) any { return &f.MLRecommendations },
		query: func(*index.Query, *FilterSet) {},
	},
}

// wordFilter returns the filter by the word list with this name, which requires at least
// one word in common.
func wordFilter(name, removal string) filter {
	list := slices.IndexFunc(members.WordLists, func(l members.WordList) bool { return l.Name == name })
	if list < 0 {
		panic("discovery: members.WordLists has no " + name)
	}
	return filter{
		path: name, removal: removal,
		field: func(f *FilterSet) any { return f.Lists()[list] },
		query: func(q *index.Query, f *FilterSet) {
			if words := *f.Lists()[list]; len(words) > 0 {
				var wanted index.Attributes
				addWords(&wanted, list, words)
				q.AnyOf = append(q.AnyOf, wanted)
			}
		},
	}
}

// clear removes the filter from set and reports whether it was set.
func (f filter) clear(set *FilterSet) (wasSet bool) {
	value := reflect.ValueOf(f.field(set)).Elem()
	if value.Kind() == reflect.Slice {
		wasSet = value.Len() > 0
		value.Set(reflect.MakeSlice(value.Type(), 0, 0))
		return wasSet
	}
	wasSet = !value.IsZero()
	value.SetZero()
	return wasSet
}
