package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/deletion"
	"heartward/api/platform/feature"
)

// deleteWorker deletes an account that is due.
type deleteWorker struct {
	river.WorkerDefaults[deletion.DeleteArgs]
	pool       *pgxpool.Pool
	departures deletion.Departures
	data       []feature.Data
}

func (w *deleteWorker) Work(ctx context.Context, job *river.Job[deletion.DeleteArgs]) error {
	return runInParts(ctx, func(ctx context.Context) error {
		return deletion.Delete(ctx, w.pool, river.ClientFromContext[pgx.Tx](ctx), w.departures, w.data, job.Args.MemberID)
	})
}

// addDeletion registers the workers of the deletion of accounts: it is announced and confirmed by mail.
func addDeletion(r *registry, pool *pgxpool.Pool, deps Deps) {
	addWorker(r, &deleteWorker{pool: pool, departures: deps.Moderation, data: deps.Data})
	addMail(r, pool, func(ctx context.Context, args deletion.AnnounceArgs) error {
		return deletion.SendAnnouncement(ctx, pool, deps.Mail, args)
	})
	addMail(r, pool, func(ctx context.Context, args deletion.ConfirmArgs) error {
		return deletion.SendConfirmation(ctx, deps.Mail, args)
	})
}
