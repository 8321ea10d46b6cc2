// Package compat computes how well two members fit: the one place for the
// numbers behind "87% match". It is pure: no database, no clock.
//
// All arithmetic is in whole hundredths of a point, so a sum of exactly half a
// point is rounded up on every machine (84.5 is 85) and never lost in binary
// fractions.
package compat

import (
	"strings"

	"heartward/api/platform/gazetteer"
)

// Person is what compatibility looks at. Nil answers were not given.
type Person struct {
	Age           int
	Town          Town
	IntentionTags []string
	HasChildren   *bool
	WantsChildren *bool
	Education     *string // high_school, some_college, bachelors, masters or doctorate
	Religion      *string // counts for the score, is never told in a sentence
}

// Town is where a person lives, prepared once so that one viewer can be
// compared with many thousands. Make it with NewTown or KnownTown.
type Town struct {
	name     string // folded
	key      string
	state    string // as gazetteer.TownKey names it
	label    string
	lat, lon float64
	known    bool
}

// NewTown looks the town up in the gazetteer.
func NewTown(city, state string) Town {
	t := unknownTown(city, state)
	t.lat, t.lon, t.known = gazetteer.Lookup(city, state)
	return t
}

// KnownTown is NewTown for a town whose centre was stored earlier.
func KnownTown(city, state string, lat, lon float64) Town {
	t := unknownTown(city, state)
	t.lat, t.lon, t.known = lat, lon, true
	return t
}

func unknownTown(city, state string) Town {
	_, region, _ := strings.Cut(gazetteer.TownKey("any town", state), "|")
	return Town{name: gazetteer.Fold(city), key: gazetteer.TownKey(city, state), state: region, label: strings.TrimSpace(city)}
}

// Centre returns the town's place in degrees; ok is false for an unknown town.
func (t Town) Centre() (lat, lon float64, ok bool) { return t.lat, t.lon, t.known }

// Missing reports that no town was given.
func (t Town) Missing() bool { return t.name == "" }

// Name is the town's name without case and accents, as gazetteer.Fold has it.
func (t Town) Name() string { return t.name }

// State names the state or country so that two spellings are equal; it is
// empty when none was given.
func (t Town) State() string { return t.state }

const (
	milesAlike   = 20  // unknown towns, one name within the other
	milesUnknown = 150 // any other pair with an unknown town
)

// Distance returns the miles between the centres of two towns. Measured is
// false where a town is unknown and the miles are only the rule of thumb.
// When a town is missing there is no distance: ok is false.
func Distance(a, b Town) (miles float64, measured, ok bool) {
	switch {
	case a.Missing() || b.Missing():
		return 0, false, false
	case a.key == b.key:
		return 0, true, true
	case a.known && b.known:
		return gazetteer.Miles(a.lat, a.lon, b.lat, b.lon), true, true
	case strings.Contains(a.name, b.name) || strings.Contains(b.name, a.name):
		return milesAlike, false, true
	}
	return milesUnknown, false, true
}

// Score is the four parts in hundredths of a point and their weighted sum in
// whole points.
type Score struct {
	Overall                              int // 0..100
	Intentions, Lifestyle, Location, Age int // 0..10000
}

// The parts' weights in percent.
const (
	weightIntentions = 40
	weightLifestyle  = 30
	weightLocation   = 20
	weightAge        = 10
)

const (
	point = 100 // hundredths
	most  = 100 * point
)

// Far is the location part, in hundredths, of towns that are more than 100
// miles from a; where a is missing, of every town.
func Far(a Town) int {
	if a.Missing() {
		return 60 * point
	}
	return 30 * point
}

// NearMiles is how far away a town can be and still count for more than Far.
const NearMiles = 100

// Of returns the score of a and b, which is the same as that of b and a.
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

// Weighted is the sum of the four parts, each in hundredths of a point times
// its weight in percent. Sums of its parts may be added before Overall rounds
// them, so that a search can keep those that many members share.
func Weighted(intentions, lifestyle, location, age int) int {
	return weightIntentions*intentions + weightLifestyle*lifestyle + weightLocation*location + weightAge*age
}

// Overall turns a weighted sum into whole points, half a point up.
func Overall(weighted int) int { return points(weighted / 100) }

// Least is the least weighted sum that Overall turns into so many points.
func Least(overall int) int { return (overall*point - point/2) * 100 }

// points turns hundredths into whole points, half a point up.
func points(hundredths int) int { return (hundredths + point/2) / point }

// Location is the part that two towns give, in hundredths of a point.
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

// Up to so many years apart give so many points; more give 40.
var ageSteps = []struct{ years, points int }{{2, 100}, {5, 90}, {8, 80}, {12, 70}, {15, 60}}

// Age is the part that two ages give, in hundredths of a point.
func Age(a, b int) int {
	gap := apart(a, b)
	for _, step := range ageSteps {
		if gap <= step.years {
			return step.points * point
		}
	}
	return 40 * point
}

func apart(a, b int) int {
	if a > b {
		return a - b
	}
	return b - a
}

func clamp(hundredths int) int { return min(max(hundredths, 0), most) }
