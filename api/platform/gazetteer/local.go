package gazetteer

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

//go:embed names.txt.gz
var packedNames []byte

// localName is another name of a town, such as München or Мюнхен.
type localName struct {
	folded string
	town   int32 // index in atlas.names
}

// Loaded on first use, in 40 ms and 6 MB.
var loadLocal = sync.OnceValue(func() []localName {
	a := load()
	indexes := make([]int32, len(a.names)) // by line of the file
	for i, e := range a.names {
		indexes[e.line] = int32(i)
	}
	names := make([]localName, 0, 120_000)
	for line := range strings.Lines(unpack(packedNames)) {
		folded, number, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.Atoi(number)
		if err != nil {
			panic("gazetteer: " + err.Error()) // the file is embedded
		}
		names = append(names, localName{folded, indexes[n]})
	}
	return names
})

func unpack(packed []byte) string {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic("gazetteer: " + err.Error()) // the file is embedded
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		panic("gazetteer: " + err.Error())
	}
	return string(text)
}

// usual returns the towns with the name in the usual spelling.
func (a atlas) usual(name string) []entry {
	from := sort.Search(len(a.names), func(i int) bool { return a.names[i].folded >= name })
	to := from
	for to < len(a.names) && a.names[to].folded == name {
		to++
	}
	return a.names[from:to]
}

// local returns the towns for which the name is another one.
func (a atlas) local(name string) []entry { return a.localWithPrefix(name, true) }

func (a atlas) localWithPrefix(prefix string, isWhole bool) (found []entry) {
	names := loadLocal()
	from := sort.Search(len(names), func(i int) bool { return names[i].folded >= prefix })
	for _, n := range names[from:] {
		if !strings.HasPrefix(n.folded, prefix) {
			break
		}
		if !isWhole || n.folded == prefix {
			found = append(found, a.names[n.town])
		}
	}
	return found
}

// tenfold is the difference in size of a town with ten times as many people.
const tenfold = 14

// prominent is the size of a town with 100,000 people.
const prominent = '0' + 30

// resolve returns the town that Lookup finds.
func (a atlas) resolve(city, state string) (entry, bool) {
	name, alias := Fold(city), Fold(state)
	if name == "" {
		return entry{}, false
	}
	regions := a.regions[alias]
	switch {
	case alias == "":
		return a.largest(name)
	case len(regions) == 0:
		return a.unmistakable(name)
	}
	usual := a.usual(name)
	for _, key := range regions {
		if i := slices.IndexFunc(usual, func(e entry) bool { return e.region.key == key }); i >= 0 {
			return usual[i], true
		}
	}
	local := a.local(name)
	slices.SortStableFunc(local, bySize)
	for _, key := range regions {
		if i := slices.IndexFunc(local, func(e entry) bool { return e.region.key == key }); i >= 0 {
			return local[i], true
		}
	}
	return entry{}, false
}

func bySize(x, y entry) int { return cmp.Compare(y.size, x.size) }

// largest returns the largest town of the name. One for which it is another name must have ten times as many people as
// those of the usual name: "Roma" is Rome and not Roma in Texas.
func (a atlas) largest(name string) (best entry, ok bool) {
	for _, e := range a.usual(name) {
		if !ok || e.isLargest || !best.isLargest && e.size > best.size {
			best, ok = e, true
		}
	}
	for _, e := range a.local(name) {
		if !ok || e.size > best.size && e.size >= best.size+tenfold {
			best, ok = e, true
		}
	}
	return best, ok
}

// sameTownMiles is the distance within which two entries are a town and its parts.
const sameTownMiles = 30

// unmistakable returns the town of the name whose state is unknown, such as one of Germany. It must have 100,000 people
// and ten times as many as any other town of the name.
func (a atlas) unmistakable(name string) (entry, bool) {
	all := append(slices.Clone(a.usual(name)), a.local(name)...)
	slices.SortStableFunc(all, bySize)
	if len(all) == 0 || all[0].size < prominent {
		return entry{}, false
	}
	best := all[0]
	for _, e := range all[1:] {
		if e.size+tenfold > best.size && Miles(best.at.lat, best.at.lon, e.at.lat, e.at.lon) > sameTownMiles {
			return entry{}, false
		}
	}
	return best, true
}

// Names returns the folded usual names that a town of this name may have, in any state: for "München" also "munich". Each
// is a Name of compat.Town.
func Names(city string) []string {
	name := Fold(city)
	names := []string{name}
	for _, e := range load().local(name) {
		if !slices.Contains(names, e.folded) {
			names = append(names, e.folded)
		}
	}
	return names
}
