package index

import (
	"github.com/google/uuid"

	"heartward/api/discovery/compat"
)

// Search returns the first q.Limit members of q's ranking after q.After, and the number of
// all members after q.After, at most q.CountTo. Members who present themselves, with a photo and words, come before those
// who do not: a score says little about somebody of whom one sees nothing.
func (ix *Index) Search(viewer uuid.UUID, q Query) (results []Result, count int) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	rest := q
	if q.After == nil || q.After.Presents {
		results, count = ix.searchHalf(viewer, q, presents)
		rest.After, rest.Limit, rest.CountTo = nil, q.Limit-len(results), q.CountTo-count
	}
	if rest.Limit == 0 && rest.CountTo == 0 {
		return results, count
	}
	more, others := ix.searchHalf(viewer, rest, 0)
	return append(results, more...), count + others
}

// searchHalf is Search among those who present themselves, or among the others if half is 0.
func (ix *Index) searchHalf(viewer uuid.UUID, q Query, half uint16) (results []Result, count int) {
	s := ix.newRun(viewer, &q)
	defer s.release()
	s.flagMask |= presents
	s.flags |= half
	if q.Limit == 0 {
		return nil, s.count()
	}
	s.collectNear()
	if s.reachesFar() {
		s.collectFar()
	}
	s.searchByBound()
	results = s.page.sorted()
	if len(results) < q.Limit {
		return results, min(len(results), q.CountTo) // these are all
	}
	return results, s.count()
}

// Count returns the number of members of q's ranking, at most limit, and whether there are
// more.
func (ix *Index) Count(viewer uuid.UUID, q Query, limit int) (count int, more bool) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	q.After, q.CountTo = nil, limit+1
	s := ix.newRun(viewer, &q)
	defer s.release()
	count = s.count()
	return min(count, limit), count > limit
}

// list is a list of members to be searched, with the weighted sum that they share.
type list struct {
	slots []uint32
	sum   int  // weighted
	far   bool // whether they are in far towns; sum then includes the lifestyle part
}

// collectNear adds the near towns by bound. expandTown adds their groups when the bound is
// searched.
func (s *run) collectNear() {
	best := 0
	for id, score := range s.intentions {
		if s.tagsOK == nil || s.tagsOK[id] {
			best = max(best, int(score))
		}
	}
	for _, n := range s.near.towns {
		if !s.nearOK(n) {
			continue
		}
		bound := compat.Overall(compat.Weighted(best, s.bestLifestyle, n.location, 0) + s.bestAge)
		s.towns[bound] = append(s.towns[bound], n)
	}
}

// nearOK reports whether a near town has members and is within the distance of the query.
func (s *run) nearOK(n nearTown) bool {
	town := &s.ix.towns.all[n.town]
	return len(town.list) > 0 && (s.q.MaxMiles == 0 || !n.known || n.miles <= s.q.MaxMiles) && s.townOK(town)
}

func (s *run) expandTown(n nearTown) {
	groups := s.ix.towns.all[n.town].list
	for i := range groups {
		g := &groups[i]
		if len(g.slots) == 0 || s.tagsOK != nil && !s.tagsOK[g.key] {
			continue
		}
		sum := compat.Weighted(int(s.intentions[g.key]), 0, n.location, 0)
		s.add(list{slots: g.slots, sum: sum}, compat.Overall(sum+s.maxLifestyle()+s.bestAge))
	}
}

// expandAll adds the groups of the towns and sets with this bound. The bounds of the groups
// are not higher.
func (s *run) expandAll(bound int) {
	for _, n := range s.towns[bound] {
		s.expandTown(n)
	}
	if s.scanned {
		return
	}
	for _, set := range s.sets[bound] {
		s.expand(set)
	}
}

func (s *run) maxLifestyle() int { return compat.Weighted(0, s.bestLifestyle, 0, 0) }

func (s *run) add(l list, bound int) { s.lists[bound] = append(s.lists[bound], l) }

// reachesFar reports whether a member outside the near towns can be within the
// distance of the query.
func (s *run) reachesFar() bool {
	return s.q.MaxMiles == 0 || s.q.MaxMiles > compat.NearMiles || s.q.Viewer.Town.Missing()
}

