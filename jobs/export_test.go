package jobs

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Queues exports queues for tests.
var Queues = queues

// UrgentKinds returns the kinds of jobs that are taken over.
func UrgentKinds() []string { return register(nil, Deps{}).urgent }

// TakeOver takes over the urgent jobs of clients that are gone, once.
func TakeOver(ctx context.Context, pool *pgxpool.Pool, goneAfter time.Duration) (int64, error) {
	return (&takeover{pool: pool, kinds: UrgentKinds(), goneAfter: goneAfter}).takeOver(ctx)
}

// ExpiredTables returns the tables of the list of expired rows, each once.
func ExpiredTables() []string {
	var tables []string
	for _, e := range expired {
		if !slices.Contains(tables, e.table) {
			tables = append(tables, e.table)
		}
	}
	return tables
}
