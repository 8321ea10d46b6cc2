package index

import (
	"github.com/google/uuid"

	"heartward/api/discovery/compat"
)

// Search returns the first members of q's ranking behind q.After.
func (ix *Index) Search(viewer uuid.UUID, q Query) []Hit {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	s := ix.start(viewer, &q)
	s.collectNear()
	if s.reachesFar() {
		s.collectFar()
	}
	s.descend()
	return s.page.sorted()
}

// Count returns how many members q leaves, wherever it begins, up to most, and
// whether there are more.
func (ix *Index) Count(viewer uuid.UUID, q Query, most int) (count int, more bool) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	q.After = nil
	s := ix.start(viewer, &q)
	s.collectNear()
	if s.reachesFar() {
		s.collectFar()
	}
	for bound := 100; bound >= q.MinScore; bound-- {
		for _, set := range s.sets[bound] {
			s.expand(set)
		}
		for _, l := range s.lists[bound] {
			for _, slot := range l.slots {
				if hit := s.look(slot, &l); hit != nil && s.open(&ix.records[slot]) {
					if count++; count > most {
						return most, true
					}
				}
			}
		}
	}
	return count, false
}

// list is members to be looked into, with the sum that they have in common.
type list struct {
	slots []uint32
	sum   int  // weighted
	life  bool // sum holds the lifestyle already
	far   bool // of all towns; the near ones are looked into by themselves
}

// collectNear files the groups of the near towns under the best that they can reach.
func (s *run) collectNear() {
	for _, n := range s.near.towns {
		town := &s.ix.towns.all[n.town]
		if len(town.list) == 0 || s.q.MaxMiles > 0 && n.measured && n.miles > s.q.MaxMiles || !s.townOK(town) {
			continue
		}
		for i := range town.groups.list {
			g := &town.groups.list[i]
			if len(g.slots) == 0 || s.tagsOK != nil && !s.tagsOK[g.key] {
				continue
			}
			sum := compat.Weighted(int(s.intentions[g.key]), 0, n.location, 0)
			s.file(list{slots: g.slots, sum: sum}, compat.Overall(sum+s.mostLife()+s.bestAge))
		}
	}
}

func (s *run) mostLife() int { return compat.Weighted(0, s.bestLife, 0, 0) }

func (s *run) file(l list, bound int) { s.lists[bound] = append(s.lists[bound], l) }

// reachesFar reports whether anybody outside the near towns can be within the
// distance asked for.
func (s *run) reachesFar() bool {
	return s.q.MaxMiles == 0 || s.q.MaxMiles > compat.NearMiles || s.q.Viewer.Town.Missing()
}

// collectFar files the sets of tags; expand files their groups when it comes
// to them.
func (s *run) collectFar() {
	for id := range s.ix.tags.all {
		if len(s.ix.tags.all[id].list) > 0 && (s.tagsOK == nil || s.tagsOK[id]) {
			bound := compat.Overall(compat.Weighted(int(s.intentions[id]), s.bestLife, s.far, 0) + s.bestAge)
			s.sets[bound] = append(s.sets[bound], uint32(id))
		}
	}
}

func (s *run) expand(set uint32) {
	groups := s.ix.tags.all[set].list
	for i := range groups {
		g := &groups[i]
		if len(g.slots) == 0 || s.answersOK != nil && !s.answersOK[g.key] {
			continue
		}
		sum := compat.Weighted(int(s.intentions[set]), s.lifestyle[g.key], s.far, 0)
		s.file(list{slots: g.slots, sum: sum, life: true, far: true}, compat.Overall(sum+s.bestAge))
	}
}

// descend looks into the lists, the highest bound first, until no list that is
// left can reach the page.
func (s *run) descend() {
	for bound := 100; bound >= s.q.MinScore && !s.page.beyond(bound); bound-- {
		for _, set := range s.sets[bound] {
			s.expand(set)
		}
		for i := range s.lists[bound] {
			l := &s.lists[bound][i]
			for _, slot := range l.slots {
				if hit := s.look(slot, l); hit != nil && s.page.wants(hit) && s.open(&s.ix.records[slot]) {
					s.page.add(*hit)
				}
			}
		}
	}
}

// look applies the filters to a member, the cheap and the likely to fail first,
// and scores it. It returns nil for whoever is left out; the hit is good until
// the next look.
func (s *run) look(slot uint32, l *list) *Hit {
	r, q := &s.ix.records[slot], s.q
	age := (q.Today - int(r.birth)) / 10_000
	if age < 0 || age >= len(s.ages) || s.ages[age] < 0 {
		return nil
	}
	sum := l.sum + s.ages[age]
	if !l.life {
		sum += compat.Weighted(0, s.lifestyle[r.answers], 0, 0)
	}
	score := compat.Overall(sum)
	if score < q.MinScore || s.page.beyond(score) || !s.passes(r) || l.far && !s.farOK(r) {
		return nil
	}
	s.hit = Hit{ID: r.id, Score: score, Featured: r.flags&featured != 0, Alike: alike(r.traits, q.Liking), tie: tie(s.seed, r.id)}
	if q.NewestFirst {
		s.hit.Created = r.created
	}
	return &s.hit
}

func (s *run) passes(r *record) bool {
	q := s.q
	return r.flags&s.need == s.need &&
		(int(r.active) >= q.ActiveSince || r.flags&alwaysActive != 0) &&
		int(r.complete) >= q.MinCompleteness &&
		(s.minInterest == 0 || r.interest == 0 || r.interest&s.minInterest != 0) &&
		(s.minGender == 0 || r.gender == 0 || r.gender&s.minGender != 0) &&
		(q.Traits == 0 || r.traits&q.Traits != 0) &&
		(q.Lifestyle == 0 || r.traits&q.Lifestyle != 0) &&
		(q.Goals == 0 || r.traits&q.Goals != 0) &&
		(s.answersOK == nil || s.answersOK[r.answers])
}

// farOK tells for a member of any town that it is not a near one, which is
// looked into by itself, and within the distance asked for.
func (s *run) farOK(r *record) bool {
	if s.near.has(r.town) {
		return false
	}
	town := &s.ix.towns.all[r.town]
	if s.q.MaxMiles > 0 {
		if miles, _, ok := compat.Distance(s.q.Viewer.Town, town.Town); ok && miles > s.q.MaxMiles {
			return false
		}
	}
	return s.townOK(town)
}

// open asks last, because it is dearest, whether the viewer may find the member.
func (s *run) open(r *record) bool {
	if _, excluded := s.q.Excluded[r.id]; excluded {
		return false
	}
	if r.flags&incognito == 0 {
		return true
	}
	_, admitted := s.q.Admitted[r.id]
	return admitted
}
