// Package index finds and ranks members in memory. It holds what a search reads
// of each member, in 64 bytes and a few entries of lists. Its owner keeps it up
// to date: PostgreSQL stays the truth, and a lost index is read again. Scores are
// compat's own, member for member.
//
// Members who share a town and tags, or tags and answers, are grouped. A search
// scores such a group as a whole first: the best that a member of it can reach.
// It searches the groups by that bound, the highest first, and stops when no
// group that is left can reach the last row of the page.
package index

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/google/uuid"
)

// Member is what a search reads of a member. Nil answers were not given.
type Member struct {
	ID                         uuid.UUID
	Birth                      int // the birth date as the number yyyymmdd
	City, State                string
	Lat, Lon                   *float64 // of the town's centre, when it is known
	IntentionTags              []string
	HasChildren, WantsChildren *bool
	Education, Religion        *string
	Gender                     *string
	InterestedIn               []string
	Featured, Verified         bool
	HasVoice, HasVideo         bool
	Incognito                  bool   // found only by those whom the member likes, see Query.Admitted
	AlwaysActive               bool   // counts as active at any time
	ActiveHour                 int    // hours since 1970 of the last activity
	Created                    int64  // microseconds since 1970
	Completeness               int    // percent of the profile
	Attributes                 uint32 // a bit for each word the member chose, see Attributes
}

// record is a Member in 64 bytes: one line of a processor's cache.
type record struct {
	id         uuid.UUID
	created    int64
	birth      int32
	active     int32
	town       uint32
	tags       uint32
	townIndex  uint32 // index in the group of the same town and tags
	tagIndex   uint32 // index in the group of the same tags and answers
	attributes uint32
	answers    uint16
	flags      uint16
	gender     uint8
	interest   uint8
	complete   uint8
}

// The bits of record.flags, in the order in which pack and wantFlags name them.
const (
	featured = 1 << iota
	verified
	voice
	video
	incognito
	alwaysActive
)

// Index holds members. Safe for use by many goroutines: searches run side by
// side, a change waits for those that run.
type Index struct {
	mu      sync.RWMutex
	records []record
	free    []uint32 // slots in records of removed members
	byID    idTable
	towns   towns
	tags    tagSets
	near    memo[townName, *nearby]
	scored  memo[string, []int32]
}

// New returns an empty index.
func New() *Index {
	ix := &Index{}
	ix.towns.ids = map[townName]uint32{}
	ix.tags.ids = map[string]uint32{}
	return ix
}

// Put adds members, or replaces those that are there.
func (ix *Index) Put(members ...Member) {
	for chunk := range slices.Chunk(members, 256) { // searches get their turn in between
		ix.mu.Lock()
		for i := range chunk {
			ix.put(ix.pack(&chunk[i]))
		}
		ix.mu.Unlock()
	}
}

// Activity is the hour of a member's last activity, as in Member.
type Activity struct {
	ID   uuid.UUID
	Hour int
}

// SetActivities sets the hour of members that are there, and ignores others.
func (ix *Index) SetActivities(activities ...Activity) {
	for chunk := range slices.Chunk(activities, 256) { // searches get their turn in between
		ix.mu.Lock()
		for _, a := range chunk {
			if slot, ok := ix.byID.find(ix.records, a.ID); ok {
				ix.records[slot].active = int32(a.Hour)
			}
		}
		ix.mu.Unlock()
	}
}

// Remove forgets members; those that are not there are no error.
func (ix *Index) Remove(ids ...uuid.UUID) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, id := range ids {
		if slot, ok := ix.byID.find(ix.records, id); ok {
			ix.byID.remove(ix.records, id)
			ix.unlist(slot)
			ix.records[slot] = record{}
			ix.free = append(ix.free, slot)
		}
	}
}

