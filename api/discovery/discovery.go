// Package discovery finds members for a member and ranks them by how well the
// two fit. Search is the one way in: the index in memory finds them, and what
// is shown of them is read from PostgreSQL.
package discovery

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/discovery/compat"
	"heartward/api/discovery/index"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
)

// Service searches. Safe for use by many goroutines.
type Service struct {
	pool    *pgxpool.Pool
	created time.Time
	// searches limits how many run at once: more than there are cores only take
	// connections from other calls.
	searches chan struct{}

	index       atomic.Pointer[index.Index] // nil until it has been loaded
	loadError   atomic.Pointer[error]       // of the last refresh that failed
	refreshedAt atomic.Int64                // when the last refresh began, in nanoseconds
	refreshing  sync.Mutex                  // guards position
	position    pg.Position                 // up to which the index knows what has changed
}

// New returns a Service on pool. Searches are Unavailable until the index is loaded: run Follow.
func New(pool *pgxpool.Pool) *Service {
	nilcheck.Must("discovery.New", nilcheck.Deps{"pool": pool})
	return &Service{pool: pool, created: time.Now(), searches: make(chan struct{}, max(2, 2*runtime.GOMAXPROCS(0)))}
}

// Index says how large the index is.
func (s *Service) Index() index.Stats {
	if in := s.index.Load(); in != nil {
		return in.Stats()
	}
	return index.Stats{}
}

// Candidate is a member as the deck and the grid show one.
type Candidate struct {
	members.PublicMember
	Compatibility compat.Compatibility `json:"compatibility"`
}

// Page is a part of a ranking.
type Page struct {
	Cursor  string // of the page before; empty for the first
	Limit   int
	Exclude uuid.UUID // one more member to leave out
}

// Search returns the members that match set for viewer, the best fit
// first, and the cursor of the next page, empty after the last.
//
// Always left out are the viewer; members whom strangers may not find (see
// members.Searched) and the incognito, unless they like the viewer; members whom
// the viewer liked, ever matched, or passed in the last 30 days; members on
// either side of a block with the viewer; and, where both sides have answered,
// members of a gender that the other is not interested in. A distance filter
// keeps members without a town: their distance is unknown.
//
// Equal scores are ordered by the newest when the filter asks for it, then
// featured members first, then by what they have in common with those the
// viewer liked when the filter asks for that, then by a hash that differs from
// viewer to viewer. A page starts behind the values of the last row of the page
// before, so that no member is shown twice or lost when others join meanwhile. Errors: Invalid for a cursor that is none or of other filters,
// NotFound for a viewer that does not exist, Unavailable before the index is
// loaded and when ctx ends while others search.
func (s *Service) Search(ctx context.Context, viewer uuid.UUID, set FilterSet, page Page) ([]Candidate, string, error) {
	me, results, next, err := s.rank(ctx, viewer, set, page)
	if err != nil {
		return nil, "", err
	}
	candidates, err := s.load(ctx, me, results)
	return candidates, next, err
}

// load reads what is shown of the members of one page. Members who cannot be
// seen any more are left out: the index may not know that yet.
func (s *Service) load(ctx context.Context, me viewer, results []index.Result) ([]Candidate, error) {
	ids := make([]uuid.UUID, len(results))
	for i, result := range results {
		ids[i] = result.ID
	}
	persons, err := selectPersons(ctx, s.pool, me.id, ids)
	if err != nil {
		return nil, err
	}
	public, err := members.PublicMany(ctx, s.pool, ids)
	if err != nil {
		return nil, err
	}
	candidates := make([]Candidate, 0, len(results))
	for _, id := range ids {
		member, isThere := public[id]
		if person, isSeen := persons[id]; isThere && isSeen {
			candidates = append(candidates, Candidate{member, compat.Explain(me.person, person)})
		}
	}
	return candidates, nil
}

// Compatibility returns how viewer and the member other fit. It is a look at
// their profile and counts as one. Errors: NotFound when viewer may not see
// other, Invalid when they are the same, RateLimited as members.CountView.
func (s *Service) Compatibility(ctx context.Context, viewer, other uuid.UUID) (compat.Compatibility, error) {
	if viewer == other {
		return compat.Compatibility{}, fault.New(fault.Invalid, "Compatibility is between you and someone else.")
	}
	if err := members.CountView(ctx, s.pool, viewer, other); err != nil {
		return compat.Compatibility{}, err
	}
	persons, err := selectPersons(ctx, s.pool, viewer, []uuid.UUID{viewer, other})
	if err != nil {
		return compat.Compatibility{}, err
	}
	person, isSeen := persons[other]
	if !isSeen {
		return compat.Compatibility{}, fault.New(fault.NotFound, "We could not find that.")
	}
	return compat.Explain(persons[viewer], person), nil
}
