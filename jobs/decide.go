package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/dates"
	"heartward/api/matching"
	"heartward/api/messaging"
	"heartward/api/notifications"
)

// decisionWorker looks whether members are to be told of something, and
// enqueues the pushes.
type decisionWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	pool   *pgxpool.Pool
	decide decision[T]
}

// decision answers with how long to wait and ask again; zero means done.
type decision[T river.JobArgs] func(context.Context, pgx.Tx, *Client, *river.Job[T]) (time.Duration, error)

// Work decides, enqueues the pushes and completes the job in one transaction,
// or has it asked again later.
func (w *decisionWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	var wait time.Duration
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) (err error) {
		if wait, err = w.decide(ctx, tx, river.ClientFromContext[pgx.Tx](ctx), job); err != nil || wait > 0 {
			return err
		}
		_, err = river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
	if err == nil && wait > 0 {
		return river.JobSnooze(wait)
	}
	return err
}

func addDecision[T river.JobArgs](r *registry, pool *pgxpool.Pool, decide decision[T]) {
	addWorker(r, &decisionWorker[T]{pool: pool, decide: decide})
}

// addDecisions adds what may lead to a push: messages, matches, likes and dates
// that are near.
func addDecisions(r *registry, pool *pgxpool.Pool, s *notifications.Service) {
	addDecision(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[messaging.NotifyArgs]) (time.Duration, error) {
		return s.Notify(ctx, tx, jobs, job.Args, job.CreatedAt)
	})
	addDecision(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[matching.NotifyMatchArgs]) (time.Duration, error) {
		return 0, s.NotifyMatch(ctx, tx, jobs, job.Args)
	})
	addDecision(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[matching.NotifyLikesArgs]) (time.Duration, error) {
		return s.NotifyLikes(ctx, tx, jobs, job.Args)
	})
	addDecision(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[dates.ReminderArgs]) (time.Duration, error) {
		return 0, s.RemindOfDate(ctx, tx, jobs, job.Args)
	})
}
