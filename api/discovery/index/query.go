package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"sync"

	"github.com/google/uuid"

	"heartward/api/discovery/compat"
	"heartward/api/platform/gazetteer"
)

// Query is a search: the viewer, the limits and the position at which the page
// begins. The zero value of a limit sets none.
type Query struct {
	Viewer       compat.Person
	City, State  string // the viewer's town as it is written
	Gender       *string
	InterestedIn []string
	Excluded     map[uuid.UUID]struct{} // members who are left out
	Admitted     map[uuid.UUID]struct{} // the incognito members who may be found
	Today        int                    // the date as the number yyyymmdd; ages are counted by it
	Hour         int                    // hours since 1970

	MinAge, MaxAge             int
	MaxMiles                   float64
	SameState                  bool
	InCity                     string
	AnyTag                     []string
	AnyOf                      []uint32 // at least one attribute of each
	HasChildren, WantsChildren *bool
	Education, Religion        *string
	MinScore, MinCompleteness  int
	Featured, Verified         bool
	HasVoice, HasVideo         bool
	ActiveSince                int // hours since 1970

	NewestFirst bool
	Liking      uint32 // attributes that decide between equal scores

	After *Result // the last row of the page before; its tie is computed
	Limit int
}

// Result is a member found, with all that decides their position.
type Result struct {
	ID       uuid.UUID
	Score    int
	Created  int64 // 0 unless the newest come first
	Featured bool
	Alike    int
	tie      uint64
}

// before orders results: by score, then the newest when asked for, then featured
// members, then those most like whom the viewer likes, then the viewer's own
// hash of the id.
func before(a, b *Result) int {
	if a.Score != b.Score {
		return cmp.Compare(b.Score, a.Score)
	}
	if a.Created != b.Created {
		return cmp.Compare(b.Created, a.Created)
	}
	if a.Featured != b.Featured {
		if a.Featured {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.Alike, a.Alike), cmp.Compare(a.tie, b.tie), bytes.Compare(a.ID[:], b.ID[:]))
}

// tie differs from viewer to viewer, so that no member comes first for all, and
// stays the same for one viewer.
func tie(seed uint64, id uuid.UUID) uint64 {
	var salted uuid.UUID
	binary.LittleEndian.PutUint64(salted[:8], binary.LittleEndian.Uint64(id[:8])^seed)
	copy(salted[8:], id[8:])
	return mix(salted)
}

// run is one search under way: the query and all that is computed once for it.
type run struct {
	ix   *Index
	q    *Query
	seed uint64
	page page

	intentions []int32 // by set of tags
	lifestyle  [combinations]int
	lifeSums   [combinations]int // the same, weighted
	bestLife   int
	ages       [128]int // weighted part by age; -1 for ages that are left out
	bestAge    int
	near       *nearby
	far        int // location part of the towns that are not near
	city       string
	tagsOK     []bool // by set of tags; nil when every set will do

	minGender, minInterest uint8
	need                   uint16
	answersOK              *[combinations]bool // nil when all will do

	// What is still to be searched, by the best score that it can reach.
	towns [101][]nearTown
	sets  [101][]uint32
	lists [101][]list

	least   int  // weighted sum that the page can use
	visited int  // far members in the lists so far
	scanned bool // all others have been, too
}

// runs keeps the memory of searches for those to come.
var runs = sync.Pool{New: func() any { return new(run) }}

// release puts the run's memory into the pool; the results stay the caller's.
func (s *run) release() {
	kept := run{towns: s.towns, sets: s.sets, lists: s.lists}
	for bound := range kept.lists {
		clear(kept.lists[bound]) // lists of members may be made anew meanwhile
		kept.towns[bound], kept.sets[bound], kept.lists[bound] = kept.towns[bound][:0], kept.sets[bound][:0], kept.lists[bound][:0]
	}
	*s = kept
	runs.Put(s)
}

func (ix *Index) start(viewer uuid.UUID, q *Query) *run {
	s := runs.Get().(*run)
	s.ix, s.q, s.seed, s.page, s.far = ix, q, mix(viewer), page{limit: q.Limit}, compat.Far(q.Viewer.Town)
	s.least = compat.Least(q.MinScore)
	s.near = ix.nearbyOf(townName{q.City, q.State}, q.Viewer.Town)
	s.intentions = ix.intentionsOf(q.Viewer.IntentionTags)
	for n := range s.lifestyle {
		s.lifestyle[n] = compat.Lifestyle(q.Viewer, decodedAnswers[n])
		s.lifeSums[n] = compat.Weighted(0, s.lifestyle[n], 0, 0)
		s.bestLife = max(s.bestLife, s.lifestyle[n])
	}
	for age := range s.ages {
		s.ages[age] = -1
		if age >= q.MinAge && (q.MaxAge == 0 || age <= q.MaxAge) {
			s.ages[age] = compat.Weighted(0, 0, 0, compat.Age(q.Viewer.Age, age))
			s.bestAge = max(s.bestAge, s.ages[age])
		}
	}
	if q.InCity != "" {
		s.city = gazetteer.Fold(q.InCity)
	}
	s.wantAnswers()
	s.wantTags()
	s.wantFlags()
	if q.After != nil {
		after := *q.After
		after.tie = tie(s.seed, after.ID)
		s.page.after = &after
	}
	return s
}

func (s *run) wantFlags() {
	for bit, wanted := range [...]bool{s.q.Featured, s.q.Verified, s.q.HasVoice, s.q.HasVideo} {
		if wanted {
			s.need |= 1 << bit
		}
	}
	if s.q.Gender != nil {
		s.minInterest = genderBits(*s.q.Gender)
	}
	s.minGender = genderBits(s.q.InterestedIn...)
}

func (s *run) wantAnswers() {
	q := s.q
	if q.HasChildren == nil && q.WantsChildren == nil && q.Education == nil && q.Religion == nil {
		return
	}
	s.answersOK = &[combinations]bool{}
	for n, p := range decodedAnswers {
		s.answersOK[n] = same(q.HasChildren, p.HasChildren) && same(q.WantsChildren, p.WantsChildren) &&
			same(q.Education, p.Education) && same(q.Religion, p.Religion)
	}
}

func same[T comparable](wanted, given *T) bool {
	return wanted == nil || given != nil && *given == *wanted
}

func (s *run) wantTags() {
	if len(s.q.AnyTag) == 0 {
		return
	}
	s.tagsOK = make([]bool, len(s.ix.tags.all))
	for id := range s.tagsOK {
		s.tagsOK[id] = compat.Share(s.q.AnyTag, s.ix.tags.all[id].tags)
	}
}

// townOK applies the filters by the town alone.
func (s *run) townOK(t *town) bool {
	if s.city != "" && t.Name() != s.city {
		return false
	}
	mine, theirs := s.q.Viewer.Town.State(), t.State()
	return !s.q.SameState || mine == "" || theirs == "" || mine == theirs
}
