// Package discovery finds members for a viewer and ranks them by compatibility. Search
// finds their ids in the in-memory index and reads their cards from PostgreSQL.
package discovery

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/discovery/compat"
	"heartward/api/discovery/index"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Service searches for members. It is safe for concurrent use.
type Service struct {
	pool    *pgxpool.Pool
	created time.Time
	// searches limits the number of concurrent searches to twice the number of cores. More
	// would only use connections that other requests need.
	searches chan struct{}
	calls    *limits.Members // of the deck and the grid
	shown    limits.Daily    // shownPerDay, with the scaled pool of a network
	scale    float64         // by which limits of a network are multiplied

	snapshots snapshots // of how many members are near

	index       atomic.Pointer[index.Index] // nil until it is loaded
	loadError   atomic.Pointer[error]       // of the last refresh that failed
	refreshedAt atomic.Int64                // start of the last successful refresh, in Unix nanoseconds
	refreshing  sync.Mutex                  // guards position
	position    pg.Position                 // up to which changes are in the index
}

// New returns a Service on pool. Searches return Unavailable until Follow has loaded the
// index.
func New(pool *pgxpool.Pool) *Service {
	nilcheck.Must("discovery.New", nilcheck.Deps{"pool": pool})
	s := &Service{pool: pool, created: time.Now(), searches: make(chan struct{}, max(2, 2*runtime.GOMAXPROCS(0)))}
	s.ScaleLimits(1)
	return s
}

// ScaleLimits limits the calls of the deck and the grid to 60 a minute for each member, and
// what members of a network read together, multiplied by factor. It must be called before the service is used.
func (s *Service) ScaleLimits(factor float64) {
	s.calls = limits.NewMembers(max(1, int(60*factor)), time.Minute, limits.LookingThroughPeople)
	s.shown, s.scale = shownPerDay.Scaled(factor), factor
}

// SetLimitClock makes the limit in memory use now as its clock. It is for tests, and must be
// called before the service is used.
func (s *Service) SetLimitClock(now func() time.Time) { s.calls.SetClock(now) }

// shownPerDay is the limit of different members whom the deck, the grid and previews of filters together show to a member in a
// day. Beyond Share, the members of a network have Pool in common.
var shownPerDay = limits.Daily{Name: ShownRule, Count: 600, Share: 200, Pool: 1200}

// ShownRule is the rule in daily_items whose items are the members who were shown.
const ShownRule = "people"

// IndexStats returns the size of the index.
func (s *Service) IndexStats() index.Stats {
	if in := s.index.Load(); in != nil {
		return in.Stats()
	}
	return index.Stats{}
}

// Candidate is a member in the deck or the grid. A test lists its fields.
type Candidate struct {
	members.CandidateCard
	ActiveToday   bool                 `json:"activeToday" doc:"Whether the member was active today or yesterday (UTC); false if the member or the viewer hides it"`
	IsNew         bool                 `json:"isNew" doc:"Whether the member joined in the last 7 days"`
	Compatibility compat.Compatibility `json:"compatibility"`
}

// Page is a part of a ranking.
type Page struct {
	Cursor  string // from the previous page; empty for the first
	Limit   int
	Exclude uuid.UUID // a member to exclude, or Nil
}

