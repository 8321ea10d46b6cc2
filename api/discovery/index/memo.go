package index

import (
	"strings"
	"sync"

	"heartward/api/discovery/compat"
)

// memo remembers what was computed for a few hundred viewers' towns or tags.
// Values are shared and never changed; a longer one replaces a shorter.
type memo[K comparable, V any] struct {
	mu   sync.Mutex
	kept map[K]V
}

const remembered = 512

func (m *memo[K, V]) get(key K) (value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[key]
}

func (m *memo[K, V]) put(key K, value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[K]V{}
	}
	if _, ok := m.kept[key]; !ok && len(m.kept) >= remembered {
		for any := range m.kept { // any of them
			delete(m.kept, any)
			break
		}
	}
	m.kept[key] = value
}

// nearby is how the first so many towns lie to one town: those whose location
// counts for another part than that of far ones.
type nearby struct {
	upTo  int
	towns []nearTown
	is    []uint64 // a bit for each town in towns
}

type nearTown struct {
	town     uint32
	location int // the part of the score, in hundredths
	miles    float64
	measured bool // there is a distance at all
}

func (n *nearby) has(town uint32) bool {
	at := int(town / 64)
	return at < len(n.is) && n.is[at]&(1<<(town%64)) != 0
}

// nearbyOf returns how the towns lie to home. Towns only ever come to the list,
// so what was computed earlier is gone on with.
func (ix *Index) nearbyOf(name townName, home compat.Town) *nearby {
	old := ix.near.get(name)
	if old == nil {
		old = &nearby{}
	}
	if old.upTo == len(ix.towns.all) {
		return old
	}
	n := &nearby{upTo: len(ix.towns.all), towns: old.towns[:len(old.towns):len(old.towns)]}
	n.is = make([]uint64, (n.upTo+63)/64)
	copy(n.is, old.is)
	far := compat.Far(home)
	lat, _, known := home.Centre()
	for id := old.upTo; id < n.upTo; id++ {
		town := ix.towns.all[id].Town
		if known && outOfReach(town, lat) && town.Name() != home.Name() {
			continue
		}
		if location := compat.Location(home, town); location != far {
			miles, _, ok := compat.Distance(home, town)
			n.towns = append(n.towns, nearTown{uint32(id), location, miles, ok})
			n.is[id/64] |= 1 << (id % 64)
		}
	}
	ix.near.put(townName{strings.Clone(name.city), strings.Clone(name.state)}, n)
	return n
}

// outOfReach tells cheaply that a town is farther than compat.NearMiles: by
// its latitude, of which a degree is 69 miles everywhere.
func outOfReach(t compat.Town, lat float64) bool {
	const degrees = compat.NearMiles/69.0 + 0.1
	there, _, known := t.Centre()
	return known && (there-lat > degrees || lat-there > degrees)
}

// intentionsOf returns the part of the score for each of the sets of tags.
func (ix *Index) intentionsOf(tags []string) []int32 {
	name := setName(tags)
	scores := ix.scored.get(name)
	if len(scores) == len(ix.tags.all) {
		return scores
	}
	scores = scores[:len(scores):len(scores)]
	for id := len(scores); id < len(ix.tags.all); id++ {
		scores = append(scores, int32(compat.Intentions(tags, ix.tags.all[id].tags)))
	}
	ix.scored.put(name, scores)
	return scores
}
