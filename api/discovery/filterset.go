package discovery

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"heartward/api/platform/fault"
)

// FilterSet is how a member wants to discover others: the one model behind the
// panel of Discover and the one of the settings. Null, empty and false leave
// nobody out.
type FilterSet struct {
	AgeRange             [2]int              `json:"ageRange" minimum:"18" maximum:"99" doc:"The youngest and the oldest, in years"`
	Location             FilterLocation      `json:"location"`
	IntentionTags        []string            `json:"intentionTags" maxItems:"20" maxLength:"50" doc:"At least one in common"`
	Lifestyle            FilterLifestyle     `json:"lifestyle"`
	Compatibility        FilterCompatibility `json:"compatibility"`
	LastActiveWithin     string              `json:"lastActiveWithin" enum:"1d,3d,1w,1m,any"`
	ProfileCompleteness  int                 `json:"profileCompleteness" minimum:"0" maximum:"100" doc:"At least so many per cent"`
	HasVoiceGreeting     bool                `json:"hasVoiceGreeting"`
	HasVideoIntroduction bool                `json:"hasVideoIntroduction"`
	VerifiedOnly         bool                `json:"verifiedOnly"`
	RelationshipGoals    []string            `json:"relationshipGoals" maxItems:"6" enum:"Marriage,Life partner,Long-term relationship,Dating to see,Companionship,Friendship first"`
	PersonalityTraits    []string            `json:"personalityTraits" maxItems:"10" enum:"Adventurous,Affectionate,Ambitious,Calm,Creative,Curious,Empathetic,Funny,Outgoing,Thoughtful"`
	LifestylePreferences []string            `json:"lifestylePreferences" maxItems:"10" enum:"Active,Early bird,Foodie,Homebody,Music lover,Night owl,Nonsmoker,Outdoorsy,Pet lover,Traveler"`
	MLRecommendations    bool                `json:"mlRecommendations" doc:"Among equals, those first who are like whom the member liked"`
}

// FilterLocation is where others live.
type FilterLocation struct {
	MaxDistance *int   `json:"maxDistance" minimum:"1" maximum:"500" doc:"Miles between the towns; null is anywhere"`
	SameState   bool   `json:"sameState"`
	City        string `json:"city" maxLength:"100" doc:"This town only"`
}

// FilterLifestyle is what others have answered; null asks for nothing.
type FilterLifestyle struct {
	HasChildren   *bool   `json:"hasChildren"`
	WantsChildren *bool   `json:"wantsChildren"`
	Education     *string `json:"education" enum:"high_school,some_college,bachelors,masters,doctorate"`
	Religion      *string `json:"religion" enum:"christian,jewish,muslim,hindu,buddhist,spiritual,agnostic,atheist,other" doc:"For members who have answered it themselves"`
}

// FilterCompatibility is how well others fit, and who comes first.
type FilterCompatibility struct {
	MinCompatibilityScore int  `json:"minCompatibilityScore" minimum:"0" maximum:"100"`
	PrioritizeNewUsers    bool `json:"prioritizeNewUsers"`
	FeaturedOnly          bool `json:"featuredOnly"`
	RecentlyActive        bool `json:"recentlyActive" doc:"Follows lastActiveWithin; true where that is 'any' means 1w"`
}

// DefaultFilters are those of a member who has set none.
func DefaultFilters() FilterSet {
	miles := 50
	return FilterSet{
		AgeRange: [2]int{18, 65}, Location: FilterLocation{MaxDistance: &miles}, LastActiveWithin: "1w",
		Compatibility: FilterCompatibility{RecentlyActive: true},
	}.tidy()
}

// open is the set that leaves nobody out; who comes first stays.
func (f FilterSet) open() FilterSet {
	return FilterSet{
		AgeRange: [2]int{18, 99}, LastActiveWithin: "any", MLRecommendations: f.MLRecommendations,
		Compatibility: FilterCompatibility{PrioritizeNewUsers: f.Compatibility.PrioritizeNewUsers},
	}.tidy()
}

var activeWithin = map[string]time.Duration{
	"1d": 24 * time.Hour, "3d": 3 * 24 * time.Hour, "1w": 7 * 24 * time.Hour, "1m": 30 * 24 * time.Hour, "any": 0,
}

// Filter is what the search makes of the set.
func (f FilterSet) Filter() Filter {
	filter := Filter{
		MinAge: f.AgeRange[0], MaxAge: f.AgeRange[1],
		SameState: f.Location.SameState, City: f.Location.City,
		IntentionTags: f.IntentionTags, RelationshipGoals: f.RelationshipGoals,
		PersonalityTraits: f.PersonalityTraits, LifestylePreferences: f.LifestylePreferences,
		HasChildren: f.Lifestyle.HasChildren, WantsChildren: f.Lifestyle.WantsChildren,
		Education: f.Lifestyle.Education, Religion: f.Lifestyle.Religion,
		MinScore: f.Compatibility.MinCompatibilityScore, FeaturedOnly: f.Compatibility.FeaturedOnly,
		VerifiedOnly: f.VerifiedOnly, HasVoice: f.HasVoiceGreeting, HasVideo: f.HasVideoIntroduction,
		MinCompleteness: f.ProfileCompleteness, ActiveWithin: activeWithin[f.LastActiveWithin],
		NewestFirst: f.Compatibility.PrioritizeNewUsers, Recommendations: f.MLRecommendations,
	}
	if f.Location.MaxDistance != nil {
		filter.MaxMiles = float64(*f.Location.MaxDistance)
	}
	return filter
}

// tidy makes lists of missing lists and lets recentlyActive follow.
func (f FilterSet) tidy() FilterSet {
	for _, list := range []*[]string{&f.IntentionTags, &f.RelationshipGoals, &f.PersonalityTraits, &f.LifestylePreferences} {
		*list = unique(*list)
	}
	f.Compatibility.RecentlyActive = recent(f.LastActiveWithin)
	return f
}

func recent(within string) bool { return within == "1d" || within == "3d" || within == "1w" }

// unique is the list in its order without repetitions, never nil.
func unique(list []string) []string {
	kept, seen := []string{}, map[string]bool{}
	for _, text := range list {
		if !seen[text] {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	return kept
}

// checked is the set as it is stored. What the schema says of single values is
// checked before; here is what it cannot say. allowed are the intentions that
// members choose from.
func (f FilterSet) checked(allowed []string) (FilterSet, error) {
	if f.AgeRange[0] < 18 || f.AgeRange[1] > 99 {
		return f, fault.InvalidField("ageRange", "Please choose ages between 18 and 99.")
	}
	if f.AgeRange[0] > f.AgeRange[1] {
		return f, fault.InvalidField("ageRange", "Please put the lower age first.")
	}
	f.Location.City = strings.TrimSpace(f.Location.City)
	if !utf8.ValidString(f.Location.City) || strings.ContainsFunc(f.Location.City, unicode.IsControl) {
		return f, fault.InvalidField("location.city", "This town has a character that cannot be shown.")
	}
	for _, tag := range f.IntentionTags {
		if !slices.Contains(allowed, tag) {
			return f, fault.InvalidField("intentionTags", "Please choose from the list of intentions.")
		}
	}
	if f.Compatibility.RecentlyActive && f.LastActiveWithin == "any" {
		f.LastActiveWithin = "1w"
	}
	return f.tidy(), nil
}
