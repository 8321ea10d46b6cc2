package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/matching"
	"heartward/api/notifications"
)

// notifyLikesWorker looks whether a member is to be told of new likes.
type notifyLikesWorker struct {
	river.WorkerDefaults[matching.NotifyLikesArgs]
	pool *pgxpool.Pool
	s    *notifications.Service
}

// Work decides, enqueues the pushes and completes the job in one transaction.
func (w *notifyLikesWorker) Work(ctx context.Context, job *river.Job[matching.NotifyLikesArgs]) error {
	return decide(ctx, w.pool, job, func(tx pgx.Tx, client *Client) (time.Duration, error) {
		return w.s.NotifyLikes(ctx, tx, client, job.Args)
	})
}

// pushNewsWorker tells one device of news.
type pushNewsWorker struct {
	river.WorkerDefaults[notifications.NewsArgs]
	s *notifications.Service
}

// NextRetry is as of other pushes.
func (w *pushNewsWorker) NextRetry(job *river.Job[notifications.NewsArgs]) time.Time {
	return nextPush(job.Attempt)
}

func (w *pushNewsWorker) Work(ctx context.Context, job *river.Job[notifications.NewsArgs]) error {
	result, err := w.s.DeliverNews(ctx, job.Args)
	if err != nil {
		return err
	}
	return outcome(ctx, result)
}
