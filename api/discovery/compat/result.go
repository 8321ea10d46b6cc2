package compat

import (
	"fmt"
	"strings"

	"heartward/api/platform/gazetteer"
)

// Compatibility is the compatibility that is shown to a member. All numbers are whole
// points, 0 to 100.
type Compatibility struct {
	Overall          int       `json:"overall" minimum:"0" maximum:"100" doc:"40% intentions, 30% lifestyle, 20% location, 10% age"`
	IntentionMatch   int       `json:"intentionMatch" minimum:"0" maximum:"100"`
	LifestyleMatch   int       `json:"lifestyleMatch" minimum:"0" maximum:"100"`
	LocationMatch    int       `json:"locationMatch" minimum:"0" maximum:"100"`
	AgeCompatibility int       `json:"ageCompatibility" minimum:"0" maximum:"100"`
	DistanceBand     *string   `json:"distanceBand" doc:"The distance of the two towns, such as \"within 10 miles\"; null if a town is not known"`
	Breakdown        Breakdown `json:"breakdown"`
}

// Breakdown explains the score of each part.
type Breakdown struct {
	Intentions PartScore `json:"intentions"`
	Lifestyle  PartScore `json:"lifestyle"`
	Location   PartScore `json:"location"`
	Age        PartScore `json:"age"`
}

// PartScore is one part's score with sentences for the viewer. The sentences reveal only
// fields that are public in the other member's profile.
type PartScore struct {
	Score   int      `json:"score" minimum:"0" maximum:"100"`
	Details []string `json:"details"`
}

// Explain returns the score of viewer and other with sentences addressed to viewer. The
// score is symmetric.
func Explain(viewer, other Person) Compatibility {
	s := Of(viewer, other)
	r := Compatibility{
		Overall:          s.Overall,
		IntentionMatch:   points(s.Intentions),
		LifestyleMatch:   points(s.Lifestyle),
		LocationMatch:    points(s.Location),
		AgeCompatibility: points(s.Age),
		DistanceBand:     band(viewer.Town, other.Town),
	}
	r.Breakdown = Breakdown{
		Intentions: PartScore{r.IntentionMatch, describeIntentions(viewer.IntentionTags, other.IntentionTags)},
		Lifestyle:  PartScore{r.LifestyleMatch, describeLifestyle(viewer, other)},
		Location:   PartScore{r.LocationMatch, describeLocation(viewer.Town, other.Town)},
		Age:        PartScore{r.AgeCompatibility, describeAge(viewer.Age, other.Age)},
	}
	return r
}

func band(a, b Town) *string {
	miles, measured, ok := Distance(a, b)
	if !ok || !measured {
		return nil
	}
	text := gazetteer.Band(miles)
	return &text
}

func describeIntentions(viewer, other []string) []string {
	mine, theirs := distinct(viewer), distinct(other)
	switch {
	case len(mine) == 0:
		return []string{"Choose your intentions to see what you share."}
	case len(theirs) == 0:
		return []string{"They haven't chosen their intentions yet."}
	}
	var shared []string
	for _, tag := range mine {
		if has(theirs, tag) {
			shared = append(shared, tag)
		}
	}
	details := []string{"You came with different intentions."}
	if len(shared) > 0 {
		details = []string{"You both chose " + joinWords(shared) + "."}
	}
	for _, pair := range complementary(mine, theirs) {
		details = append(details, capitalize(pair[0])+" and "+pair[1]+" go well together.")
	}
	return details
}

// describeLifestyle does not mention religion, because a member's answer is private and a
// sentence would reveal it.
func describeLifestyle(viewer, other Person) []string {
	details := []string{}
	if a, b := viewer.HasChildren, other.HasChildren; a != nil && b != nil {
		details = append(details, pick(*a, *b, "You both have children.", "Neither of you has children.", "One of you has children."))
	}
	if a, b := viewer.WantsChildren, other.WantsChildren; a != nil && b != nil {
		details = append(details, pick(*a, *b, "You both want children.", "Neither of you is looking to have children.",
			"You see having children differently; worth a talk."))
	}
	if gap, ok := educationGap(viewer.Education, other.Education); ok {
		switch {
		case gap <= 1:
			details = append(details, "You have a similar education.")
		case gap >= 3:
			details = append(details, "Your paths through education were different.")
		}
	}
	if len(details) == 0 {
		details = append(details, "Not known yet: the score is a guess until you've both filled this in.")
	}
	return details
}

func pick(a, b bool, both, neither, differ string) string {
	switch {
	case a && b:
		return both
	case !a && !b:
		return neither
	}
	return differ
}

func describeLocation(viewer, other Town) []string {
	miles, measured, ok := Distance(viewer, other)
	visiting := viewer.visited || other.visited
	switch {
	case viewer.Missing():
		return []string{"Add your town to see how far apart you live."}
	case !ok:
		return []string{"They haven't said where they live."}
	case viewer.key == other.key && visiting:
		return []string{"You are both in " + other.label + " this week."}
	case viewer.key == other.key:
		return []string{"You both live in " + other.label + "."}
	case !measured:
		return []string{"We can't tell how far apart your towns are."}
	case miles <= 100 && visiting:
		return []string{"This week your towns are " + gazetteer.Band(miles) + " of each other."}
	case miles <= 100:
		return []string{"Your towns are " + gazetteer.Band(miles) + " of each other."}
	}
	if visiting {
		return []string{"This week your towns are more than 100 miles apart."}
	}
	return []string{"Your towns are more than 100 miles apart."}
}

func describeAge(viewer, other int) []string {
	switch gap := absDiff(viewer, other); gap {
	case 0:
		return []string{"You are the same age."}
	case 1:
		return []string{"You are a year apart."}
	default:
		return []string{fmt.Sprintf("You are %d years apart.", gap)}
	}
}

// joinWords joins words as in "a, b and c".
func joinWords(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func capitalize(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
