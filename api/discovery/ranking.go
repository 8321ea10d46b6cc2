package discovery

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"slices"

	"github.com/google/uuid"

	"heartward/api/discovery/compat"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/web"
)

// ranked is one member found, with what decides the place.
type ranked struct {
	id       uuid.UUID
	score    int
	featured bool
	tie      uint64
	person   compat.Person
}

// place is a row's place in a ranking, as the cursor carries it. The hash that
// breaks ties is not in it: it follows from viewer and id.
type place struct {
	Score    int       `json:"s"`
	Featured bool      `json:"f"`
	ID       uuid.UUID `json:"i"`
}

func decodeCursor(cursor string) (*place, error) {
	if cursor == "" {
		return nil, nil // the start of the ranking, not a missing place
	}
	var p place
	return &p, web.DecodeCursor(cursor, &p)
}

// before orders by score, then featured, then the viewer's own hash.
func before(a, b ranked) int {
	featured := 0
	if a.featured != b.featured {
		featured = 1
		if a.featured {
			featured = -1
		}
	}
	return cmp.Or(cmp.Compare(b.score, a.score), featured, cmp.Compare(a.tie, b.tie), bytes.Compare(a.id[:], b.id[:]))
}

// tie differs from viewer to viewer, so that nobody comes first for everyone,
// and stays the same for one viewer.
func tie(viewer, id uuid.UUID) uint64 {
	h := fnv.New64a()
	h.Write(viewer[:])
	h.Write(id[:])
	// FNV moves neighbours little; mix, so that every bit of both ids decides.
	sum := h.Sum64()
	sum ^= sum >> 33
	sum *= 0xff51afd7ed558ccd
	return sum ^ sum>>33
}

// ranking keeps the first rows behind a place, of however many are offered.
type ranking struct {
	me     seeker
	filter Filter
	after  *ranked
	keep   int
	rows   []ranked
	worst  *ranked // the last of those kept, once there are enough
}

func newRanking(me seeker, filter Filter, after *place, keep int) *ranking {
	r := &ranking{me: me, filter: filter, keep: keep}
	if after != nil {
		r.after = &ranked{id: after.ID, score: after.Score, featured: after.Featured, tie: tie(me.id, after.ID)}
	}
	return r
}

func (r *ranking) offer(id uuid.UUID, featured bool, person compat.Person) {
	if r.filter.MaxMiles > 0 {
		if miles, _, ok := compat.Distance(r.me.person.Town, person.Town); ok && miles > r.filter.MaxMiles {
			return
		}
	}
	row := ranked{id: id, featured: featured, person: person, tie: tie(r.me.id, id)}
	row.score = compat.Of(r.me.person, person).Overall
	if r.after != nil && before(row, *r.after) <= 0 || r.worst != nil && before(row, *r.worst) >= 0 {
		return
	}
	r.rows = append(r.rows, row)
	if len(r.rows) >= 4*r.keep { // seldom, so that sorting costs next to nothing
		r.cut()
	}
}

func (r *ranking) cut() {
	slices.SortFunc(r.rows, before)
	r.rows = r.rows[:min(len(r.rows), r.keep)]
	if len(r.rows) == r.keep {
		worst := r.rows[r.keep-1]
		r.worst = &worst
	}
}

// beyond reports that no row with a score of at most best can be among those kept.
func (r *ranking) beyond(best int) bool {
	r.cut()
	return len(r.rows) == r.keep && r.rows[r.keep-1].score > best
}

// narrow leaves out whom the gap in age alone keeps behind those kept already.
func (r *ranking) narrow(filter Filter, in ring) Filter {
	if r.worst == nil {
		return filter
	}
	gap := compat.WidestGap(r.worst.score, in.location)
	filter.MinAge = max(filter.MinAge, r.me.person.Age-gap)
	if oldest := r.me.person.Age + gap; filter.MaxAge == 0 || oldest < filter.MaxAge {
		filter.MaxAge = oldest
	}
	return filter
}

// page returns at most limit rows and the cursor for those behind them.
func (r *ranking) page(limit int) (rows []ranked, next string) {
	r.cut()
	if len(r.rows) <= limit {
		return r.rows, ""
	}
	last := r.rows[limit-1]
	return r.rows[:limit], web.EncodeCursor(place{last.score, last.featured, last.id})
}

// ring is a part of the map around the viewer. Outer and inner are boxes; a
// town lies within when it is in outer and not in inner. Towns that the
// gazetteer does not know lie within the first ring.
type ring struct {
	outer, inner *box
	unknown      bool
	location     int // the most points that the location of someone within gives
}

type box struct{ south, west, north, east float64 }

// rings divides the map so that the near, who fit better by their place alone,
// come first and the far need not be read for the first pages: a town more
// than 50 miles away leaves at most 90 points, more than 100 miles 86.
func rings(town compat.Town, maxMiles float64) []ring {
	lat, lon, ok := town.Centre()
	if !ok {
		return []ring{{unknown: true, location: 100}} // the distance of all is unknown
	}
	around := func(miles float64) *box {
		south, west, north, east := gazetteer.Box(lat, lon, miles)
		return &box{south, west, north, east}
	}
	if maxMiles > 0 {
		return []ring{{outer: around(maxMiles), unknown: true, location: 100}}
	}
	near, region := around(50), around(100)
	return []ring{
		{outer: near, unknown: true, location: 100},
		{outer: region, inner: near, location: 50},
		{inner: region, location: 30},
	}
}
