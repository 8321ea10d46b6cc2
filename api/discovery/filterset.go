package discovery

import (
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/text"
)

// FilterSet has the filters of a member. Null, empty, zero and false set no limit. The
// table of filters describes each filter.
type FilterSet struct {
	// InterestedIn is a field of the profile, because it also decides to whom the member is
	// shown. It is stored there only. Nil means the stored one.
	InterestedIn         []string            `json:"interestedIn,omitzero" required:"true" maxItems:"4" doc:"The genders that the member wants to see, empty for all; a field of the profile, not changed if missing"`
	AgeRange             [2]int              `json:"ageRange" minimum:"18" maximum:"99" doc:"The lowest and the highest age, in years"`
	Location             FilterLocation      `json:"location"`
	Height               FilterHeight        `json:"height"`
	IntentionTags        []string            `json:"intentionTags" maxItems:"20" maxLength:"50" doc:"At least one tag in common"`
	Lifestyle            FilterLifestyle     `json:"lifestyle"`
	Compatibility        FilterCompatibility `json:"compatibility"`
	LastActiveWithin     string              `json:"lastActiveWithin" enum:"1d,3d,1w,1m,any"`
	ProfileCompleteness  int                 `json:"profileCompleteness" minimum:"0" maximum:"100" doc:"The minimum, in percent"`
	HasVoiceGreeting     bool                `json:"hasVoiceGreeting"`
	HasVideoIntroduction bool                `json:"hasVideoIntroduction"`
	VerifiedOnly         bool                `json:"verifiedOnly"`
	members.Words
	MLRecommendations bool `json:"mlRecommendations" doc:"Among equal scores, sort members first who have words in common with liked members"`
}

// FilterLocation limits the location of other members.
type FilterLocation struct {
	MaxDistance *int   `json:"maxDistance" minimum:"1" maximum:"500" doc:"The maximum distance of the towns in miles; null for no limit"`
	SameState   bool   `json:"sameState"`
	City        string `json:"city" maxLength:"100" doc:"Only members in this town"`
}

// FilterHeight limits the height of other members; null sets no limit.
type FilterHeight struct {
	MinCm *int `json:"minCm" minimum:"90" maximum:"250"`
	MaxCm *int `json:"maxCm" minimum:"90" maximum:"250"`
}

// FilterLifestyle limits the answers of other members; null sets no limit.
type FilterLifestyle struct {
	HasChildren   *bool   `json:"hasChildren"`
	WantsChildren *bool   `json:"wantsChildren"`
	Education     *string `json:"education"`
	Religion      *string `json:"religion" doc:"Only for members who have answered it themselves"`
}

// FilterCompatibility limits the score and changes the order of other members.
type FilterCompatibility struct {
	MinCompatibilityScore int  `json:"minCompatibilityScore" minimum:"0" maximum:"100"`
	PrioritizeNewUsers    bool `json:"prioritizeNewUsers"`
	FeaturedOnly          bool `json:"featuredOnly"`
	RecentlyActive        bool `json:"recentlyActive" doc:"Derived from lastActiveWithin; true together with 'any' means 1w"`
}

// TransformSchema enumerates the words of the lists, and has the defaults, which the app needs while it is offline.
func (FilterSet) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	defaults := DefaultFilters()
	defaults.InterestedIn = []string{}
	s.Default = defaults
	for _, list := range members.WordLists {
		s.Properties[list.Name].MaxItems = new(len(list.Words))
	}
	genders := s.Properties["interestedIn"].Items
	for _, gender := range members.Genders {
		genders.Enum = append(genders.Enum, gender)
	}
	return members.EnumerateWords(s)
}

// TransformSchema enumerates the answers.
func (FilterLifestyle) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return members.EnumerateWords(s)
}

// DefaultFilters returns the filters of a member who has saved none.
func DefaultFilters() FilterSet {
	return FilterSet{
		AgeRange: [2]int{18, 65}, Location: FilterLocation{MaxDistance: new(50)}, LastActiveWithin: "1w",
		Compatibility: FilterCompatibility{RecentlyActive: true},
	}.normalized()
}

// withoutLimits returns a set with the same order and genders, and without limits.
func (f FilterSet) withoutLimits() FilterSet {
	return FilterSet{
		InterestedIn: f.InterestedIn,
		AgeRange:     [2]int{18, 99}, LastActiveWithin: "any", MLRecommendations: f.MLRecommendations,
		Compatibility: FilterCompatibility{PrioritizeNewUsers: f.Compatibility.PrioritizeNewUsers},
	}.normalized()
}

var activeWithin = map[string]time.Duration{
	"1d": 24 * time.Hour, "3d": 3 * 24 * time.Hour, "1w": 7 * 24 * time.Hour, "1m": 30 * 24 * time.Hour, "any": 0,
}

// normalized replaces null lists by empty ones except InterestedIn, removes repetitions
// and derives recentlyActive.
func (f FilterSet) normalized() FilterSet {
	for _, filter := range filters {
		list, ok := filter.field(&f).(*[]string)
		if ok && (*list != nil || list != &f.InterestedIn) {
			*list = unique(*list)
		}
	}
	f.Compatibility.RecentlyActive = isRecent(f.LastActiveWithin)
	return f
}

func isRecent(within string) bool { return within == "1d" || within == "3d" || within == "1w" }

// unique returns the list in its order without repetitions, never nil.
func unique(list []string) []string {
	result, seen := []string{}, map[string]bool{}
	for _, text := range list {
		if !seen[text] {
			seen[text] = true
			result = append(result, text)
		}
	}
	return result
}

// checked returns the set in the form in which it is stored. It makes the checks that the
// schema cannot express. allowed are the intentions that members can choose.
func (f FilterSet) checked(allowed []string) (FilterSet, error) {
	if f.AgeRange[0] < 18 || f.AgeRange[1] > 99 {
		return f, fault.InvalidField("ageRange", "Please choose ages between 18 and 99.")
	}
	if f.AgeRange[0] > f.AgeRange[1] {
		return f, fault.InvalidField("ageRange", "Please put the lower age first.")
	}
	if low, high := f.Height.MinCm, f.Height.MaxCm; low != nil && high != nil && *low > *high {
		return f, fault.InvalidField("height.minCm", "Please put the lower height first.")
	}
	city, err := text.Clean("location.city", f.Location.City, text.Rule{Max: 100, Bad: "This town has a character that cannot be shown."})
	if err != nil {
		return f, err
	}
	f.Location.City = city
	for _, tag := range f.IntentionTags {
		if !slices.Contains(allowed, tag) {
			return f, fault.InvalidField("intentionTags", "Please choose from the list of intentions.")
		}
	}
	if f.Compatibility.RecentlyActive && f.LastActiveWithin == "any" {
		f.LastActiveWithin = "1w"
	}
	return f.normalized(), nil
}