func (ix *Index) put(r record) {
	slot, ok := ix.byID.find(ix.records, r.id)
	switch {
	case ok:
		old := &ix.records[slot]
		if old.town == r.town && old.tags == r.tags && old.answers == r.answers {
			r.townIndex, r.tagIndex = old.townIndex, old.tagIndex
			*old = r
			return
		}
		ix.unlist(slot)
		ix.records[slot] = r
	case len(ix.free) > 0:
		slot = ix.free[len(ix.free)-1]
		ix.free = ix.free[:len(ix.free)-1]
		ix.records[slot] = r
		ix.byID.insert(ix.records, slot)
	default:
		slot = uint32(len(ix.records))
		ix.records = append(ix.records, r)
		ix.byID.insert(ix.records, slot)
	}
	ix.list(slot)
}

// list adds the member in slot to the two groups it belongs to.
func (ix *Index) list(slot uint32) {
	r := &ix.records[slot]
	ix.towns.settled += ix.towns.all[r.town].add(1)
	ix.tags.chosen += ix.tags.all[r.tags].add(1)
	near := ix.towns.all[r.town].group(r.tags)
	r.townIndex = uint32(len(near.slots))
	near.slots = append(near.slots, slot)
	far := ix.tags.all[r.tags].group(r.answers)
	r.tagIndex = uint32(len(far.slots))
	far.slots = append(far.slots, slot)
}

func (ix *Index) unlist(slot uint32) {
	r := &ix.records[slot]
	ix.towns.settled += ix.towns.all[r.town].add(-1)
	ix.tags.chosen += ix.tags.all[r.tags].add(-1)
	near := ix.towns.all[r.town].group(r.tags)
	last := near.slots[len(near.slots)-1]
	near.slots[r.townIndex], ix.records[last].townIndex = last, r.townIndex
	near.slots = near.slots[:len(near.slots)-1]
	far := ix.tags.all[r.tags].group(r.answers)
	last = far.slots[len(far.slots)-1]
	far.slots[r.tagIndex], ix.records[last].tagIndex = last, r.tagIndex
	far.slots = far.slots[:len(far.slots)-1]
}

// Compact moves members of one group side by side in memory. Call it after many
// were added at once; no search runs meanwhile.
func (ix *Index) Compact() {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	kept := make([]record, 0, len(ix.records)-len(ix.free))
	for _, r := range ix.records {
		if r.id != uuid.Nil {
			kept = append(kept, r)
		}
	}
	slices.SortFunc(kept, func(a, b record) int {
		if a.tags != b.tags {
			return int(a.tags) - int(b.tags)
		}
		if a.town != b.town {
			return int(a.town) - int(b.town)
		}
		return int(a.answers) - int(b.answers)
	})
	ix.records, ix.free = kept, nil
	ix.byID = idTable{}
	ix.byID.grow(ix.records, len(kept))
	ix.towns.clear()
	ix.tags.clear()
	for slot := range kept {
		ix.byID.insert(ix.records, uint32(slot))
		ix.list(uint32(slot))
	}
}

// unused is how many towns or sets of tags may be without a member.
const unused = 10_000

// Crowded reports that most of the towns, or sets of tags, that the index has
// seen have no member any more. A new index takes less memory and time.
func (ix *Index) Crowded() bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return len(ix.towns.all) > 2*ix.towns.settled+unused || len(ix.tags.all) > 2*ix.tags.chosen+unused
}

// Stats says how large an index is.
type Stats struct {
	Members, Towns, TagSets int
	Bytes                   int // of memory, without what searches remember
}

// Stats counts what the index holds.
func (ix *Index) Stats() Stats {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	s := Stats{Members: len(ix.records) - len(ix.free), Towns: len(ix.towns.all), TagSets: len(ix.tags.all)}
	s.Bytes = cap(ix.records)*int(unsafe.Sizeof(record{})) + 4*cap(ix.free) + 4*len(ix.byID.table)
	for i := range ix.towns.all {
		s.Bytes += ix.towns.all[i].bytes()
	}
	for i := range ix.tags.all {
		s.Bytes += ix.tags.all[i].bytes()
	}
	return s
}
