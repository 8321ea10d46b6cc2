// Package messaging composes the messaging of two members from its rooms, the packages below it.
// Each has its own rules, SQL, operations and tests, and imports only those above it in this list:
//
//   - guard classifies a text; sendqueue lets writes share commits. Neither knows messages.
//   - conversations owns the table conversations: the list, sync, settings of a side, the end.
//   - messages owns the table messages: sending, receipts, reactions, deletion, counts.
//   - requests sends the one text to a member without a match, and answers it.
//   - flags asks before a text is sent and after it was received whether it bothers.
//   - search finds messages by a text.
//   - unread reads what a member has not read, for the notifications.
//
// This package has what concerns the tables as a whole: export, deletion of an account and
// retention. Package messagingtest is for the tests of all rooms, and plantest for those of plans.
package messaging

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/matching"
	"heartward/api/messaging/conversations"
	"heartward/api/messaging/flags"
	"heartward/api/messaging/messages"
	"heartward/api/messaging/requests"
	"heartward/api/messaging/search"
	"heartward/api/platform/bus"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/web"
)

// Service has the service of each room.
type Service struct {
	Conversations *conversations.Service
	Messages      *messages.Service
	Requests      *requests.Service
	Flags         *flags.Service
	Search        *search.Service
}

// New returns a service; Start starts it. guard returns the category of a text before it is
// stored, or an empty string; see messages.Unguarded. New panics if a dependency is nil.
func New(pool *pgxpool.Pool, events bus.Publisher, matches *matching.Service, jobs jobqueue.Inserter, guard func(text string) string) *Service {
	s := &Service{
		Conversations: conversations.New(pool, events, matches),
		Messages:      messages.New(pool, events, jobs, guard),
		Search:        search.New(pool),
	}
	s.Requests = requests.New(pool, s.Conversations, s.Messages)
	s.Flags = flags.New(pool, s.Messages)
	return s
}

// Register adds the operations of all rooms.
func Register(api web.API, s *Service) {
	search.Register(api, s.Search) // first, because /api/messages/search must precede /api/messages/{otherId}
	requests.Register(api, s.Requests)
	conversations.Register(api, s.Conversations)
	messages.Register(api, s.Messages)
	flags.Register(api, s.Flags)
}

// Start starts the send queue. Until then messages and receipts wait.
func (s *Service) Start() { s.Messages.Start() }

// Stop refuses further messages and receipts with Unavailable, and waits until all accepted
// ones are complete. It returns ctx's error if ctx ends first.
func (s *Service) Stop(ctx context.Context) error { return s.Messages.Stop(ctx) }

// SetLimitClock makes the limits in memory use now as their clock. It is for tests, and must be
// called before Start.
func (s *Service) SetLimitClock(now func() time.Time) {
	s.Messages.SetLimitClock(now)
	s.Search.SetLimitClock(now)
	s.Flags.SetLimitClock(now)
}

// Unlimited removes the limits of messages, searches, changes and new conversations. It is for
// tests and measurements. It returns s.
func (s *Service) Unlimited() *Service {
	s.Messages.Unlimited()
	s.Search.Unlimited()
	return s
}
