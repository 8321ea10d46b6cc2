package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/deletion"
	"heartward/api/platform/feature"
	"heartward/api/platform/mail"
)

// deleteWorker deletes an account that is due.
type deleteWorker struct {
	river.WorkerDefaults[deletion.DeleteArgs]
	pool       *pgxpool.Pool
	departures deletion.Departures
	data       []feature.Data
}

// deletionTime is the time after which a run stops. The next one continues.
const deletionTime = 40 * time.Second

func (w *deleteWorker) Work(ctx context.Context, job *river.Job[deletion.DeleteArgs]) error {
	run, cancel := context.WithTimeout(ctx, deletionTime)
	defer cancel()
	err := deletion.Delete(run, w.pool, river.ClientFromContext[pgx.Tx](ctx), w.departures, w.data, job.Args.MemberID)
	if err != nil && run.Err() != nil && ctx.Err() == nil {
		return river.JobSnooze(time.Second)
	}
	return err
}

// announceWorker mails a member when the account will be deleted. It completes the job like
// warnWorker.
type announceWorker struct {
	river.WorkerDefaults[deletion.AnnounceArgs]
	pool *pgxpool.Pool
	mail mail.Sender
}

func (w *announceWorker) Work(ctx context.Context, job *river.Job[deletion.AnnounceArgs]) error {
	if err := deletion.SendAnnouncement(ctx, w.pool, w.mail, job.Args); err != nil {
		return err
	}
	return complete(ctx, w.pool, job)
}

// confirmWorker mails a former member that the account was deleted. It completes the job like
// warnWorker.
type confirmWorker struct {
	river.WorkerDefaults[deletion.ConfirmArgs]
	pool *pgxpool.Pool
	mail mail.Sender
}

func (w *confirmWorker) Work(ctx context.Context, job *river.Job[deletion.ConfirmArgs]) error {
	if err := deletion.SendConfirmation(ctx, w.mail, job.Args); err != nil {
		return err
	}
	return complete(ctx, w.pool, job)
}
