package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/messaging"
	"heartward/api/notifications"
	"heartward/push"
)

// notifyWorker looks whether a receiver is to be told of new messages.
type notifyWorker struct {
	river.WorkerDefaults[messaging.NotifyArgs]
	pool *pgxpool.Pool
	s    *notifications.Service
}

// Work decides, enqueues the pushes and completes the job in one transaction.
func (w *notifyWorker) Work(ctx context.Context, job *river.Job[messaging.NotifyArgs]) error {
	return decide(ctx, w.pool, job, func(tx pgx.Tx, client *Client) (time.Duration, error) {
		return w.s.Notify(ctx, tx, client, job.Args, job.CreatedAt)
	})
}

// decide runs a decision and completes its job in one transaction, or has it
// asked again after the wait it answers with.
func decide[T river.JobArgs](ctx context.Context, pool *pgxpool.Pool, job *river.Job[T], decision func(pgx.Tx, *Client) (time.Duration, error)) error {
	var wait time.Duration
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) (err error) {
		if wait, err = decision(tx, river.ClientFromContext[pgx.Tx](ctx)); err != nil || wait > 0 {
			return err
		}
		_, err = river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
	if err == nil && wait > 0 {
		return river.JobSnooze(min(wait, lookAgain))
	}
	return err
}

// lookAgain is how long a decision sleeps at most. Whoever changes their quiet
// hours wakes it, unless it was just about to sleep.
const lookAgain = 15 * time.Minute

// pushWorker sends one push to one device.
type pushWorker struct {
	river.WorkerDefaults[notifications.PushArgs]
	s *notifications.Service
}

// NextRetry tries again after half a minute, then twice as long each time.
func (w *pushWorker) NextRetry(job *river.Job[notifications.PushArgs]) time.Time {
	return nextPush(job.Attempt)
}

func nextPush(attempt int) time.Time { return time.Now().Add(15 * time.Second << min(attempt, 12)) }

func (w *pushWorker) Work(ctx context.Context, job *river.Job[notifications.PushArgs]) error {
	result, err := w.s.Deliver(ctx, job.Args)
	if err != nil {
		return err
	}
	return outcome(ctx, result)
}

// outcome fits what came of a push to the queue.
func outcome(ctx context.Context, result push.Result) error {
	switch result.Outcome {
	case push.Sent, push.Gone, push.Invalid:
		return nil
	case push.Later:
		if result.RetryAfter > 0 {
			return river.JobSnooze(result.RetryAfter)
		}
		if result.Err != nil {
			return result.Err
		}
		return errors.New("the push service is not to be had")
	case push.OurKey:
		slog.ErrorContext(ctx, "the push service refuses our VAPID key", "status", result.Status, "error", result.Err)
	}
	return river.JobCancel(fmt.Errorf("push not sent: %s: %w", result.Outcome, result.Err))
}