// Search returns a page of the members that match set for viewer, the highest score
// first, and the rest of the ranking.
//
// Search always excludes the viewer; members who are not shown to everyone (see
// is_searched) and incognito members, unless they like the viewer; members whom the
// viewer has liked, ever matched with, or passed on in the last 30 days; members whom the
// viewer has blocked or who have blocked the viewer; and, if both have answered, members
// of a gender in which the other is not interested. A distance filter does not exclude
// members without a town, whose distance is unknown.
//
// Equal scores are ordered by the newest member if the filter prioritizes new members,
// then featured members first, then by words in common with members whom the viewer has
// liked if the filter asks for recommendations, then by a hash that differs for each
// viewer. A page starts after the sort key of the previous page's last row, so that no
// member is repeated or skipped when others join meanwhile.
//
// A viewer is shown at most 600 different members a day, or fewer if many viewers of the
// network were shown more than 200. A page then contains only those
// who were shown before on this day, and Rest.NewPeopleAt is set.
//
// Errors: Invalid for a malformed cursor or one of other filters; NotFound for an unknown
// viewer; Unavailable before the index is loaded, and if ctx ends while the search waits.
func (s *Service) Search(ctx context.Context, viewer uuid.UUID, set FilterSet, page Page) ([]Candidate, Rest, error) {
	me, results, rest, err := s.rank(ctx, viewer, set, page)
	if err != nil {
		return nil, Rest{}, err
	}
	candidates, newPeopleAt, err := s.load(ctx, me, results)
	if rest.NewPeopleAt = newPeopleAt; newPeopleAt != nil && len(candidates) == 0 {
		rest.Cursor = "" // further pages would most likely be empty too
	}
	return candidates, rest, err
}

// load reads the cards of one page, each member's row once. It omits members who may no longer be shown, because the index may
// be older, and those whom the viewer may not see today because of shownPerDay. If it omits any of the latter, it returns the
// time from which they are shown.
//
// The limit counts members who are shown, so it needs to know who is visible. The cards are read by the same statement: to read
// the visible ids first would take a further round trip for each page, and save something only beyond the limit.
func (s *Service) load(ctx context.Context, me viewer, results []index.Result) (candidates []Candidate, newPeopleAt *time.Time, err error) {
	ids := make([]uuid.UUID, len(results))
	for i, result := range results {
		ids[i] = result.ID
	}
	visible, err := members.Candidates(ctx, s.pool, me.id, ids)
	if err != nil {
		return nil, nil, err
	}
	ids = slices.DeleteFunc(ids, func(id uuid.UUID) bool { _, isVisible := visible[id]; return !isVisible })
	if len(ids) == 0 {
		return []Candidate{}, nil, nil
	}
	allowed, err := s.shown.AllowFrom(ctx, s.pool, web.NetworkOf(ctx), me.id, ids)
	if err != nil {
		return nil, nil, err
	}
	if len(allowed) < len(ids) {
		newPeopleAt = new(limits.NextDay(time.Now()))
		ids = slices.DeleteFunc(ids, func(id uuid.UUID) bool { _, isAllowed := allowed[id]; return !isAllowed })
	}
	candidates = make([]Candidate, len(ids))
	for i, id := range ids {
		m := visible[id]
		candidates[i] = Candidate{
			CandidateCard: m.CandidateCard,
			ActiveToday:   m.WasActiveToday && !me.hidesActivity,
			IsNew:         m.IsNew,
			Compatibility: compat.Explain(me.person, person(m.Age, m.IntentionTags, m.Compared)),
		}
	}
	return candidates, newPeopleAt, nil
}

// Compatibility returns the compatibility of viewer and other. It counts as a view of the
// profile. Errors: NotFound if viewer may not see other; Invalid if they are the same;
// RateLimited like members.CountView.
func (s *Service) Compatibility(ctx context.Context, viewer, other uuid.UUID) (compat.Compatibility, error) {
	if viewer == other {
		return compat.Compatibility{}, fault.New(fault.Invalid, "Compatibility is between you and someone else.")
	}
	if err := members.CountView(ctx, s.pool, viewer, other, s.scale); err != nil {
		return compat.Compatibility{}, err
	}
	visible, err := selectPeople(ctx, s.pool, viewer, []uuid.UUID{viewer, other})
	if err != nil {
		return compat.Compatibility{}, err
	}
	them, isVisible := visible[other]
	if !isVisible {
		return compat.Compatibility{}, fault.New(fault.NotFound, "We could not find that.")
	}
	return compat.Explain(visible[viewer], them), nil
}
