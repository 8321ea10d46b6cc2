package index

import "heartward/api/discovery/compat"

// count returns the number of members of the query's ranking after q.After, at most
// q.CountTo. It reads far members first, in the order of memory: that takes far less time
// for each than the order of the ranking, or that of a town.
func (s *run) count() (count int) {
	if s.q.CountTo == 0 {
		return 0
	}
	s.minSum = compat.MinWeighted(s.q.MinScore)
	if s.reachesFar() {
		count = s.countFar(s.q.CountTo)
	}
	for _, n := range s.near.towns {
		if count >= s.q.CountTo {
			break
		}
		if s.nearOK(n) {
			count += s.countTown(n, s.q.CountTo-count)
		}
	}
	return count
}

// countFar counts the members of far towns, at most limit.
func (s *run) countFar(limit int) (count int) {
	far := compat.Weighted(0, 0, s.far, 0)
	for slot := range s.ix.records {
		r := &s.ix.records[slot]
		if s.tagsOK != nil && !s.tagsOK[r.tags] {
			continue
		}
		sum := compat.Weighted(int(s.intentions[r.tags]), 0, 0, 0) + s.lifestyleSums[r.answers] + far
		if !s.counts(uint32(slot), s.score(r, sum, true)) {
			continue
		}
		if count++; count == limit {
			break
		}
	}
	return count
}

// countTown counts the members of a near town, at most limit.
func (s *run) countTown(n nearTown, limit int) (count int) {
	groups := s.ix.towns.all[n.town].list
	for i := range groups {
		g := &groups[i]
		if s.tagsOK != nil && !s.tagsOK[g.key] {
			continue
		}
		sum := compat.Weighted(int(s.intentions[g.key]), 0, n.location, 0)
		for _, slot := range g.slots {
			r := &s.ix.records[slot]
			if !s.counts(slot, s.score(r, sum+s.lifestyleSums[r.answers], false)) {
				continue
			}
			if count++; count == limit {
				return count
			}
		}
	}
	return count
}

// counts reports whether a member with this score, as returned by run.score, is in the
// ranking after q.After.
func (s *run) counts(slot uint32, score int) bool {
	return score >= 0 && s.follows(slot, score) && s.allowed(slot)
}

// follows reports whether a member is after q.After in the ranking.
func (s *run) follows(slot uint32, score int) bool {
	after := s.page.after
	if after == nil || score != after.Score {
		return after == nil || score < after.Score
	}
	result := s.result(slot, score)
	return before(&result, after) > 0
}
