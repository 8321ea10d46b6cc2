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

// badgesWorker awards a member what an event has earned.
type badgesWorker struct {
	river.WorkerDefaults[badges.CheckArgs]
	pool *pgxpool.Pool
	s    *badges.Service
}

// Work awards and completes the job in one transaction, and then tells the member's devices.
func (w *badgesWorker) Work(ctx context.Context, job *river.Job[badges.CheckArgs]) error {
	changed, err := pg.Tx(ctx, w.pool, func(tx pgx.Tx) (changed bool, err error) {
		if changed, err = w.s.Award(ctx, tx, job.Args); err != nil {
			return false, err
		}
		_, err = river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return changed, err
	})
	if err == nil && changed {
		w.s.Announce(job.Args.MemberID)
	}
	return err
}

// momentsWorker makes a moment of what has happened to a member.
type momentsWorker struct {
	river.WorkerDefaults[moments.MakeArgs]
	pool *pgxpool.Pool
	s    *moments.Service
}

// Work makes the moment and completes the job in one transaction, and then tells the member's devices.
func (w *momentsWorker) Work(ctx context.Context, job *river.Job[moments.MakeArgs]) error {
	made, err := pg.Tx(ctx, w.pool, func(tx pgx.Tx) (made bool, err error) {
		if made, err = w.s.Make(ctx, tx, job.Args); err != nil {
			return false, err
		}
		_, err = river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return made, err
	})
	if err == nil && made {
		w.s.Announce(job.Args.MemberID)
	}
	return err
}
