package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/digest"
	"heartward/api/discovery"
	"heartward/api/figures"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
	"heartward/api/referrals"
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
// Those of admins, which are few, are deleted when they have ended, with their devices for push.
// Codes are stored for a day after their end, known browsers for 400 days, the lifetime
// of their cookie. A rate limit in the past has no effect. Old presence rows belong to
// dead nodes.
var expired = []struct{ table, where string }{
	{"sessions", "expires_at < now()"},
	{"sessions", "id IN (SELECT session_id FROM ended_admin_sessions)"},
	{"revoked_sessions", "expires_at < now()"},
	{"passkey_challenges", "expires_at < now()"},
	{"factor_setup_codes", "expires_at < now()"},
	{"login_codes", "expires_at < now() - interval '1 day'"},
	{"known_browsers", "used_at < now() - interval '400 days'"},
	{"email_changes", "expires_at < now()"},
	{"age_refusals", "expires_at < now()"},
	{"bans", "expires_at < now()"},
	{"security_notices", "created_at < now() - interval '7 days'"},
	{"rate_limits", "tat < now() - interval '1 minute'"},
	{"daily_counts", "day < (now() AT TIME ZONE 'UTC')::date"},
	{"daily_items", "day < (now() AT TIME ZONE 'UTC')::date AND rule <> '" + discovery.ShownRule + "'"},
	{"town_changes", "changed_at < now() - CASE WHEN is_visit THEN interval '7 days' ELSE interval '1 day' END"},
	{"search_removals", "removed_at < now() - interval '1 day'"},
	{"date_shares", "expires_at < now()"},
	{"presence", "seen_at < now() - interval '10 minutes'"},
	{"exports", "expires_at < now()"},
	{"user_passes", "created_at < now() - interval '1 year'"},
	{"graduated_couples", "status = 'asked' AND requested_at < now() - interval '30 days'"},
	{"graduated_couples", "ended_at < now() - interval '90 days'"},
	{"read_notifications", "read_at < now() - interval '91 days'"},
	{"undone_passes", "undone_at < now() - interval '7 days'"},
	{"digest_mails", "week < current_date - 28"},
	{"digest_runs", "week < current_date - 35"},
}

// Work runs all steps, even if one fails, and returns the joined errors.
func (w *cleanupWorker) Work(ctx context.Context, _ *river.Job[CleanupArgs]) error {
	// Blobs are last, because their store may be unavailable while the database is available.
	return errors.Join(w.deleteExpired(ctx), w.deleteEnded(ctx), w.countShowings(ctx), w.removeUploads(ctx), w.removeBlobs(ctx))
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

// countShowings deletes who was shown to whom on earlier days, after adding it to the counts of
// the week.
func (w *cleanupWorker) countShowings(ctx context.Context) error {
	if err := figures.CountShowings(ctx, w.pool); err != nil {
		return fmt.Errorf("counting who was shown: %w", err)
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
// whose retention has ended, and that end suspensions, digests and invitations.
var ended = []struct {
	what   string
	remove func(ctx context.Context, db pg.DB, limit int) (int, error)
}{
	{"evidence", moderation.DeleteOldEvidence},
	{"issues", moderation.DeleteOldIssues},
	{"files of evidence", moderation.DeleteOldEvidenceFiles},
	{"flagged texts", moderation.DeleteOldFlaggedContent},
	{"texts of appeals", moderation.DeleteOldAppeals},
	{"ended conversations", messaging.DeleteEndedConversations},
	{"ended visits", members.DeleteEndedVisits},
	{"ends of suspensions", members.EndSuspensions},
	{"digests that will not be sent", digest.FailStale},
	{"addresses of invitations", referrals.ExpireInvitations},
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
