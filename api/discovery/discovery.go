// Package discovery finds members for a member and ranks them by how well the
// two fit. Search is the one way in: an index in memory or a search server
// could stand behind it without a change elsewhere.
package discovery

import (
	"context"
	"runtime"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/discovery/compat"
	"heartward/api/members"
	"heartward/api/platform/fault"
)

// Service searches. Safe for use by many goroutines.
type Service struct {
	pool *pgxpool.Pool
	// searches holds a place for each that may run at once. One scores
	// thousands of members: more at a time than there are cores only take
	// connections from those who want to talk.
	searches chan struct{}
}

// New returns a Service on pool.
func New(pool *pgxpool.Pool) *Service {
	return &Service{pool: pool, searches: make(chan struct{}, max(2, 2*runtime.GOMAXPROCS(0)))}
}

// Candidate is a member as the deck and the grid show one.
type Candidate struct {
	members.PublicMember
	Compatibility compat.Compatibility `json:"compatibility"`
}

// Discover is the filter of the grid before a member changes it.
func Discover() Filter {
	return Filter{MinAge: 18, MaxAge: 65, MaxMiles: 50, ActiveWithin: 7 * 24 * time.Hour}
}

// ForYou is the filter of the deck: the same but for the distance. Near towns
// still come first, by their part of the score, and where few members live
// near, the deck goes on with those further away instead of ending.
func ForYou() Filter {
	f := Discover()
	f.MaxMiles = 0
	return f
}

// Page is a part of a ranking: what to skip and how many to return.
type Page struct {
	Cursor string // of the page before; empty for the first
	Limit  int
}

// Search returns the members that filter leaves for viewer, the best fit
// first, and the cursor of the next page, empty after the last.
//
// Always left out are the viewer, who is not shown to strangers (see
// members.Shown), whom the viewer liked or matched, whom the viewer passed in
// the last 30 days, and, where both sides have answered, whoever is not of a
// gender the other is interested in. A distance filter leaves out nobody whose
// distance cannot be told because a town is missing.
//
// Equal scores are ordered featured members first, then by a hash that differs
// from viewer to viewer. A page starts behind the last row of the page before
// wherever that row has gone, so nobody is shown twice or lost when others join
// meanwhile. Errors: Invalid for a cursor that is none, NotFound for a viewer
// that does not exist, Unavailable when ctx ends while others search.
func (s *Service) Search(ctx context.Context, viewer uuid.UUID, filter Filter, page Page) ([]Candidate, string, error) {
	after, err := decodeCursor(page.Cursor)
	if err != nil {
		return nil, "", err
	}
	select {
	case s.searches <- struct{}{}:
		defer func() { <-s.searches }()
	case <-ctx.Done():
		busy := fault.Wrap(fault.Unavailable, "Many people are looking right now. Please try again in a moment.", ctx.Err())
		busy.RetryAfter = 2 * time.Second
		return nil, "", busy
	}
	me, err := selectSeeker(ctx, s.pool, viewer)
	if err != nil {
		return nil, "", err
	}
	best := newRanking(me, filter, after, page.Limit+1)
	for _, ring := range rings(me.person.Town, filter.MaxMiles) {
		if best.beyond(compat.Best(ring.location)) {
			break // not even a perfect fit from out there would make the page
		}
		if err := scan(ctx, s.pool, me, best.narrow(filter, ring), ring, best.offer); err != nil {
			return nil, "", err
		}
	}
	rows, next := best.page(page.Limit)
	candidates, err := s.load(ctx, me, rows)
	return candidates, next, err
}

// load reads what is shown of the members of one page.
func (s *Service) load(ctx context.Context, me seeker, rows []ranked) ([]Candidate, error) {
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = row.id
	}
	public, err := members.PublicMany(ctx, s.pool, ids)
	if err != nil {
		return nil, err
	}
	candidates := make([]Candidate, 0, len(rows))
	for _, row := range rows {
		// Gone since the search: deleted members are simply left out.
		if member, ok := public[row.id]; ok {
			candidates = append(candidates, Candidate{member, compat.Explain(me.person, row.person)})
		}
	}
	return candidates, nil
}

// Compatibility returns how viewer and the member other fit. Errors: NotFound
// when viewer may not see other, Invalid when they are the same.
func (s *Service) Compatibility(ctx context.Context, viewer, other uuid.UUID) (compat.Compatibility, error) {
	if viewer == other {
		return compat.Compatibility{}, fault.New(fault.Invalid, "Compatibility is between you and someone else.")
	}
	me, err := selectSeeker(ctx, s.pool, viewer)
	if err != nil {
		return compat.Compatibility{}, err
	}
	person, err := selectVisible(ctx, s.pool, viewer, other)
	if err != nil {
		return compat.Compatibility{}, err
	}
	return compat.Explain(me.person, person), nil
}
