package export

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// isMaking is an SQL condition on a row e of exports: its job is expected to finish. After a
// day the job is assumed to be lost, so that another export can be requested.
const isMaking = `(e.ready_at IS NULL AND e.failed_at IS NULL AND e.requested_at > now() - interval '1 day')`

func selectState(ctx context.Context, db pg.DB, member uuid.UUID) (DataExport, error) {
	state := DataExport{Status: "none"}
	err := db.QueryRow(ctx, `
		SELECT
			CASE
				WHEN e.fetched_at IS NOT NULL THEN 'fetched'
				WHEN e.ready_at IS NOT NULL THEN 'ready'
				WHEN `+isMaking+` THEN 'making'
				ELSE 'failed'
			END,
			e.requested_at,
			e.fetched_at,
			CASE WHEN e.file_id IS NOT NULL THEN e.expires_at END,
			CASE WHEN e.file_id IS NOT NULL THEN e.bytes END
		FROM exports e
		WHERE e.user_id = $1
			AND e.expires_at > now()`, member).
		Scan(&state.Status, &state.RequestedAt, &state.FetchedAt, &state.ReadyUntil, &state.Bytes)
	if errors.Is(err, pgx.ErrNoRows) {
		return state, nil
	}
	for _, at := range []*time.Time{state.RequestedAt, state.FetchedAt, state.ReadyUntil} {
		if at != nil {
			*at = web.Time(*at)
		}
	}
	return state, pg.Fault(err)
}

// upsertRequest inserts a request or replaces the last one. It returns false while the last
// one is being made.
func upsertRequest(ctx context.Context, tx pgx.Tx, id, member uuid.UUID) (inserted bool, err error) {
	tag, err := tx.Exec(ctx, `
		INSERT INTO exports AS e (id, user_id)
		VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET
			id = excluded.id,
			requested_at = excluded.requested_at,
			expires_at = excluded.expires_at,
			file_id = NULL,
			bytes = NULL,
			ready_at = NULL,
			fetched_at = NULL,
			failed_at = NULL,
			link_hash = NULL,
			link_until = NULL
		WHERE NOT `+isMaking, id, member)
	return tag.RowsAffected() == 1, err
}

// selectRequested returns the member of an export that is to be made, or pgx.ErrNoRows.
func selectRequested(ctx context.Context, db pg.DB, id uuid.UUID) (member uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT user_id
		FROM exports
		WHERE id = $1
			AND ready_at IS NULL
			AND failed_at IS NULL`, id).Scan(&member)
	return member, err
}

// markReady stores the archive of an export. It returns false if the export was replaced or
// made by a concurrent run.
func markReady(ctx context.Context, tx pgx.Tx, id, file uuid.UUID, bytes int64) (bool, error) {
	tag, err := tx.Exec(ctx, `
		UPDATE exports
		SET
			file_id = $2,
			bytes = $3,
			ready_at = now(),
			expires_at = now() + $4::interval
		WHERE id = $1
			AND ready_at IS NULL
			AND failed_at IS NULL`, id, file, bytes, lifetime)
	if err != nil || tag.RowsAffected() == 0 {
		return false, err
	}
	return true, blobs.Unmark(ctx, tx, file)
}

func markFailed(ctx context.Context, db pg.DB, id uuid.UUID) error {
	_, err := db.Exec(ctx, `
		UPDATE exports
		SET failed_at = now()
		WHERE id = $1
			AND ready_at IS NULL`, id)
	return pg.Fault(err)
}

// updateLink stores the hash of a token, which is valid for 10 minutes. It returns false without an archive.
func updateLink(ctx context.Context, tx pgx.Tx, member uuid.UUID, hash []byte) (bool, error) {
	tag, err := tx.Exec(ctx, `
		UPDATE exports
		SET
			link_hash = $2,
			link_until = now() + interval '10 minutes'
		WHERE user_id = $1
			AND file_id IS NOT NULL
			AND expires_at > now()`, member, hash)
	return tag.RowsAffected() == 1, err
}

type archiveRow struct {
	file   uuid.UUID
	bytes  int64
	madeAt time.Time
}

// selectArchive returns the archive of a member with the hash of a valid token, or
// pgx.ErrNoRows.
func selectArchive(ctx context.Context, db pg.DB, member uuid.UUID, hash []byte) (a archiveRow, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			file_id,
			bytes,
			ready_at
		FROM exports
		WHERE user_id = $1
			AND link_hash = $2
			AND link_until > now()
			AND expires_at > now()
			AND file_id IS NOT NULL`, member, hash).Scan(&a.file, &a.bytes, &a.madeAt)
	return a, err
}

// claimArchive marks the archive as fetched. Only one of concurrent calls returns true.
func claimArchive(ctx context.Context, db pg.DB, member, file uuid.UUID, hash []byte) (bool, error) {
	tag, err := db.Exec(ctx, `
		UPDATE exports
		SET
			file_id = NULL,
			fetched_at = now(),
			link_hash = NULL,
			link_until = NULL
		WHERE user_id = $1
			AND file_id = $2
			AND link_hash = $3`, member, file, hash)
	return tag.RowsAffected() == 1, pg.Fault(err)
}

// selectReadyUntil returns when the archive of an export expires. It returns pgx.ErrNoRows if it was
// replaced, fetched or deleted.
func selectReadyUntil(ctx context.Context, db pg.DB, id uuid.UUID) (until time.Time, err error) {
	err = db.QueryRow(ctx, `
		SELECT expires_at
		FROM exports
		WHERE id = $1
			AND file_id IS NOT NULL`, id).Scan(&until)
	return until, err
}
