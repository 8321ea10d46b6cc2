// Package gazetteer has the positions of towns: all of the United States with about
// 500 people or more, and the larger ones of the world (GeoNames, see NOTICE.md).
// Members give a town and never a position, so every distance is between the centres
// of two towns.
package gazetteer

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed towns.txt.gz
var packed []byte

type point struct{ lat, lon float64 }

type atlas struct {
	regions map[string][]string // keys of regions by folded alias, the likeliest first
	names   []entry             // sorted by folded name
}

// load returns the towns. The first call takes 30 ms and 8 MB, which a process without
// discovery saves.
var load = sync.OnceValue(func() atlas {
	return parse(unpack(packed))
})

func parse(text string) atlas {
	a := atlas{regions: map[string][]string{}, names: make([]entry, 0, 32_000)}
	var current *region
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if header, ok := strings.CutPrefix(line, "="); ok {
			parts := strings.Split(header, "|")
			current = &region{key: parts[0], name: parts[1], country: parts[2]}
			for _, alias := range parts[3:] {
				current.aliases = append(current.aliases, Fold(alias))
				a.regions[Fold(alias)] = append(a.regions[Fold(alias)], current.key)
			}
			continue
		}
		fields := strings.Split(line, "\t")
		e := entry{
			folded: Fold(fields[0]), shown: fields[0], region: current, size: fields[3][0], isLargest: strings.HasSuffix(fields[3], "*"),
			at: point{thousandths(fields[1]), thousandths(fields[2])}, line: int32(len(a.names)),
		}
		if len(fields) > 4 {
			e.shown = fields[4]
		}
		a.names = append(a.names, e)
	}
	// Stable, because names such as "Saint Paul" and "St. Paul" fold to the same one: the first in the file is used.
	slices.SortStableFunc(a.names, func(x, y entry) int { return strings.Compare(x.folded, y.folded) })
	return a
}

// thousandths returns the number of degrees that digits, an integer, has as thousandths.
func thousandths(digits string) float64 {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic("gazetteer: " + err.Error())
	}
	return float64(n) / 1000
}

// Lookup returns the position of a town in degrees. It ignores case, accents and
// points, expands abbreviations such as "St.", and knows the names of larger towns in other
// languages. state is a name or abbreviation; outside of the United States it is a
// province or country, the latter in many languages. Without a state, the largest town
// with the name is used. With an unknown state, a town is only used if it is much larger than
// any other with the name. ok is false for an unknown town.
func Lookup(city, state string) (lat, lon float64, ok bool) {
	e, ok := load().resolve(city, state)
	return e.at.lat, e.at.lon, ok
}

// Find returns the town that Lookup finds with this city and state, in the usual spelling.
// ok is false for an unknown town, and without a state.
func Find(city, state string) (p Place, ok bool) {
	if Fold(state) == "" {
		return Place{}, false
	}
	e, ok := load().resolve(city, state)
	if !ok {
		return Place{}, false
	}
	return e.place(), true
}

// TownKey returns a key that is equal for different spellings of a town and state
// ("Saint Paul", "MN" and "st. paul", "Minnesota"; "München", "Bayern" and "Munich", "Germany"), also of an unknown town.
// The key of an empty city is empty.
func TownKey(city, state string) string {
	name := Fold(city)
	if name == "" {
		return ""
	}
	alias := Fold(state)
	if e, ok := load().resolve(city, state); ok {
		name = e.folded
		if alias != "" {
			return name + "|" + e.region.key
		}
	}
	if regions := load().regions[alias]; len(regions) > 0 {
		alias = regions[0]
	}
	return name + "|" + alias
}

const earthMiles = 3958.8

// Miles returns the great-circle distance of two positions in degrees.
func Miles(lat1, lon1, lat2, lon2 float64) float64 {
	const radian = math.Pi / 180
	north := math.Sin((lat2 - lat1) * radian / 2)
	east := math.Sin((lon2 - lon1) * radian / 2)
	h := north*north + math.Cos(lat1*radian)*math.Cos(lat2*radian)*east*east
	return 2 * earthMiles * math.Asin(math.Min(1, math.Sqrt(h)))
}

// Box returns the smallest range of degrees that contains all positions within miles.
// Near a pole or the date line it includes all longitudes.
func Box(lat, lon, miles float64) (south, west, north, east float64) {
	const radian = math.Pi / 180
	latRange := miles / earthMiles / radian
	south, north = lat-latRange, lat+latRange
	if south <= -90 || north >= 90 {
		return south, -180, north, 180
	}
	lonRange := math.Asin(math.Min(1, math.Sin(miles/earthMiles)/math.Cos(lat*radian))) / radian
	if lon-lonRange < -180 || lon+lonRange > 180 {
		return south, -180, north, 180
	}
	return south, lon - lonRange, north, lon + lonRange
}

// Band returns a distance in the coarse form that is shown to other members.
func Band(miles float64) string {
	for _, edge := range []int{5, 10, 25, 50, 100} {
		if miles <= float64(edge) {
			return "within " + strconv.Itoa(edge) + " miles"
		}
	}
	return "over 100 miles away"
}
