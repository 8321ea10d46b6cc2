// Package admin has the list of members, the settings and the figures that admins work with.
// Decisions about reports, flags and members are in package moderation, with the audit log.
package admin

import (
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/bus"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/nilcheck"
)

// Service reads members and figures, and changes settings, for admins. It is safe for
// concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	events Bus
	jobs   jobqueue.Inserter
	site   siteCache

	jobPages func() string // returns the address of the page that opens the job pages, "" while there is none
}

// Bus carries the changes of the settings to all nodes.
type Bus interface {
	bus.Publisher
	Subscribe(subject string, fn func(data []byte)) (unsubscribe func())
}

// New returns a Service that drops its cache of the settings when any node changes
// them, for which it subscribes to events until they close, and enqueues jobs. It panics when a
// dependency is nil.
func New(pool *pgxpool.Pool, events Bus, jobs jobqueue.Inserter) *Service {
	nilcheck.Must("admin.New", nilcheck.Deps{"pool": pool, "events": events, "jobs": jobs})
	s := &Service{pool: pool, events: events, jobs: jobs}
	events.Subscribe(siteSubject, func([]byte) { s.site.drop() })
	return s
}
