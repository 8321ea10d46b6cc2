package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/matching"
	"heartward/api/notifications"
)

// notifyMatchWorker looks whether a member is to be told of a new match.
type notifyMatchWorker struct {
	river.WorkerDefaults[matching.NotifyMatchArgs]
	pool *pgxpool.Pool
	s    *notifications.Service
}

// Work decides, enqueues the pushes and completes the job in one transaction.
func (w *notifyMatchWorker) Work(ctx context.Context, job *river.Job[matching.NotifyMatchArgs]) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if err := w.s.NotifyMatch(ctx, tx, river.ClientFromContext[pgx.Tx](ctx), job.Args); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
}

// pushMatchWorker tells one device of a match.
type pushMatchWorker struct {
	river.WorkerDefaults[notifications.MatchPushArgs]
	s *notifications.Service
}

// NextRetry is as of other pushes.
func (w *pushMatchWorker) NextRetry(job *river.Job[notifications.MatchPushArgs]) time.Time {
	return nextPush(job.Attempt)
}

func (w *pushMatchWorker) Work(ctx context.Context, job *river.Job[notifications.MatchPushArgs]) error {
	result, err := w.s.DeliverMatch(ctx, job.Args)
	if err != nil {
		return err
	}
	return outcome(ctx, result)
}
