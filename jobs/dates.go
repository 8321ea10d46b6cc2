package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/dates"
	"heartward/api/notifications"
)

// remindDateWorker reminds both members of a date that is near.
type remindDateWorker struct {
	river.WorkerDefaults[dates.ReminderArgs]
	pool *pgxpool.Pool
	s    *notifications.Service
}

// Work enqueues the pushes and completes the job in one transaction.
func (w *remindDateWorker) Work(ctx context.Context, job *river.Job[dates.ReminderArgs]) error {
	return decide(ctx, w.pool, job, func(tx pgx.Tx, client *Client) (time.Duration, error) {
		return 0, w.s.RemindOfDate(ctx, tx, client, job.Args)
	})
}
