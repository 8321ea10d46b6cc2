// Package conversations implements conversations of two members, as each of them sees and
// arranges them: the list, the changes for the devices' sync, the settings of one side, and
// the end. It owns the table conversations, apart from what package messages counts in it
// for each message (seqs, marks of receipts, revs, sparks) and what package unread marks.
package conversations

import (
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/matching"
	"heartward/api/platform/bus"
	"heartward/api/platform/nilcheck"
)

// Service lists and changes conversations. It is safe for concurrent use.
type Service struct {
	pool    *pgxpool.Pool
	events  bus.Publisher
	matches *matching.Service
}

// New returns a service. It panics if a dependency is nil.
func New(pool *pgxpool.Pool, events bus.Publisher, matches *matching.Service) *Service {
	nilcheck.Must("conversations.New", nilcheck.Deps{"pool": pool, "events": events, "matches": matches})
	return &Service{pool: pool, events: events, matches: matches}
}
