package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/badges"
	"heartward/api/moments"
	"heartward/api/platform/pg"
)

// changeWorker changes something of a member, and then publishes the change to the member's devices.
type changeWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	pool     *pgxpool.Pool
	change   func(ctx context.Context, tx pgx.Tx, args T) (isChanged bool, err error)
	announce func(args T)
}

// Work changes it and completes the job in one transaction. It announces the change after the commit.
func (w *changeWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	isChanged, err := pg.Tx(ctx, w.pool, func(tx pgx.Tx) (isChanged bool, err error) {
		if isChanged, err = w.change(ctx, tx, job.Args); err != nil {
			return false, err
		}
		_, err = river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return isChanged, err
	})
	if err == nil && isChanged {
		w.announce(job.Args)
	}
	return err
}

// addChanges registers the workers that award badges and make moments.
func addChanges(r *registry, pool *pgxpool.Pool, b *badges.Service, m *moments.Service) {
	addWorker(r, &changeWorker[badges.CheckArgs]{
		pool: pool, change: b.Award, announce: func(args badges.CheckArgs) { b.Announce(args.MemberID) },
	})
	addWorker(r, &changeWorker[moments.MakeArgs]{
		pool: pool, change: m.Make, announce: func(args moments.MakeArgs) { m.Announce(args.MemberID) },
	})
}
