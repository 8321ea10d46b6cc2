package index

import "slices"

// page keeps the first hits behind a place, of however many are offered: a
// heap with the last of those kept on top.
type page struct {
	limit int
	after *Hit
	hits  []Hit
}

// beyond reports that no hit with a score of at most best can be on the page.
func (p *page) beyond(best int) bool { return p.full() && p.hits[0].Score > best }

func (p *page) full() bool { return len(p.hits) == p.limit && p.limit > 0 }

// older reports that a hit of this score was made before the last of a full
// page, where the newest come first.
func (p *page) older(score int, created int64) bool {
	return p.full() && p.hits[0].Score == score && p.hits[0].Created > created
}

// wants reports whether hit comes behind the place and before the last one kept.
func (p *page) wants(hit *Hit) bool {
	if p.after != nil && before(hit, p.after) <= 0 {
		return false
	}
	return len(p.hits) < p.limit || before(hit, &p.hits[0]) < 0
}

// add keeps a hit that the page wants.
func (p *page) add(hit Hit) {
	if len(p.hits) < p.limit {
		p.hits = append(p.hits, hit)
		p.up(len(p.hits) - 1)
		return
	}
	p.hits[0] = hit
	p.down(0)
}

func (p *page) up(at int) {
	for at > 0 {
		parent := (at - 1) / 2
		if before(&p.hits[at], &p.hits[parent]) < 0 {
			return
		}
		p.hits[at], p.hits[parent] = p.hits[parent], p.hits[at]
		at = parent
	}
}

func (p *page) down(at int) {
	for {
		last := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(p.hits); child++ {
			if before(&p.hits[child], &p.hits[last]) > 0 {
				last = child
			}
		}
		if last == at {
			return
		}
		p.hits[at], p.hits[last] = p.hits[last], p.hits[at]
		at = last
	}
}

func (p *page) sorted() []Hit {
	slices.SortFunc(p.hits, func(a, b Hit) int { return before(&a, &b) })
	return p.hits
}
