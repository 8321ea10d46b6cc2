package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/auth"
)

// noticeWorker mails a notice about a sign-in or a password.
type noticeWorker struct {
	river.WorkerDefaults[auth.NoticeArgs]
	pool *pgxpool.Pool
	auth *auth.Service
}

// Work completes the job immediately after the mail was sent, as the worker of warnings
// does.
func (w *noticeWorker) Work(ctx context.Context, job *river.Job[auth.NoticeArgs]) error {
	if err := w.auth.SendNotice(ctx, job.Args); err != nil {
		return err
	}
	return complete(ctx, w.pool, job)
}
