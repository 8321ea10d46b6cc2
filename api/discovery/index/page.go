package index

import "slices"

// page collects the first limit results after a position. It is a heap with the last of
// them on top.
type page struct {
	limit   int
	after   *Result
	results []Result
}

// excludes reports whether no result with a score of at most best can be on the page.
func (p *page) excludes(best int) bool { return p.full() && p.results[0].Score > best }

func (p *page) full() bool { return len(p.results) == p.limit && p.limit > 0 }

// older reports whether a result with this score is after the last one of a full page that
// is sorted by newest first.
func (p *page) older(score int, created int64) bool {
	return p.full() && p.results[0].Score == score && p.results[0].Created > created
}

// accepts reports whether result is after the position and before the last one of the
// page.
func (p *page) accepts(result *Result) bool {
	if p.after != nil && before(result, p.after) <= 0 {
		return false
	}
	return len(p.results) < p.limit || before(result, &p.results[0]) < 0
}

// add adds a result for which accepts is true.
func (p *page) add(result Result) {
	if len(p.results) < p.limit {
		p.results = append(p.results, result)
		p.up(len(p.results) - 1)
		return
	}
	p.results[0] = result
	p.down(0)
}

func (p *page) up(at int) {
	for at > 0 {
		parent := (at - 1) / 2
		if before(&p.results[at], &p.results[parent]) < 0 {
			return
		}
		p.results[at], p.results[parent] = p.results[parent], p.results[at]
		at = parent
	}
}

func (p *page) down(at int) {
	for {
		last := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(p.results); child++ {
			if before(&p.results[child], &p.results[last]) > 0 {
				last = child
			}
		}
		if last == at {
			return
		}
		p.results[at], p.results[last] = p.results[last], p.results[at]
		at = last
	}
}

func (p *page) sorted() []Result {
	slices.SortFunc(p.results, func(a, b Result) int { return before(&a, &b) })
	return p.results
}
