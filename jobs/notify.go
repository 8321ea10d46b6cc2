package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/matching"
	"heartward/api/messaging/messages"
	"heartward/api/notifications"
	"heartward/api/platform/jobqueue"
)

// notifyWorker decides whether to notify members of an event, and enqueues the
// pushes.
type notifyWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	pool   *pgxpool.Pool
	notify notifyFunc[T]
}

// notifyFunc returns how long to wait before the next call, or zero if the job is done.
type notifyFunc[T river.JobArgs] func(context.Context, pgx.Tx, *Client, *river.Job[T]) (time.Duration, error)

// Work calls the function and completes the job in one transaction, or snoozes it.
func (w *notifyWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	var wait time.Duration
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) (err error) {
		if wait, err = w.notify(ctx, tx, river.ClientFromContext[pgx.Tx](ctx), job); err != nil || wait > 0 {
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

func addNotify[T river.JobArgs](r *registry, pool *pgxpool.Pool, notify notifyFunc[T]) {
	addUrgent(r, &notifyWorker[T]{pool: pool, notify: notify})
}

// addPrompt is addNotify for a function that never waits.
func addPrompt[T river.JobArgs](r *registry, pool *pgxpool.Pool, notify func(context.Context, pgx.Tx, jobqueue.Inserter, T) error) {
	addNotify(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[T]) (time.Duration, error) {
		return 0, notify(ctx, tx, jobs, job.Args)
	})
}

// addNotifications registers the workers of the events that may cause a push:
// messages, matches, likes, graduations, the community board, badges, friends who join, requests of matches and partners,
// date reminders, and more people nearby.
func addNotifications(r *registry, pool *pgxpool.Pool, s *notifications.Service) {
	addNotify(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[messages.NotifyArgs]) (time.Duration, error) {
		return s.NotifyMessages(ctx, tx, jobs, job.Args, job.CreatedAt)
	})
	addPrompt(r, pool, s.NotifyMatch)
	addNotify(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[matching.NotifyLikesArgs]) (time.Duration, error) {
		return s.NotifyLikes(ctx, tx, jobs, job.Args)
	})
	addPrompt(r, pool, s.NotifyGraduation)
	addPrompt(r, pool, s.NotifyCommunity)
	addPrompt(r, pool, s.NotifyBadge)
	addPrompt(r, pool, s.NotifyReferral)
	addPrompt(r, pool, s.NotifyConsent)
	addPrompt(r, pool, s.NotifyTogether)
	addPrompt(r, pool, s.RemindOfDate)
	addPrompt(r, pool, s.NotifyNear)
}
