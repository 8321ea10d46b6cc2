package gazetteer

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Place is a town in the usual spelling.
type Place struct {
	City    string `json:"city"`
	State   string `json:"state" doc:"A state or province, or where we know none the country"`
	Country string `json:"country"`
	Label   string `json:"label" doc:"Such as Portland, Oregon"`
}

// region is a state, province or country.
type region struct {
	key, name, country string
	aliases            []string // folded
}

// entry is a usual name of a town; a town may have several.
type entry struct {
	folded, shown string // the name for comparison, and the town's name in the usual spelling
	region        *region
	at            point
	line          int32 // of the file, without the lines of regions
	size          byte  // increases with the population
	isLargest     bool  // of all towns with this name
}

func (e entry) place() Place {
	return Place{City: e.shown, State: e.region.name, Country: e.region.country, Label: e.shown + ", " + e.region.name}
}

// Complete returns at most limit towns whose usual names begin with text in any spelling, the
// largest first. A town is also returned if one of its local names equals text or, when fewer
// than limit towns were found, begins with it. Towns of country, a two-letter ISO 3166 code or
// empty, are ranked as if they were larger. The words after a comma, or the last words if no
// town matches, are the beginning of a state or country.
func Complete(text, country string, limit int) []Place {
	o := order{strings.ToLower(country)}
	city, state, comma := strings.Cut(text, ",")
	if comma {
		if found := o.complete(city, Fold(state), limit); len(found) > 0 || Fold(city) == "" {
			return found
		}
	}
	found := o.complete(text, "", limit) // Washington, D.C. has a comma in its name
	words := strings.Fields(text)
	for split := len(words) - 1; split > 0 && len(found) == 0; split-- {
		found = o.complete(strings.Join(words[:split], " "), Fold(strings.Join(words[split:], " ")), limit)
	}
	return found
}

func (o order) complete(city, state string, limit int) []Place {
	best := make([]entry, 0, limit+1)
	for _, prefix := range prefixes(city) {
		names := load().names
		from := sort.Search(len(names), func(i int) bool { return names[i].folded >= prefix })
		to := from
		for to < len(names) && strings.HasPrefix(names[to].folded, prefix) {
			to++
		}
		best = o.insertAll(best, names[from:to], state, limit)
	}
	// Large towns have so many local names that one begins with nearly every prefix. If the usual names fill the list,
	// only local names that equal the prefix count.
	for _, prefix := range prefixes(city) {
		best = o.insertAll(best, load().withLocalPrefix(prefix, len(best) == limit), state, limit)
	}
	places := make([]Place, 0, len(best))
	for _, e := range best {
		places = append(places, e.place())
	}
	return places
}

// prefixes returns the folded prefixes that text stands for: its last word may be an
// abbreviation (St. Paul) or incomplete (Stockton).
func prefixes(text string) []string {
	whole := Fold(text)
	if whole == "" {
		return nil
	}
	if partial := fold(text, false); partial != whole && !strings.HasSuffix(text, ".") {
		return []string{whole, partial}
	}
	return []string{whole}
}

// hasNameWithPrefix reports whether a name of the region begins with prefix, which may be
// empty. A prefix of at most two letters must be the whole name.
func (r *region) hasNameWithPrefix(prefix string) bool {
	if prefix == "" {
		return true
	}
	for _, alias := range r.aliases {
		if alias == prefix || len(prefix) > 2 && strings.HasPrefix(alias, prefix) {
			return true
		}
	}
	return false
}

// order is the order of the towns for a caller in a country, which may be empty.
type order struct{ country string }

// homeBonus is added to the size of towns in the caller's country. It stands for a
// population eleven times as large: Portland is listed before Porto Alegre in the
// United States, and London in England still before London in Ohio.
const homeBonus = 14

func (o order) size(e entry) int {
	if country, _, _ := strings.Cut(e.region.key, "/"); country == o.country {
		return int(e.size) + homeBonus
	}
	return int(e.size)
}

// compare orders by size, the largest first; then towns of the United States before others; then by name.
func (o order) compare(x, y entry) int {
	return cmp.Or(
		cmp.Compare(o.size(y), o.size(x)),
		cmp.Compare(countryRank(x), countryRank(y)),
		cmp.Compare(x.shown, y.shown),
		cmp.Compare(x.region.name, y.region.name),
	)
}

func countryRank(e entry) int {
	if e.region.country == "United States" {
		return 0
	}
	return 1
}

// insertAll inserts the entries whose region has a name that begins with state.
func (o order) insertAll(best, entries []entry, state string, limit int) []entry {
	for _, e := range entries {
		if e.region.hasNameWithPrefix(state) && (len(best) < limit || o.compare(e, best[limit-1]) < 0) {
			best = o.insert(best, e, limit)
		}
	}
	return best
}

// insert inserts e in order, unless the same town is present with another name.
func (o order) insert(best []entry, e entry, limit int) []entry {
	at, found := slices.BinarySearchFunc(best, e, o.compare)
	if found {
		return best
	}
	best = slices.Insert(best, at, e)
	return best[:min(len(best), limit)]
}
