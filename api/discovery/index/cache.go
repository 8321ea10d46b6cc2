package index

import (
	"strings"
	"sync"

	"heartward/api/discovery/compat"
)

// cache stores values computed for a few hundred towns or sets of tags of viewers. Values
// are shared and never modified; a longer one replaces a shorter one.
type cache[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

const maxCached = 512

func (c *cache[K, V]) get(key K) (value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.values[key]
}

func (c *cache[K, V]) put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil {
		c.values = map[K]V{}
	}
	if _, ok := c.values[key]; !ok && len(c.values) >= maxCached {
		for evicted := range c.values { // in random order
			delete(c.values, evicted)
			break
		}
	}
	c.values[key] = value
}

// nearby lists the towns whose location part, for the town of a viewer, differs from that of far towns. It has compared the
// first upTo towns of the index.
type nearby struct {
	upTo  int
	towns []nearTown
	bits  []uint64 // by town: whether it is in towns
}

type nearTown struct {
	town     uint32
	location int // the part of the score, in hundredths
	miles    float64
	known    bool // whether miles is; false if a town is missing
}

func (n *nearby) has(town uint32) bool {
	at := int(town / 64)
	return at < len(n.bits) && n.bits[at]&(1<<(town%64)) != 0
}

// nearbyOf returns the towns near home. Towns are never removed, so it extends an earlier
// result by the towns added since.
func (ix *Index) nearbyOf(name townName, home compat.Town) *nearby {
	old := ix.nearTowns.get(name)
	if old == nil {
		old = &nearby{}
	}
	if old.upTo == len(ix.towns.all) {
		return old
	}
	n := &nearby{upTo: len(ix.towns.all), towns: old.towns[:len(old.towns):len(old.towns)]}
	n.bits = make([]uint64, (n.upTo+63)/64)
	copy(n.bits, old.bits)
	far := compat.FarLocation(home)
	lat, _, known := home.Centre()
	for id := old.upTo; id < n.upTo; id++ {
		town := ix.towns.all[id].Town
		if known && outOfReach(town, lat) && town.Name() != home.Name() {
			continue
		}
		if location := compat.Location(home, town); location != far {
			miles, _, ok := compat.Distance(home, town)
			n.towns = append(n.towns, nearTown{uint32(id), location, miles, ok})
			n.bits[id/64] |= 1 << (id % 64)
		}
	}
	ix.nearTowns.put(townName{strings.Clone(name.city), strings.Clone(name.state)}, n)
	return n
}

// outOfReach reports whether the latitude alone, of which a degree is 69 miles, shows that
// a town is farther than compat.NearMiles. It is cheaper than a distance.
func outOfReach(t compat.Town, lat float64) bool {
	const degrees = compat.NearMiles/69.0 + 0.1
	there, _, known := t.Centre()
	return known && (there-lat > degrees || lat-there > degrees)
}

// intentionsOf returns the intentions part for each set of tags.
func (ix *Index) intentionsOf(tags []string) []int32 {
	name := setName(tags)
	scores := ix.intentions.get(name)
	if len(scores) == len(ix.tags.all) {
		return scores
	}
	scores = scores[:len(scores):len(scores)]
	for id := len(scores); id < len(ix.tags.all); id++ {
		scores = append(scores, int32(compat.Intentions(tags, ix.tags.all[id].tags)))
	}
	ix.intentions.put(name, scores)
	return scores
}
