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

// localName is a name of a town in another language, such as München or Мюнхен. Its usual name is an entry.
type localName struct {
	folded string
	town   int32 // index in atlas.names
}

// loadLocal returns the local names, sorted by folded name. The first call takes 40 ms and 6 MB.
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

// withUsualName returns the towns with a usual name, which is folded.
func (a atlas) withUsualName(name string) []entry {
	from := sort.Search(len(a.names), func(i int) bool { return a.names[i].folded >= name })
	to := from
	for to < len(a.names) && a.names[to].folded == name {
		to++
	}
	return a.names[from:to]
}

// withLocalName returns the towns with a local name, which is folded.
func (a atlas) withLocalName(name string) []entry { return a.withLocalPrefix(name, true) }

// withLocalPrefix returns the towns with a local name that begins with prefix or, if isWhole, equals it.
func (a atlas) withLocalPrefix(prefix string, isWhole bool) (found []entry) {
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

// tenfold is the difference between the sizes of a town and one with ten times as many people.
const tenfold = 14

// sizeOf100000 is the size of a town with 100,000 people.
const sizeOf100000 = '0' + 30

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
	usual := a.withUsualName(name)
	for _, key := range regions {
		if i := slices.IndexFunc(usual, func(e entry) bool { return e.region.key == key }); i >= 0 {
			return usual[i], true
		}
	}
	local := a.withLocalName(name)
	slices.SortStableFunc(local, bySize)
	for _, key := range regions {
		if i := slices.IndexFunc(local, func(e entry) bool { return e.region.key == key }); i >= 0 {
			return local[i], true
		}
	}
	return entry{}, false
}

func bySize(x, y entry) int { return cmp.Compare(y.size, x.size) }

// largest returns the largest town with the name. A town with this local name is only returned if it has at least ten
// times as many people as every town with this usual name: "Roma" is Rome and not Roma in Texas.
func (a atlas) largest(name string) (best entry, ok bool) {
	for _, e := range a.withUsualName(name) {
		if !ok || e.isLargest || !best.isLargest && e.size > best.size {
			best, ok = e, true
		}
	}
	for _, e := range a.withLocalName(name) {
		if !ok || e.size > best.size && e.size >= best.size+tenfold {
			best, ok = e, true
		}
	}
	return best, ok
}

// sameTownMiles is the distance within which two entries count as the same town: a town and a part of it.
const sameTownMiles = 30

// unmistakable returns the town with the name, for a state that the gazetteer does not know, such as one of Germany. The
// town must have at least 100,000 people, and ten times as many as any other town with the name.
func (a atlas) unmistakable(name string) (entry, bool) {
	all := append(slices.Clone(a.withUsualName(name)), a.withLocalName(name)...)
	slices.SortStableFunc(all, bySize)
	if len(all) == 0 || all[0].size < sizeOf100000 {
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

// Names returns city, folded, and the folded usual names of the towns that have it as a local name, in any state: for
// "München" also "munich". Filters compare them with the Name of compat.Town.
func Names(city string) []string {
	name := Fold(city)
	names := []string{name}
	for _, e := range load().withLocalName(name) {
		if !slices.Contains(names, e.folded) {
			names = append(names, e.folded)
		}
	}
	return names
}
