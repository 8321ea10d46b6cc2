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
	"heartward/api/platform/pg"
)

// CleanupArgs asks to delete what has expired.
type CleanupArgs struct{}

// Kind names the job in the queue.
func (CleanupArgs) Kind() string { return "cleanup" }

// InsertOpts keep it from being there twice.
func (CleanupArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: 5 * time.Minute}}
}

// cleanupWorker deletes in small batches, each its own transaction, so that no
// lock is held for long and being stopped loses nothing.
type cleanupWorker struct {
	river.WorkerDefaults[CleanupArgs]
	pool    *pgxpool.Pool
	members *members.Service
	media   *media.Service
}

const (
	cleanupBatch = 1000
	uploadsTime  = 20 * time.Second // for expired uploads, so that some is left for the blobs
)

// expired lists what goes, as tables with the rows' own conditions. Sessions: at
// their hard end, also those that idleness has ended before; to find these by an
// index, it would be written once a minute for each session in use. Codes: a day
// after their end. Known browsers: 400 days, the life of their cookie. Limits
// whose time has come count as empty. Presence: nodes that died.
var expired = []struct{ table, where string }{
	{"sessions", "expires_at < now()"},
	{"revoked_sessions", "expires_at < now()"},
	{"login_codes", "expires_at < now() - interval '1 day'"},
	{"known_browsers", "used_at < now() - interval '400 days'"},
	{"rate_limits", "tat < now() - interval '1 minute'"},
	{"town_changes", "changed_at < now() - interval '1 day'"},
	{"search_removals", "removed_at < now() - interval '1 day'"},
	{"date_shares", "expires_at < now()"},
	{"presence", "seen_at < now() - interval '10 minutes'"},
	{"passes_taken_back", "taken_back_at < now() - interval '7 days'"},
}

// Work does all it can: what fails does not keep the rest from being deleted.
func (w *cleanupWorker) Work(ctx context.Context, _ *river.Job[CleanupArgs]) error {
	// The blobs last: their store may be away when the database is not.
	return errors.Join(w.deleteExpired(ctx), w.forgetEvidence(ctx), w.removeUploads(ctx), w.removeBlobs(ctx))
}

func (w *cleanupWorker) deleteExpired(ctx context.Context) error {
	for _, e := range expired {
		// Whoever holds a row is using it; it is for the next time.
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
	ctx, cancel := context.WithTimeout(ctx, uploadsTime)
	defer cancel()
	if _, err := w.media.RemoveExpired(ctx); err != nil {
		return fmt.Errorf("removing expired uploads: %w", err)
	}
	return nil
}

func (w *cleanupWorker) removeBlobs(ctx context.Context) error {
	if _, err := w.members.RemoveBlobs(ctx); err != nil {
		return fmt.Errorf("removing blobs: %w", err)
	}
	return nil
}

// evidence lists what is forgotten of reports and flags, and by what.
var evidence = []struct {
	what   string
	forget func(ctx context.Context, db pg.DB, most int) (int, error)
}{
	{"evidence", moderation.ForgetEvidence},
	{"files of evidence", moderation.ForgetFiles},
	{"flagged texts", moderation.ForgetFlagged},
}

func (w *cleanupWorker) forgetEvidence(ctx context.Context) error {
	const batch = 100
	for _, e := range evidence {
		for {
			forgotten, err := e.forget(ctx, w.pool, batch)
			if err != nil {
				return fmt.Errorf("forgetting %s: %w", e.what, err)
			}
			if forgotten < batch {
				break
			}
		}
	}
	return nil
}
