// Package messaging implements conversations of two members: their messages, and the marks
// up to which each member has received and read them.
//
// A message is committed, then published, then acknowledged. A device that misses the event
// gets the message by Sync.
package messaging

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/matching"
	"heartward/api/messaging/sendqueue"
	"heartward/api/platform/bus"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
)

// PageSize is the maximum number of rows that a call returns.
const PageSize = 50

// Service stores messages and receipts. It is safe for concurrent use.
type Service struct {
	pool           *pgxpool.Pool
	events         bus.Publisher
	jobs           jobqueue.Inserter
	matches        *matching.Service
	limit          *limits.Members // of messages
	searches       *limits.Members
	checks         *limits.Members
	changes        *limits.Members // reactions, deletions and answers to flags
	searchSlots    *searchSlots
	started        *startedCache
	devices        deviceCache
	guard          func(text string) string
	review         bool // external moderation classifies each text
	reviewPictures bool // and each picture and video
	queue          *sendqueue.Queue[write, written]
	pairs          pairCache
	onMilestone    func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error // nil if not set
}

// WatchMilestones sets a function that is called in the transaction of each message that starts a
// conversation, is the first reply in it, or is the first one 24 hours or more after the first
// reply, with the two members. It must be called before the service is used.
func (s *Service) WatchMilestones(fn func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error) {
	s.onMilestone = fn
}

// New returns a service; Start starts it. A member is limited to 30 messages and
// 20 searches in 10 s, 120 checks of a text a minute, and 60 changes (reactions, deletions,
// answers to flags) a minute. guard returns the category of a text before it is stored, or
// an empty string; see Unguarded. New panics if a dependency is nil.
func New(pool *pgxpool.Pool, events bus.Publisher, matches *matching.Service, jobs jobqueue.Inserter, guard func(text string) string) *Service {
	nilcheck.Must("messaging.New", nilcheck.Deps{"pool": pool, "events": events, "matches": matches, "jobs": jobs, "guard": guard})
	s := &Service{pool: pool, events: events, jobs: jobs, matches: matches, guard: guard}
	s.setLimits()
	s.queue = s.newQueue(queueCapacity)
	return s
}

// Unguarded is a guard that finds nothing in any text.
func Unguarded(string) string { return "" }

func (s *Service) setLimits() {
	s.limit = limits.NewMembers(30, 10*time.Second, "sending messages")
	s.searches = limits.NewMembers(20, 10*time.Second, "searching")
	s.checks = limits.NewMembers(120, time.Minute, "checking messages")
	s.changes = limits.NewMembers(60, time.Minute, "changing messages")
	s.searchSlots = newSearchSlots()
	s.started = &startedCache{}
}

// Start starts the send queue. Until then Send and SetReceipts wait.
func (s *Service) Start() { s.queue.Start() }

// Stop refuses further messages and receipts with Unavailable, and waits until all accepted
// ones are complete. It returns ctx's error if ctx ends first.
func (s *Service) Stop(ctx context.Context) error { return s.queue.Stop(ctx) }

// QueueStats returns the metrics of the send queue.
func (s *Service) QueueStats() sendqueue.Stats { return s.queue.Stats() }

// SetLimitClock makes the limits in memory use now as their clock. It is for tests, and must be
// called before Start.
func (s *Service) SetLimitClock(now func() time.Time) {
	for _, l := range []*limits.Members{s.limit, s.searches, s.checks, s.changes} {
		l.SetClock(now)
	}
}

// Unlimited removes the limits of messages, searches, changes and new
// conversations. It is for tests and measurements.
func (s *Service) Unlimited() *Service {
	s.limit, s.searches, s.changes, s.started = nil, nil, nil, nil
	return s
}
