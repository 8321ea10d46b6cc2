package jobs

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"heartward/api/delivery"
	"heartward/api/platform/mail"
)

// mailRetries decides when a job whose mail was not accepted runs again. It is in front of the workers of all jobs, because
// those of many features send mails.
type mailRetries struct{ river.MiddlewareDefaults }

// Work runs the job.
func (*mailRetries) Work(ctx context.Context, job *rivertype.JobRow, doInner func(context.Context) error) error {
	return retryMail(ctx, job, doInner(ctx), time.Now())
}

// maxUnknown is the number of attempts of a mail that the server may have accepted.
const maxUnknown = 3

// retryMail returns the error by which River ends or repeats a job that failed to send a mail. A mail that was refused for good,
// or is older than delivery.Lifetime, ends the job. A mail that was not accepted for now snoozes it, which uses no attempt. A
// mail that may have been accepted is sent at most maxUnknown times. Other errors are returned as they are.
func retryMail(ctx context.Context, job *rivertype.JobRow, err error, now time.Time) error {
	var unsent *mail.UnsentError
	var unknown *mail.UnknownError
	age := now.Sub(job.CreatedAt)
	switch {
	case errors.As(err, &unsent) && (unsent.Permanent || age > delivery.Lifetime):
		slog.InfoContext(ctx, "a mail was not accepted, and is not sent again", "job", job.ID, "kind", job.Kind,
			"outcome", string(unsent.Outcome), "status", unsent.Answer.Status)
		return river.JobCancel(err)
	case unsent != nil:
		return river.JobSnooze(max(unsent.Wait, mailBackoff(age)))
	case errors.As(err, &unknown) && job.Attempt >= maxUnknown:
		return river.JobCancel(err)
	}
	return err
}

// mailBackoff returns the time until the next attempt of a mail of an age: half the age, from 30 seconds to 2 hours, and up to
// a quarter more, so that mails which were refused together are not sent together.
func mailBackoff(age time.Duration) time.Duration {
	pause := min(max(age/2, 30*time.Second), 2*time.Hour)
	return pause + rand.N(pause/4)
}

// mailWorker sends one mail.
type mailWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	pool *pgxpool.Pool
	send func(ctx context.Context, args T) error
}

// Work completes the job immediately after the mail was sent, not in River's next batch of
// completions. Only a crash in between sends the mail twice.
func (w *mailWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	if err := w.send(ctx, job.Args); err != nil {
		return err
	}
	return complete(ctx, w.pool, job)
}

// addMail registers a worker that sends one mail by send.
func addMail[T river.JobArgs](r *registry, pool *pgxpool.Pool, send func(ctx context.Context, args T) error) {
	addWorker(r, &mailWorker[T]{pool: pool, send: send})
}

// addUrgentMail is addMail for a mail whose job is urgent.
func addUrgentMail[T river.JobArgs](r *registry, pool *pgxpool.Pool, send func(ctx context.Context, args T) error) {
	addUrgent(r, &mailWorker[T]{pool: pool, send: send})
}

// complete completes a job in a transaction of its own.
func complete[T river.JobArgs](ctx context.Context, pool *pgxpool.Pool, job *river.Job[T]) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
}
