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
	"heartward/api/platform/pg"
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
	cleanupBatch   = 1000             // rows in a transaction
	endedBatch     = 100              // units in a transaction of a feature's own function, which may have rows in several tables
	uploadsTimeout = 20 * time.Second // for expired uploads, which leaves time for blobs
)

// Work runs all steps, even if one fails, and returns the joined errors.
func (w *cleanupWorker) Work(ctx context.Context, _ *river.Job[CleanupArgs]) error {
	_, err := CleanUp(ctx, w.pool, w.data)
	// Blobs are last, because their store may be unavailable while the database is available.
	return errors.Join(err, w.endOthers(ctx), w.removeUploads(ctx), w.removeBlobs(ctx))
}

// Cleaned is the result of CleanUp or CountDue for an entry. Count is the number of its rows, or of what its Run counts.
type Cleaned struct {
	Entry feature.Retention
	Count int
}

// CleanUp deletes the features' rows, or empties their columns, whose retention has ended, in small transactions, and returns
// the result of each entry. An entry that fails does not stop the others.
func CleanUp(ctx context.Context, pool *pgxpool.Pool, data []feature.Data) (cleaned []Cleaned, err error) {
	var errs []error
	for _, entry := range retentions(data) {
		if !entry.IsCleaned() {
			continue
		}
		limit := cleanupBatch
		if entry.Run != nil {
			limit = endedBatch
		}
		n, err := runUntilNone(ctx, pool, entry.Name(), limit, entry.Clean)
		errs = append(errs, err)
		cleaned = append(cleaned, Cleaned{entry, n})
	}
	return cleaned, errors.Join(errs...)
}

// CountDue returns what CleanUp and the other steps of cleanupWorker would delete or empty now.
func CountDue(ctx context.Context, db pg.DB, data []feature.Data) (due []Cleaned, err error) {
	for _, entry := range retentions(data) {
		if entry.End.Due() == "" {
			continue
		}
		n, err := entry.CountDue(ctx, db)
		if err != nil {
			return nil, fmt.Errorf("counting %s: %w", entry.Name(), err)
		}
		due = append(due, Cleaned{entry, n})
	}
	return due, nil
}

// retentions returns the entries of all features.
func retentions(data []feature.Data) (all []feature.Retention) {
	for _, part := range data {
		all = append(all, part.Retention...)
	}
	return all
}

// endOthers runs the functions in Data.Ended of the features.
func (w *cleanupWorker) endOthers(ctx context.Context) error {
	var errs []error
	for _, part := range w.data {
		for _, ended := range part.Ended {
			_, err := runUntilNone(ctx, w.pool, ended.What, endedBatch, ended.Run)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// runUntilNone calls run, which handles at most limit units in a transaction and returns their number, until it handles fewer.
// It returns the sum. what names the units in errors.
func runUntilNone(ctx context.Context, pool *pgxpool.Pool, what string, limit int, run func(context.Context, pg.DB, int) (int, error)) (sum int, err error) {
	for {
		n, err := run(ctx, pool, limit)
		sum += n
		if err != nil {
			return sum, fmt.Errorf("cleaning up %s: %w", what, err)
		}
		if n < limit {
			return sum, nil
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
