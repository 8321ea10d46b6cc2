// Package messages implements the messages of conversations: they are sent, listed, answered by
// reactions, deleted, and marked as received and read. It owns the table messages, and in the
// table conversations the columns that it counts for each message: seqs, marks of receipts,
// revs and sparks.
//
// A message is committed, then published, then acknowledged. A device that misses the event
// gets the message by the sync of package conversations.
package messages

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/messaging/sendqueue"
	"heartward/api/platform/bus"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
)

// Service stores messages and receipts. It is safe for concurrent use.
type Service struct {
	pool           *pgxpool.Pool
	events         bus.Publisher
	jobs           jobqueue.Inserter
	limit          *limits.Members // of messages
	changes        *limits.Members // reactions, deletions and answers to flags
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

// New returns a service; Start starts it. A member is limited to 30 messages in 10 s and 60
// changes (reactions, deletions, answers to flags) a minute. guard returns the category of a
// text before it is stored, or an empty string; see Unguarded. New panics if a dependency is
// nil.
func New(pool *pgxpool.Pool, events bus.Publisher, jobs jobqueue.Inserter, guard func(text string) string) *Service {
	nilcheck.Must("messages.New", nilcheck.Deps{"pool": pool, "events": events, "jobs": jobs, "guard": guard})
	s := &Service{pool: pool, events: events, jobs: jobs, guard: guard, started: &startedCache{}}
	s.limit = limits.NewMembers(30, 10*time.Second, limits.SendingMessages)
	s.changes = limits.NewMembers(60, time.Minute, limits.ChangingMessages)
	s.queue = s.newQueue(queueCapacity)
	return s
}

// Unguarded is a guard that finds nothing in any text.
func Unguarded(string) string { return "" }

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
	s.limit.SetClock(now)
	s.changes.SetClock(now)
}

// Unlimited removes the limits of messages, changes and new conversations. It is for tests and
// measurements.
func (s *Service) Unlimited() { s.limit, s.changes, s.started = nil, nil, nil }
