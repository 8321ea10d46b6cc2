package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/google/uuid"

	"heartward/api/discovery/compat"
	"heartward/api/platform/gazetteer"
)

// Query is a search: the viewer, the limits and the position of the page. The zero value of
// a limit sets no limit.
type Query struct {
	Viewer       compat.Person
	City, State  string // the viewer's town as written
	Gender       *string
	InterestedIn []string
	Excluded     map[uuid.UUID]struct{} // members who must not be found
	Admitted     map[uuid.UUID]struct{} // the incognito members who may be found
	Today        int                    // the date for computing ages, as the number yyyymmdd
	Hour         int                    // hours since 1970 of the beginning of the day (UTC)

	MinAge, MaxAge             int
	MinHeight, MaxHeight       int // in centimetres; with either, members without a height are not found
	MaxMiles                   float64
	SameState                  bool
	InCity                     string
	AnyTag                     []string
	AnyOf                      []Attributes // at least one of each
	HasChildren, WantsChildren *bool
	Education, Religion        *string
	MinScore, MinCompleteness  int
	Featured, Verified         bool
	HasVoice, HasVideo         bool
	ActiveSince                int // hours since 1970

	NewestFirst     bool
	LikedAttributes Attributes // those that decide between equal scores

	After   *Result // the last row of the previous page; its tie is computed
	Limit   int     // of the results
	CountTo int     // the members after After are counted up to this number
}

// Result is a found member with the sort key.
type Result struct {
	ID               uuid.UUID
	Score            int
	Created          int64 // 0 unless the newest are first
	Featured         bool
	CommonAttributes int
	Presents         bool // has a photo, and a bio or an answer
	tie              uint64
}

// before orders results of which all present themselves, or none does, by score, then the newest if Query.NewestFirst is set, then
// featured members, then the most attributes in common with Query.LikedAttributes, then
// tie.
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
	return cmp.Or(cmp.Compare(b.CommonAttributes, a.CommonAttributes), cmp.Compare(a.tie, b.tie), bytes.Compare(a.ID[:], b.ID[:]))
}

// tie returns a hash of id that differs for each viewer, so that no member is first for all
// viewers, and is constant for one viewer.
func tie(seed uint64, id uuid.UUID) uint64 {
	var salted uuid.UUID
	binary.LittleEndian.PutUint64(salted[:8], binary.LittleEndian.Uint64(id[:8])^seed)
	copy(salted[8:], id[8:])
	return mix(salted)
}

// run is the state of one search: the query and values computed once for it.
type run struct {
	ix   *Index
	q    *Query
	seed uint64
	page page

	intentions    []int32 // by set of tags
	lifestyle     [combinations]int
	lifestyleSums [combinations]int // lifestyle, weighted
	bestLifestyle int
	ages          [128]int // weighted part by age; -1 for excluded ages
	bestAge       int
	near          *nearby
	far           int      // location part of the towns that are not near
	cities        []string // names that the town may have
	tagsOK        []bool   // by set of tags; nil if all sets match

	genderMask, interestMask uint8               // bits of which one must be set; 0 if any value matches
	flagMask, flags          uint16              // the bits of record.flags that are compared, and their values
	answersOK                *[combinations]bool // nil if all answers match

	// Towns, sets of tags and lists that remain to be searched, by bound.
	towns [101][]nearTown
	sets  [101][]uint32
	lists [101][]list

	minSum  int  // smallest weighted sum that can be on the page
	visited int  // number of far members in the lists so far
	scanned bool // whether scanAll has searched the far members
}

// runs is a pool of runs, so that searches reuse memory.
var runs = sync.Pool{New: func() any { return new(run) }}

// release returns the run's memory to the pool. The results belong to the caller.
func (s *run) release() {
	reused := run{towns: s.towns, sets: s.sets, lists: s.lists}
	for bound := range reused.lists {
		clear(reused.lists[bound]) // so that removed slots are not retained
		reused.towns[bound], reused.sets[bound], reused.lists[bound] = reused.towns[bound][:0], reused.sets[bound][:0], reused.lists[bound][:0]
	}
	*s = reused
	runs.Put(s)
}

// newRun returns the state for a search. The caller must hold the lock of the index and call release.
func (ix *Index) newRun(viewer uuid.UUID, q *Query) *run {
	s := runs.Get().(*run)
	s.ix, s.q, s.seed, s.page, s.far = ix, q, mix(viewer), page{limit: q.Limit}, compat.FarLocation(q.Viewer.Town)
	s.minSum = compat.MinWeighted(q.MinScore)
	s.near = ix.nearbyOf(townName{q.City, q.State}, q.Viewer.Town)
	s.intentions = ix.intentionsOf(q.Viewer.IntentionTags)
	for n := range s.lifestyle {
		s.lifestyle[n] = compat.Lifestyle(q.Viewer, decodedAnswers[n])
		s.lifestyleSums[n] = compat.Weighted(0, s.lifestyle[n], 0, 0)
		s.bestLifestyle = max(s.bestLifestyle, s.lifestyle[n])
	}
	for age := range s.ages {
		s.ages[age] = -1
		if age >= q.MinAge && (q.MaxAge == 0 || age <= q.MaxAge) {
			s.ages[age] = compat.Weighted(0, 0, 0, compat.Age(q.Viewer.Age, age))
			s.bestAge = max(s.bestAge, s.ages[age])
		}
	}
	if q.InCity != "" {
		s.cities = gazetteer.Names(q.InCity)
	}
	s.prepareAnswers()
	s.prepareTags()
	s.prepareFlags()
	if q.After != nil {
		after := *q.After
		after.tie = tie(s.seed, after.ID)
		s.page.after = &after
	}
	return s
}

func (s *run) prepareFlags() {
	for bit, wanted := range [...]bool{s.q.Featured, s.q.Verified, s.q.HasVoice, s.q.HasVideo} {
		if wanted {
			s.flagMask |= 1 << bit
			s.flags |= 1 << bit
		}
	}
	if s.q.Gender != nil {
		s.interestMask = genderBits(*s.q.Gender)
	}
	s.genderMask = genderBits(s.q.InterestedIn...)
}

func (s *run) prepareAnswers() {
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

func (s *run) prepareTags() {
	if len(s.q.AnyTag) == 0 {
		return
	}
	s.tagsOK = make([]bool, len(s.ix.tags.all))
	for id := range s.tagsOK {
		s.tagsOK[id] = compat.ShareTag(s.q.AnyTag, s.ix.tags.all[id].tags)
	}
}

// townOK applies the filters that depend only on the town.
func (s *run) townOK(t *town) bool {
	if len(s.cities) > 0 && !slices.Contains(s.cities, t.Name()) {
		return false
	}
	mine, theirs := s.q.Viewer.Town.State(), t.State()
	return !s.q.SameState || mine == "" || theirs == "" || mine == theirs
}
