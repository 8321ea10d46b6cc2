// Package gazetteer has the positions of towns: all of the United States with about
// 500 people or more, and the larger ones of the world (GeoNames, see NOTICE.md).
// Members give a town and never a position, so every distance is between the centres
// of two towns.
package gazetteer

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

//go:embed towns.txt.gz
var packed []byte

type point struct{ lat, lon float64 }

type town struct {
	region string // key of the region, such as us/OR
	name   string // folded
}

type atlas struct {
	towns   map[town]point
	largest map[string]point    // largest town by folded name
	regions map[string][]string // keys of regions by folded alias, the likeliest first
	names   []entry             // sorted by folded name, for Complete
}

// Loaded on first use, in 30 ms and 8 MB, so that a process without discovery does
// not need it.
var load = sync.OnceValue(func() atlas {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic("gazetteer: " + err.Error()) // the file is embedded
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		panic("gazetteer: " + err.Error())
	}
	return parse(string(text))
})

func parse(text string) atlas {
	a := atlas{
		towns: make(map[town]point, 32_000), largest: make(map[string]point, 24_000), regions: map[string][]string{},
		names: make([]entry, 0, 32_000),
	}
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
		key := town{current.key, Fold(fields[0])}
		at := point{thousandths(fields[1]), thousandths(fields[2])}
		// "Saint Paul" and "St. Paul" fold to the same name; the first in the file is
		// used.
		if _, ok := a.towns[key]; !ok {
			a.towns[key] = at
		}
		if strings.HasSuffix(fields[3], "*") {
			a.largest[key.name] = at
		}
		a.names = append(a.names, entry{key.name, fields[len(fields)-1], current, fields[3][0]})
		if len(fields) == 4 {
			a.names[len(a.names)-1].shown = fields[0]
		}
	}
	slices.SortStableFunc(a.names, func(x, y entry) int { return strings.Compare(x.folded, y.folded) })
	return a
}

func thousandths(digits string) float64 {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic("gazetteer: " + err.Error())
	}
	return float64(n) / 1000
}

// Lookup returns the position of a town in degrees. It ignores case, accents and
// points, and expands abbreviations such as "St.". state is a name or abbreviation;
// outside of the United States it is a province or country. Without a state, the
// largest town of the name is used. ok is false for an unknown town.
func Lookup(city, state string) (lat, lon float64, ok bool) {
	a := load()
	name := Fold(city)
	if name == "" {
		return 0, 0, false
	}
	alias := Fold(state)
	if alias == "" {
		at, ok := a.largest[name]
		return at.lat, at.lon, ok
	}
	for _, region := range a.regions[alias] {
		if at, ok := a.towns[town{region, name}]; ok {
			return at.lat, at.lon, true
		}
	}
	return 0, 0, false
}

// Find returns the town that Lookup finds with this city and state, in the usual spelling.
// ok is false for an unknown town, and without a state.
func Find(city, state string) (p Place, ok bool) {
	a := load()
	name := Fold(city)
	for _, region := range a.regions[Fold(state)] {
		from := sort.Search(len(a.names), func(i int) bool { return a.names[i].folded >= name })
		for _, e := range a.names[from:] {
			if e.folded != name {
				break
			}
			if e.region.key == region {
				return e.place(), true
			}
		}
	}
	return Place{}, false
}

// TownKey returns a key that is equal for different spellings of a town and state
// ("Saint Paul", "MN" and "st. paul", "Minnesota"), also of an unknown town. It is
// empty if the town is.
func TownKey(city, state string) string {
	name := Fold(city)
	if name == "" {
		return ""
	}
	alias := Fold(state)
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
