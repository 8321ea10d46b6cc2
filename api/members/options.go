package members

import (
	"fmt"
	"slices"

	"heartward/api/platform/fault"
)

// The words that members choose for themselves. The table of members holds the
// same lists; a new word needs a migration.
var (
	PersonalityTraits = []string{"Adventurous", "Affectionate", "Ambitious", "Calm", "Creative", "Curious", "Empathetic",
		"Funny", "Outgoing", "Thoughtful"}
	LifestylePreferences = []string{"Active", "Early bird", "Foodie", "Homebody", "Music lover", "Night owl", "Nonsmoker",
		"Outdoorsy", "Pet lover", "Traveler"}
	RelationshipGoals = []string{"Marriage", "Life partner", "Long-term relationship", "Dating to see", "Companionship",
		"Friendship first"}
)

// promptQuestions are offered to answer; a member may also ask another one.
var promptQuestions = []string{
	"A perfect slow morning",
	"I feel most at home when",
	"Something I learned late",
	"The way to my heart is",
	"I am looking for someone who",
	"My friends would say that I",
	"A small thing I am grateful for",
	"Together we could",
	"I could talk for hours about",
	"My favorite kind of quiet",
	"I knew I had grown when",
	"The best advice I was ever given",
	"A tradition I would love to share",
	"What makes me laugh until I cry",
	"I show that I care by",
	"A meal I cook for people I love",
	"A place I keep going back to",
	"The song I play on repeat",
	"I changed my mind about",
	"A book or film that stayed with me",
	"I feel loved when",
	"My ideal Sunday ends with",
	"Ask me about",
	"In five years I hope we",
}

// Options are what a profile offers to choose from.
type Options struct {
	Traits
	PromptQuestions []string `json:"promptQuestions" doc:"Offered; a question of one's own is as good"`
}

// ProfileOptions are the same for everybody.
func ProfileOptions() Options {
	return Options{
		Traits:          Traits{slices.Clone(PersonalityTraits), slices.Clone(LifestylePreferences), slices.Clone(RelationshipGoals)},
		PromptQuestions: slices.Clone(promptQuestions),
	}
}

// from checks that every word is of the list allowed, and drops repetitions.
func from(field string, allowed []string) func([]string) ([]string, error) {
	return func(words []string) ([]string, error) {
		chosen := []string{}
		for i, word := range words {
			if !slices.Contains(allowed, word) {
				return nil, fault.InvalidField(fmt.Sprintf("%s[%d]", field, i), "Please choose from the list.")
			}
			if !slices.Contains(chosen, word) {
				chosen = append(chosen, word)
			}
		}
		return chosen, nil
	}
}
