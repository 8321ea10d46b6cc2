package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/discovery"
)

// nearWorker compares the day's counts of people with those from when members asked to be notified of more people nearby, and
// enqueues the notifications.
type nearWorker struct {
	river.WorkerDefaults[discovery.CheckWaitsArgs]
	pool *pgxpool.Pool
}

func (w *nearWorker) Work(ctx context.Context, _ *river.Job[discovery.CheckWaitsArgs]) error {
	return discovery.CheckWaits(ctx, w.pool, river.ClientFromContext[pgx.Tx](ctx), time.Now())
}

// addNear registers the workers that count and mail; addNotifications has the one that pushes.
func addNear(r *registry, pool *pgxpool.Pool, deps Deps) {
	addWorker(r, &nearWorker{pool: pool})
	addMail(r, pool, func(ctx context.Context, args discovery.NearMailArgs) error {
		return discovery.SendNearMail(ctx, pool, deps.Mail, deps.Site, args)
	})
}
