package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/auth"
)

// adminNoticeWorker mails an admin about an event of another admin. It is a mailWorker whose mail has the id of the job.
type adminNoticeWorker struct {
	river.WorkerDefaults[auth.AdminNoticeArgs]
	pool *pgxpool.Pool
	auth *auth.Service
}

// Work completes the job immediately after the mail was sent, as mailWorker does.
func (w *adminNoticeWorker) Work(ctx context.Context, job *river.Job[auth.AdminNoticeArgs]) error {
	if err := w.auth.SendAdminNotice(ctx, job.Args, job.ID); err != nil {
		return err
	}
	return complete(ctx, w.pool, job)
}

// emailWaitWorker continues the wait for another address.
type emailWaitWorker struct {
	river.WorkerDefaults[auth.EmailWaitArgs]
	auth *auth.Service
}

// Work runs one day of the wait. A repetition does nothing.
func (w *emailWaitWorker) Work(ctx context.Context, job *river.Job[auth.EmailWaitArgs]) error {
	return w.auth.ContinueEmailWait(ctx, job.Args)
}

// addEmailChange registers the workers of changes of addresses.
func addEmailChange(r *registry, pool *pgxpool.Pool, service *auth.Service) {
	addMail(r, pool, service.SendEmailCode)
	addMail(r, pool, service.SendEmailChanged)
	addMail(r, pool, service.SendEmailUndone)
	addWorker(r, &emailWaitWorker{auth: service})
}

// endedWorker closes the sockets of sessions that a process without the bus has ended.
type endedWorker struct {
	river.WorkerDefaults[auth.EndedArgs]
	auth *auth.Service
}

// Work publishes the sessions on the bus of this process, which all serving nodes receive.
func (w *endedWorker) Work(_ context.Context, job *river.Job[auth.EndedArgs]) error {
	w.auth.PublishEndedJob(job.Args)
	return nil
}
