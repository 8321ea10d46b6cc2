// Package compat computes the compatibility of two members, such as "87% match". It uses
// neither the database nor the clock.
//
// All arithmetic is in integers, in hundredths of a point, so that half a point is always
// rounded up (84.5 is 85) and not lost in binary fractions.
package compat

import (
	"strings"

	"heartward/api/platform/gazetteer"
)

// Person has the data of a member on which compatibility depends. An answer that was not
// given is nil.
type Person struct {
	Age           int
	Town          Town
	IntentionTags []string
	HasChildren   *bool
	WantsChildren *bool
	Education     *string // high_school, some_college, bachelors, masters or doctorate
	Religion      *string // counts for the score and is not mentioned in a sentence
}

// Town is the town of a person, preprocessed for fast comparison. Create it with NewTown,
// KnownTown or VisitedTown.
type Town struct {
	name     string // folded
	key      string
	state    string // as in gazetteer.TownKey
	label    string
	lat, lon float64
	known    bool
	visited  bool // changes only the sentences
}

// NewTown returns a Town with the position in the gazetteer.
func NewTown(city, state string) Town {
	t := unknownTown(city, state)
	t.lat, t.lon, t.known = gazetteer.Lookup(city, state)
	return t
}

// KnownTown returns a Town with the given position of its centre.
func KnownTown(city, state string, lat, lon float64) Town {
	t := unknownTown(city, state)
	t.lat, t.lon, t.known = lat, lon, true
	return t
}

// VisitedTown returns a KnownTown where the person looks for a week and does not live.
func VisitedTown(city, state string, lat, lon float64) Town {
	t := KnownTown(city, state, lat, lon)
	t.visited = true
	return t
}

func unknownTown(city, state string) Town {
	key := gazetteer.TownKey(city, state)
	if key == "" {
		// A member may have a state without a town.
		_, region, _ := strings.Cut(gazetteer.TownKey("any town", state), "|")
		return Town{state: region}
	}
	name, region, _ := strings.Cut(key, "|")
	return Town{name: name, key: key, state: region, label: strings.TrimSpace(city)}
}

// Centre returns the town's position in degrees; ok is false for an unknown town.
func (t Town) Centre() (lat, lon float64, ok bool) { return t.lat, t.lon, t.known }

// Missing reports whether no town was given.
func (t Town) Missing() bool { return t.name == "" }

// Name returns the town's usual name as folded by gazetteer.Fold.
func (t Town) Name() string { return t.name }

// State returns a key of the state or country that is equal for all spellings, and "" if
// none was given.
func (t Town) State() string { return t.state }

const (
	milesSimilar = 20  // assumed if a town is unknown and one name contains the other
	milesUnknown = 150 // assumed for other pairs with an unknown town
)

// Distance returns the miles between the centres of two towns. If one of two different
// towns is unknown, measured is false and the miles are assumed from the names. If a town is
// missing, ok is false.
func Distance(a, b Town) (miles float64, measured, ok bool) {
	switch {
	case a.Missing() || b.Missing():
		return 0, false, false
	case a.key == b.key:
		return 0, true, true
	case a.known && b.known:
		return gazetteer.Miles(a.lat, a.lon, b.lat, b.lon), true, true
	case strings.Contains(a.name, b.name) || strings.Contains(b.name, a.name):
		return milesSimilar, false, true
	}
	return milesUnknown, false, true
}

// Score is the weighted sum of four parts in whole points, with the parts in hundredths of
// a point.
type Score struct {
	Overall                              int // 0..100
	Intentions, Lifestyle, Location, Age int // 0..10000
}

// Weights of the parts in percent.
const (
	weightIntentions = 40
	weightLifestyle  = 30
	weightLocation   = 20
	weightAge        = 10
)

const (
	point   = 100 // hundredths
	maxPart = 100 * point
)

// FarLocation returns the location part, in hundredths, for a and any town more than
// NearMiles away, or any town if a is missing.
func FarLocation(a Town) int {
	if a.Missing() {
		return 60 * point
	}
	return 30 * point
}

// NearMiles is the distance up to which the location part is larger than FarLocation.
const NearMiles = 100

// Of returns the score of a and b. It is symmetric.
func Of(a, b Person) Score {
	s := Score{
		Intentions: Intentions(a.IntentionTags, b.IntentionTags),
		Lifestyle:  Lifestyle(a, b),
		Location:   Location(a.Town, b.Town),
		Age:        Age(a.Age, b.Age),
	}
	s.Overall = Overall(Weighted(s.Intentions, s.Lifestyle, s.Location, s.Age))
	return s
}

// Weighted returns the sum of the four parts, each in hundredths of a point times its
// weight in percent. It is linear, so that a search can add sums that several members
// share before Overall rounds them.
func Weighted(intentions, lifestyle, location, age int) int {
	return weightIntentions*intentions + weightLifestyle*lifestyle + weightLocation*location + weightAge*age
}

// Overall converts a weighted sum to whole points, rounding half a point up.
func Overall(weighted int) int { return points(weighted / 100) }

// MinWeighted returns the smallest weighted sum for which Overall returns the given
// points.
func MinWeighted(overall int) int { return (overall*point - point/2) * 100 }

// points converts hundredths to whole points, rounding half a point up.
func points(hundredths int) int { return (hundredths + point/2) / point }

// Location returns the location part for two towns, in hundredths of a point.
func Location(a, b Town) int {
	miles, _, ok := Distance(a, b)
	switch {
	case !ok:
		return 60 * point
	case a.key == b.key:
		return 100 * point
	case miles <= 25:
		return 90 * point
	case miles <= 50:
		return 70 * point
	case miles <= 100:
		return 50 * point
	}
	return 30 * point
}

// ageSteps are the points for ages up to the given number of years apart. Larger gaps
// give 40 points.
var ageSteps = []struct{ years, points int }{{2, 100}, {5, 90}, {8, 80}, {12, 70}, {15, 60}}

// Age returns the age part for two ages, in hundredths of a point.
func Age(a, b int) int {
	gap := absDiff(a, b)
	for _, step := range ageSteps {
		if gap <= step.years {
			return step.points * point
		}
	}
	return 40 * point
}

func absDiff(a, b int) int {
	if a > b {
		return a - b
	}
	return b - a
}

func clamp(hundredths int) int { return min(max(hundredths, 0), maxPart) }
