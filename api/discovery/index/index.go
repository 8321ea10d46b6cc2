// Package index finds and ranks members in memory. It stores the searchable data of each
// member in 72 bytes, of which a search reads 40, and a few entries of lists. Its owner loads it from PostgreSQL and
// applies changes. Scores are equal to those of package compat.
//
// Members with the same town and tags, or the same tags and answers, are grouped. A search
// first computes the bound of each group: the highest score that a member of it can have.
// It searches the groups by bound, the highest first, and stops when no remaining group
// can reach the score of the page's last row.
package index

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"

	"github.com/google/uuid"
)

// Member is the searchable data of a member. An answer that was not given is nil.
type Member struct {
	ID                         uuid.UUID
	Birth                      int // the birth date as the number yyyymmdd
	City, State                string
	Lat, Lon                   *float64 // position of the town's centre; nil if unknown
	IntentionTags              []string
	HasChildren, WantsChildren *bool
	Education, Religion        *string
	Gender                     *string
	InterestedIn               []string
	Featured, Verified         bool
	HasVoice, HasVideo         bool
	Presents                   bool  // has a photo, and a bio or an answer
	Incognito                  bool  // found only by viewers whom the member likes; see Query.Admitted
	Height                     int   // in centimetres; 0 if unknown
	ActiveHour                 int   // hours since 1970 of the last activity
	HidesActivity              bool  // counts as active at any time if active in the last 30 days
	Created                    int64 // microseconds since 1970
	Completeness               int   // percent of the profile

	// Attributes is not a column of the database, but made of several.
	Attributes Attributes `db:"-"`
}

// record is the part of a Member that a search reads to filter and score. It is apart from
// identity because reading memory takes most of the time of a search.
type record struct {
	attributes Attributes
	birth      int32
	active     int32
	town       uint32
	tags       uint32
	answers    uint16
	flags      uint16
	gender     uint8
	interest   uint8
	complete   uint8
	height     uint8
}

// identity is the part of a Member that a search reads only for members who match.
type identity struct {
	id        uuid.UUID // Nil in a free slot
	created   int64
	townIndex uint32 // index in the group of the same town and tags
	tagIndex  uint32 // index in the group of the same tags and answers
}

// The bits of record.flags, in the order of pack and prepareFlags.
const (
	featured = 1 << iota
	verified
	voice
	video
	incognito
	hidesActivity
	presents
)

// Index is a set of members. It is safe for concurrent use: searches run concurrently, and
// a change waits until running searches have ended.
type Index struct {
	mu         sync.RWMutex
	records    []record
	identities []identity // by slot, as records
	free       []uint32   // slots of removed members
	byID       idTable
	towns      towns
	tags       tagSets
	nearTowns  cache[townName, *nearby] // by the town of a viewer
	intentions cache[string, []int32]   // the intentions part by set of tags, by the name of the viewer's set
}

// New returns an empty index.
func New() *Index {
	ix := &Index{}
	ix.towns.ids = map[townName]uint32{}
	ix.tags.ids = map[string]uint32{}
	return ix
}

// Put adds members, or replaces those with the same id.
func (ix *Index) Put(members ...Member) {
	for chunk := range slices.Chunk(members, 256) { // unlocks in between, so that searches can run
		ix.mu.Lock()
		for i := range chunk {
			m := &chunk[i]
			ix.put(ix.pack(m), m.ID, m.Created)
		}
		ix.mu.Unlock()
	}
}

// Activity is the hour of a member's last activity, as in Member.
type Activity struct {
	ID   uuid.UUID
	Hour int
}

// SetActivities sets the hour of members in the index, and ignores others.
func (ix *Index) SetActivities(activities ...Activity) {
	for chunk := range slices.Chunk(activities, 256) { // unlocks in between, so that searches can run
		ix.mu.Lock()
		for _, a := range chunk {
			if slot, ok := ix.byID.find(ix.identities, a.ID); ok {
				ix.records[slot].active = int32(a.Hour)
			}
		}
		ix.mu.Unlock()
	}
}

// Remove removes members. It ignores unknown ids.
func (ix *Index) Remove(ids ...uuid.UUID) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, id := range ids {
		if slot, ok := ix.byID.find(ix.identities, id); ok {
			ix.byID.remove(ix.identities, id)
			ix.removeFromGroups(slot)
			ix.records[slot], ix.identities[slot] = record{}, identity{}
			ix.free = append(ix.free, slot)
		}
	}
}

