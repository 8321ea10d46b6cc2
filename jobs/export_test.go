package jobs

import (
	"context"
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
