package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
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
}

const (
	cleanupBatch   = 1000
	uploadsTimeout = 20 * time.Second // for expired uploads, which leaves time for blobs
)

// expired lists the retention rules: tables, and the condition of rows to delete.
// Sessions are deleted at their absolute end, even if they were idle for too long before:
// an index to find idle sessions would be updated once a minute for each session in use.
// Codes are stored for a day after their end, known browsers for 400 days, the lifetime
// of their cookie. A rate limit in the past has no effect. Old presence rows belong to
// dead nodes.
var expired = []struct{ table, where string }{
	{"sessions", "expires_at < now()"},
	{"revoked_sessions", "expires_at < now()"},
	{"login_codes", "expires_at < now() - interval '1 day'"},
	{"known_browsers", "used_at < now() - interval '400 days'"},
	{"security_notices", "created_at < now() - interval '7 days'"},
	{"rate_limits", "tat < now() - interval '1 minute'"},
	{"town_changes", "changed_at < now() - CASE WHEN is_visit THEN interval '7 days' ELSE interval '1 day' END"},
	{"search_removals", "removed_at < now() - interval '1 day'"},
	{"date_shares", "expires_at < now()"},
	{"presence", "seen_at < now() - interval '10 minutes'"},
	{"undone_passes", "undone_at < now() - interval '7 days'"},
}

// Work runs all steps, even if one fails, and returns the joined errors.
func (w *cleanupWorker) Work(ctx context.Context, _ *river.Job[CleanupArgs]) error {
	// Blobs are last, because their store may be unavailable while the database is available.
	return errors.Join(w.deleteExpired(ctx), w.deleteEnded(ctx), w.removeUploads(ctx), w.removeBlobs(ctx))
}

func (w *cleanupWorker) deleteExpired(ctx context.Context) error {
	for _, e := range expired {
		// Locked rows are left for the next run.
		sql := fmt.Sprintf(`DELETE FROM %[1]s WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM %[1]s WHERE %[2]s LIMIT %[3]d FOR UPDATE SKIP LOCKED))`, e.table, e.where, cleanupBatch)
		for {
			tag, err := w.pool.Exec(ctx, sql)
			if err != nil {
				return fmt.Errorf("cleaning up %s: %w", e.table, err)
			}
			if tag.RowsAffected() < cleanupBatch {
				break
			}
		}
	}
	return nil
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

// ended lists the functions that delete old evidence of reports and flags, and other data
// whose retention has ended, and that end suspensions.
var ended = []struct {
	what   string
	remove func(ctx context.Context, db pg.DB, limit int) (int, error)
}{
	{"evidence", moderation.DeleteOldEvidence},
	{"files of evidence", moderation.DeleteOldEvidenceFiles},
	{"flagged texts", moderation.DeleteOldFlaggedContent},
	{"ended visits", members.DeleteEndedVisits},
	{"ends of suspensions", members.EndSuspensions},
}

func (w *cleanupWorker) deleteEnded(ctx context.Context) error {
	const batch = 100
	for _, e := range ended {
		for {
			removed, err := e.remove(ctx, w.pool, batch)
			if err != nil {
				return fmt.Errorf("deleting %s: %w", e.what, err)
			}
			if removed < batch {
				break
			}
		}
	}
	return nil
}