func (ix *Index) put(r record, id uuid.UUID, created int64) {
	slot, ok := ix.byID.find(ix.identities, id)
	switch {
	case ok:
		old := ix.records[slot]
		if old.town == r.town && old.tags == r.tags && old.answers == r.answers {
			ix.records[slot], ix.identities[slot].created = r, created
			return
		}
		ix.removeFromGroups(slot)
		ix.records[slot], ix.identities[slot].created = r, created
	case len(ix.free) > 0:
		slot = ix.free[len(ix.free)-1]
		ix.free = ix.free[:len(ix.free)-1]
		ix.records[slot], ix.identities[slot] = r, identity{id: id, created: created}
		ix.byID.insert(ix.identities, slot)
	default:
		slot = uint32(len(ix.records))
		ix.records, ix.identities = append(ix.records, r), append(ix.identities, identity{id: id, created: created})
		ix.byID.insert(ix.identities, slot)
	}
	ix.addToGroups(slot)
}

// addToGroups adds the member in slot to its two groups.
func (ix *Index) addToGroups(slot uint32) {
	r, own := &ix.records[slot], &ix.identities[slot]
	ix.towns.nonEmpty += ix.towns.all[r.town].add(1)
	ix.tags.nonEmpty += ix.tags.all[r.tags].add(1)
	byTown := ix.towns.all[r.town].group(r.tags)
	own.townIndex = uint32(len(byTown.slots))
	byTown.slots = append(byTown.slots, slot)
	byTags := ix.tags.all[r.tags].group(r.answers)
	own.tagIndex = uint32(len(byTags.slots))
	byTags.slots = append(byTags.slots, slot)
}

func (ix *Index) removeFromGroups(slot uint32) {
	r, own := &ix.records[slot], &ix.identities[slot]
	ix.towns.nonEmpty += ix.towns.all[r.town].add(-1)
	ix.tags.nonEmpty += ix.tags.all[r.tags].add(-1)
	byTown := ix.towns.all[r.town].group(r.tags)
	last := byTown.slots[len(byTown.slots)-1]
	byTown.slots[own.townIndex], ix.identities[last].townIndex = last, own.townIndex
	byTown.slots = byTown.slots[:len(byTown.slots)-1]
	byTags := ix.tags.all[r.tags].group(r.answers)
	last = byTags.slots[len(byTags.slots)-1]
	byTags.slots[own.tagIndex], ix.identities[last].tagIndex = last, own.tagIndex
	byTags.slots = byTags.slots[:len(byTags.slots)-1]
}

// Compact sorts the records so that members with the same tags and town are adjacent in
// memory. Call it after adding many members. It blocks searches.
func (ix *Index) Compact() {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	slots := make([]uint32, 0, len(ix.records)-len(ix.free))
	for slot := range ix.identities {
		if ix.identities[slot].id != uuid.Nil {
			slots = append(slots, uint32(slot))
		}
	}
	slices.SortFunc(slots, func(slotA, slotB uint32) int {
		a, b := &ix.records[slotA], &ix.records[slotB]
		return cmp.Or(cmp.Compare(a.tags, b.tags), cmp.Compare(a.town, b.town), cmp.Compare(a.answers, b.answers))
	})
	records, identities := make([]record, len(slots)), make([]identity, len(slots))
	for to, from := range slots {
		records[to], identities[to] = ix.records[from], ix.identities[from]
	}
	ix.records, ix.identities, ix.free = records, identities, nil
	ix.byID = idTable{}
	ix.byID.grow(ix.identities, len(identities))
	ix.towns.clear()
	ix.tags.clear()
	for slot := range identities {
		ix.byID.insert(ix.identities, uint32(slot))
		ix.addToGroups(uint32(slot))
	}
}

// maxUnused is the number of towns or sets of tags without members that is tolerated.
const maxUnused = 10_000

// NeedsReload reports whether most of the towns, or of the sets of tags, have no member
// any more. A new index then takes less memory and time.
func (ix *Index) NeedsReload() bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return len(ix.towns.all) > 2*ix.towns.nonEmpty+maxUnused || len(ix.tags.all) > 2*ix.tags.nonEmpty+maxUnused
}

// Stats is the size of an index.
type Stats struct {
	Members, Towns, TagSets int
	Bytes                   int // memory, without caches of searches
}

// Stats returns the size of the index.
func (ix *Index) Stats() Stats {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	s := Stats{Members: len(ix.records) - len(ix.free), Towns: len(ix.towns.all), TagSets: len(ix.tags.all)}
	s.Bytes = cap(ix.records)*int(unsafe.Sizeof(record{})) + cap(ix.identities)*int(unsafe.Sizeof(identity{})) + 4*cap(ix.free) + 4*len(ix.byID.table)
	for i := range ix.towns.all {
		s.Bytes += ix.towns.all[i].bytes()
	}
	for i := range ix.tags.all {
		s.Bytes += ix.tags.all[i].bytes()
	}
	return s
}