// collectFar adds the sets of tags by bound. expand adds their groups when the bound is
// searched.
func (s *run) collectFar() {
	for id := range s.ix.tags.all {
		if len(s.ix.tags.all[id].list) > 0 && (s.tagsOK == nil || s.tagsOK[id]) {
			bound := compat.Overall(compat.Weighted(int(s.intentions[id]), s.bestLifestyle, s.far, 0) + s.bestAge)
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
		s.add(list{slots: g.slots, sum: sum, far: true}, compat.Overall(sum+s.bestAge))
	}
}

// searchByBound searches the lists, the highest bound first. It stops when no remaining
// list can contribute to the page.
func (s *run) searchByBound() {
	for bound := 100; bound >= s.q.MinScore && !s.page.excludes(bound); bound-- {
		s.expandAll(bound)
		if s.shouldScan(bound) {
			s.scanAll(bound)
		}
		for i := range s.lists[bound] {
			l := &s.lists[bound][i]
			if l.far && s.scanned {
				continue
			}
			for _, slot := range l.slots {
				r := &s.ix.records[slot]
				sum := l.sum
				if !l.far {
					sum += s.lifestyleSums[r.answers]
				}
				if score := s.score(r, sum, l.far); score >= 0 {
					s.consider(slot, score)
				}
			}
		}
	}
}

// shouldScan adds the far members in the lists of this bound to visited, and reports
// whether there are so many, as for a viewer without answers, that one pass over all
// members in memory order is faster than the search of the groups.
func (s *run) shouldScan(bound int) bool {
	if s.scanned {
		return false
	}
	for i := range s.lists[bound] {
		if l := &s.lists[bound][i]; l.far {
			s.visited += len(l.slots)
		}
	}
	return s.visited > len(s.ix.records)/8
}

// scanAll searches all far members whose groups have at most this bound.
func (s *run) scanAll(bound int) {
	s.scanned = true
	far, searchedSum := compat.Weighted(0, 0, s.far, 0), compat.MinWeighted(bound+1)-s.bestAge
	for slot := range s.ix.records {
		r := &s.ix.records[slot]
		if s.tagsOK != nil && !s.tagsOK[r.tags] {
			continue
		}
		sum := compat.Weighted(int(s.intentions[r.tags]), 0, 0, 0) + s.lifestyleSums[r.answers] + far
		if sum >= searchedSum {
			continue // searched already: its group has a higher bound
		}
		if score := s.score(r, sum, true); score >= 0 {
			s.consider(uint32(slot), score)
		}
	}
}

// adult is the lowest age. A member whose 18th birthday has begun in the own zone, and not yet in UTC, has it too.
const adult = 18

// score applies the filters to a member, those that are cheap or likely to fail first. It
// returns the score, or a negative number for a member who does not match or whose weighted
// sum is below minSum. sum is the weighted sum of all parts except the age.
func (s *run) score(r *record, sum int, far bool) (score int) {
	age := max(adult, (s.q.Today-int(r.birth))/10_000)
	if r.flags&s.flagMask != s.flags || age >= len(s.ages) || s.ages[age] < 0 {
		return -1
	}
	if sum += s.ages[age]; sum < s.minSum || !s.matches(r) || far && !s.farOK(r) {
		return -1
	}
	return compat.Overall(sum)
}

// consider adds a member to the page if the page accepts the member.
func (s *run) consider(slot uint32, score int) {
	if s.q.NewestFirst && s.page.older(score, s.ix.identities[slot].created) {
		return
	}
	result := s.result(slot, score)
	if s.page.accepts(&result) && s.allowed(slot) {
		s.page.add(result)
		if s.page.full() {
			s.minSum = max(s.minSum, compat.MinWeighted(s.page.results[0].Score))
		}
	}
}

func (s *run) result(slot uint32, score int) Result {
	r, own := &s.ix.records[slot], &s.ix.identities[slot]
	result := Result{ID: own.id, Score: score, Featured: r.flags&featured != 0, Presents: r.flags&presents != 0, CommonAttributes: r.attributes.countCommon(&s.q.LikedAttributes), tie: tie(s.seed, own.id)}
	if s.q.NewestFirst {
		result.Created = own.created
	}
	return result
}

func (s *run) matches(r *record) bool {
	q := s.q
	return s.isActive(r) &&
		int(r.complete) >= q.MinCompleteness &&
		s.heightOK(r.height) &&
		(s.interestMask == 0 || r.interest == 0 || r.interest&s.interestMask != 0) &&
		(s.genderMask == 0 || r.gender == 0 || r.gender&s.genderMask != 0) &&
		(s.answersOK == nil || s.answersOK[r.answers]) &&
		r.attributes.hasAnyOf(q.AnyOf)
}

// hiddenHours is the time within which a member who hides the activity counts as active, so
// that the filter reveals only whether a member uses the app at all.
const hiddenHours = 30 * 24

func (s *run) isActive(r *record) bool {
	switch {
	case s.q.ActiveSince == 0:
		return true
	case r.flags&hidesActivity != 0:
		return int(r.active) >= min(s.q.ActiveSince, s.q.Hour-hiddenHours)
	}
	return int(r.active) >= s.q.ActiveSince
}

func (s *run) heightOK(height uint8) bool {
	if s.q.MinHeight == 0 && s.q.MaxHeight == 0 {
		return true
	}
	return height > 0 && int(height) >= s.q.MinHeight && (s.q.MaxHeight == 0 || int(height) <= s.q.MaxHeight)
}

// farOK reports whether the member's town is not a near one, which is searched separately,
// and is within the distance of the query.
func (s *run) farOK(r *record) bool {
	if s.near.has(r.town) {
		return false
	}
	if s.q.MaxMiles == 0 && !s.q.SameState && len(s.cities) == 0 {
		return true // no limit of the distance
	}
	town := &s.ix.towns.all[r.town]
	if s.q.MaxMiles > 0 {
		if miles, _, ok := compat.Distance(s.q.Viewer.Town, town.Town); ok && miles > s.q.MaxMiles {
			return false
		}
	}
	return s.townOK(town)
}

// allowed reports whether the viewer may find the member. It is checked last,
// because it is the most expensive check.
func (s *run) allowed(slot uint32) bool {
	id := s.ix.identities[slot].id
	if _, excluded := s.q.Excluded[id]; excluded {
		return false
	}
	if s.ix.records[slot].flags&incognito == 0 {
		return true
	}
	_, admitted := s.q.Admitted[id]
	return admitted
}
