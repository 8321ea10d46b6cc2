package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/media"
	"heartward/api/platform/blobs"
	"heartward/api/platform/feature"
)

// CleanupArgs is the job that deletes expired rows and files.
type CleanupArgs struct{}

// Kind returns the name of the job.
func (CleanupArgs) Kind() string { return "cleanup" }

// InsertOpts make the job unique.
func (CleanupArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: 5 * time.Minute}}
}

// cleanupWorker deletes in small batches, each in its own transaction, so that locks
// are short and an interruption loses nothing.
type cleanupWorker struct {
	river.WorkerDefaults[CleanupArgs]
	pool  *pgxpool.Pool
	blobs *blobs.Service
	media *media.Service
	data  []feature.Data
}

const (
	cleanupBatch   = 1000             // rows
	endedBatch     = 100              // things with rows in several tables
	uploadsTimeout = 20 * time.Second // for expired uploads, which leaves time for blobs
)

// Work runs all steps, even if one fails, and returns the joined errors.
func (w *cleanupWorker) Work(ctx context.Context, _ *river.Job[CleanupArgs]) error {
	// Blobs are last, because their store may be unavailable while the database is available.
	return errors.Join(w.deleteExpired(ctx), w.deleteEnded(ctx), w.removeUploads(ctx), w.removeBlobs(ctx))
}

// deleteExpired deletes the features' rows whose retention has ended.
func (w *cleanupWorker) deleteExpired(ctx context.Context) error {
	for _, part := range w.data {
		for _, rows := range part.Expired {
			if err := w.deleteRows(ctx, rows); err != nil {
				return fmt.Errorf("cleaning up %s: %w", rows.Table, err)
			}
		}
	}
	return nil
}

// deleteRows leaves locked rows for the next run.
func (w *cleanupWorker) deleteRows(ctx context.Context, rows feature.Expired) error {
	sql := fmt.Sprintf(`DELETE FROM %[1]s WHERE ctid = ANY (ARRAY(
		SELECT ctid FROM %[1]s WHERE %[2]s LIMIT %[3]d FOR UPDATE SKIP LOCKED))`, rows.Table, rows.Where, cleanupBatch)
	for {
		tag, err := w.pool.Exec(ctx, sql)
		if err != nil || tag.RowsAffected() < cleanupBatch {
			return err
		}
	}
}

// deleteEnded runs the features' other functions for data whose retention has ended.
func (w *cleanupWorker) deleteEnded(ctx context.Context) error {
	for _, part := range w.data {
		for _, ended := range part.Ended {
			if err := w.runUntilNone(ctx, ended); err != nil {
				return fmt.Errorf("cleaning up %s: %w", ended.What, err)
			}
		}
	}
	return nil
}

func (w *cleanupWorker) runUntilNone(ctx context.Context, ended feature.Ended) error {
	for {
		n, err := ended.Run(ctx, w.pool, endedBatch)
		if err != nil || n < endedBatch {
			return err
		}
	}
}

func (w *cleanupWorker) removeUploads(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, uploadsTimeout)
	defer cancel()
	if _, err := w.media.RemoveExpired(ctx); err != nil {
		return fmt.Errorf("removing expired uploads: %w", err)
	}
	return nil
}

func (w *cleanupWorker) removeBlobs(ctx context.Context) error {
	if _, err := w.blobs.RemoveDue(ctx); err != nil {
		return fmt.Errorf("removing blobs: %w", err)
	}
	return nil
}
