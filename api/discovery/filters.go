package discovery

import (
	"time"

	"github.com/google/uuid"
)

// Filter says who is left out of a search, and what decides between equal
// scores. The zero value of a field sets no limit.
type Filter struct {
	MinAge, MaxAge int     // whole years, both included
	MaxMiles       float64 // between the centres of the two towns; leaves out nobody whose distance cannot be told
	SameState      bool    // leaves out whose state is known and another one
	City           string  // only this town, whatever its accents and capitals

	// At least one in common; capitals and spaces of the tags do not matter.
	IntentionTags, RelationshipGoals, PersonalityTraits, LifestylePreferences []string

	// The same answer; who has not answered is left out.
	HasChildren, WantsChildren *bool
	Education, Religion        *string

	MinScore        int           // of the overall compatibility, 0 to 100
	FeaturedOnly    bool          // chosen by the admins
	VerifiedOnly    bool          // a selfie was compared with the photos
	HasVoice        bool          // with a voice greeting
	HasVideo        bool          // with a video introduction
	MinCompleteness int           // of the profile, in per cent
	ActiveWithin    time.Duration // since the hour in which the member was last here
	Exclude         uuid.UUID     // one more member to leave out

	NewestFirst     bool // among equal scores the newest members come first
	Recommendations bool // then those who are like whom the viewer liked
}
