package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Workers is a client that runs jobs. It also takes over the urgent jobs of clients that are
// gone, much sooner than River, which waits until a job is older than any job may run.
type Workers struct {
	*Client
	takeover *takeover
	loop     sync.WaitGroup
}

// Start inserts the client's row in job_clients, so that no other client takes over its jobs, and
// then starts the client. It runs until ctx ends or Stop is called.
func (w *Workers) Start(ctx context.Context) error {
	if err := w.takeover.renew(ctx); err != nil {
		return err
	}
	if err := w.Client.Start(ctx); err != nil {
		return err
	}
	w.loop.Go(func() { w.takeover.run(w.Stopped()) })
	return nil
}

// Stop waits for running jobs, and cancels them after 10 s.
func (w *Workers) Stop(ctx context.Context) error {
	if err := w.Client.Stop(ctx); err != nil {
		return err // jobs still run; another client takes them over when the row is old
	}
	w.loop.Wait()
	w.takeover.leave(ctx)
	return nil
}

// defaultGoneAfter is the time after which a client that no longer renews its row counts as
// gone. A third of it later, at most, another one has taken over its urgent jobs.
const defaultGoneAfter = 30 * time.Second

// takeover renews the row of a client and takes over the urgent jobs of others.
type takeover struct {
	pool      *pgxpool.Pool
	client    string   // River's id of the client
	kinds     []string // of urgent jobs, which may run twice
	goneAfter time.Duration
	renewed   time.Time // when the row was last renewed
}

// run renews the row and takes over jobs until stopped is closed.
func (t *takeover) run(stopped <-chan struct{}) {
	ctx := context.Background()
	ticker := time.NewTicker(t.goneAfter / 3)
	defer ticker.Stop()
	for {
		select {
		case <-stopped:
			return
		case <-ticker.C:
		}
		if err := t.round(ctx); err != nil {
			slog.WarnContext(ctx, "urgent jobs of stopped workers could not be taken over", "error", err)
		}
	}
}

// round renews the row and takes over jobs. When renewals were missed, as while PostgreSQL was
// down, the rows of the others are old too, so this round leaves them time to renew theirs.
func (t *takeover) round(ctx context.Context) error {
	interrupted := time.Since(t.renewed) > t.goneAfter/2
	ctx, cancel := context.WithTimeout(ctx, t.goneAfter)
	defer cancel()
	if err := t.renew(ctx); err != nil || interrupted {
		return err
	}
	taken, err := t.takeOver(ctx)
	if taken > 0 {
		slog.InfoContext(ctx, "took over urgent jobs of a worker that is gone", "jobs", taken)
	}
	return err
}

func (t *takeover) renew(ctx context.Context) error {
	_, err := t.pool.Exec(ctx, `
		INSERT INTO job_clients (id, seen_at)
		VALUES ($1, now())
		ON CONFLICT (id) DO UPDATE
		SET seen_at = EXCLUDED.seen_at`, t.client)
	if err == nil {
		t.renewed = time.Now()
	}
	return err
}

// leave removes the row of this client. Without it the row is removed by another client.
func (t *takeover) leave(ctx context.Context) {
	if _, err := t.pool.Exec(ctx, `DELETE FROM job_clients WHERE id = $1`, t.client); err != nil {
		slog.WarnContext(ctx, "the row of a stopped worker was not removed", "error", err)
	}
}

// takeOver makes the urgent jobs of clients that are gone available, and returns their number.
// It leaves to River the jobs that must not run again: those that were cancelled, and those
// whose attempts are used up, because such a job may be what kills the process.
func (t *takeover) takeOver(ctx context.Context) (taken int64, err error) {
	if _, err := t.pool.Exec(ctx, `DELETE FROM job_clients WHERE seen_at < now() - $1::interval`, t.goneAfter); err != nil {
		return 0, err
	}
	tag, err := t.pool.Exec(ctx, `
		UPDATE river_job
		SET state = 'available',
			scheduled_at = now(),
			errors = array_append(errors, jsonb_build_object(
				'at', now(),
				'attempt', attempt,
				'error', 'the worker is gone',
				'trace', ''
			))
		WHERE state = 'running'
			AND kind = ANY ($1)
			AND attempt < max_attempts
			AND attempted_at < now() - $2::interval
			AND NOT metadata ? 'cancel_attempted_at'
			AND NOT EXISTS (
				SELECT
				FROM job_clients c
				WHERE c.id = attempted_by[array_length(attempted_by, 1)]
			)`, t.kinds, t.goneAfter)
	return tag.RowsAffected(), err
}
