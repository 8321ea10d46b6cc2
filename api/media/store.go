package media

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
)

const uploadColumns = `u.id, u.purpose, u.length, u.received, u.expires_at`

func scanUpload(row pgx.Row) (u Upload, err error) {
	err = row.Scan(&u.ID, &u.Purpose, &u.Length, &u.Received, &u.ExpiresAt)
	return u, err
}

// makeRoom makes room for one more upload. If the member has maxIncomplete incomplete uploads for the purpose, it deletes
// the oldest that has received no byte; usually the device never learned its id, and one that did begins a new upload. It
// returns errTooMany if each has received a byte. The caller must hold the lock of the member's row.
func makeRoom(ctx context.Context, tx pgx.Tx, owner uuid.UUID, purpose Purpose) error {
	var incomplete int
	err := tx.QueryRow(ctx, `
		SELECT count(*)
		FROM uploads u
		WHERE u.owner_id = $1
			AND u.purpose = $2
			AND NOT EXISTS (SELECT FROM stored_files f WHERE f.id = u.id)`, owner, purpose).Scan(&incomplete)
	if err != nil || incomplete < maxIncomplete {
		return err
	}
	deleted, err := tx.Exec(ctx, `
		DELETE FROM uploads
		WHERE id = (
			SELECT u.id
			FROM uploads u
			WHERE u.owner_id = $1
				AND u.purpose = $2
				AND NOT EXISTS (SELECT FROM stored_files f WHERE f.id = u.id)
				AND u.received = 0
			ORDER BY u.created_at, u.id
			LIMIT 1
			FOR UPDATE SKIP LOCKED)`, owner, purpose)
	if err == nil && deleted.RowsAffected() == 0 {
		return errTooMany
	}
	return err
}

// insertUpload inserts an upload. It returns errIDUsed when an upload or a file has the id.
func insertUpload(ctx context.Context, tx pgx.Tx, id, owner uuid.UUID, purpose Purpose, length int64) (Upload, error) {
	u, err := scanUpload(tx.QueryRow(ctx, `
		INSERT INTO uploads AS u (id, owner_id, purpose, length, expires_at)
		SELECT $1, $2, $3, $4, now() + $5::interval
		WHERE NOT EXISTS (SELECT FROM stored_files WHERE id = $1)
		ON CONFLICT (id) DO NOTHING
		RETURNING `+uploadColumns, id, owner, purpose, length, Lifetime))
	if errors.Is(err, pgx.ErrNoRows) {
		return u, errIDUsed
	}
	return u, err
}

func findUpload(ctx context.Context, db pg.DB, owner, id uuid.UUID) (Upload, error) {
	return scanUpload(db.QueryRow(ctx, `
		SELECT `+uploadColumns+`
		FROM uploads u
		WHERE u.id = $1
			AND u.owner_id = $2
			AND u.expires_at > now()`, id, owner))
}

// insertPart adds a part of size bytes, stored as the blob id, to the upload, and
// unmarks the blob. It returns pgx.ErrNoRows when the upload has another offset or
// is deleted, and Conflict when it has too many parts.
func insertPart(ctx context.Context, tx pgx.Tx, owner uuid.UUID, from Upload, id uuid.UUID, size int) (Upload, error) {
	u, err := scanUpload(tx.QueryRow(ctx, `
		UPDATE uploads u
		SET received = received + $4
		WHERE u.id = $1
			AND u.owner_id = $2
			AND u.received = $3
		RETURNING `+uploadColumns, from.ID, owner, from.Received, size))
	if err != nil {
		return u, err
	}
	var parts int
	if err := tx.QueryRow(ctx, `SELECT count(*) FROM upload_parts WHERE upload_id = $1`, from.ID).Scan(&parts); err != nil {
		return u, err
	}
	if parts >= maxParts {
		return u, errTooManyParts
	}
	if _, err := tx.Exec(ctx, `INSERT INTO upload_parts (id, upload_id, starts_at, bytes) VALUES ($1, $2, $3, $4)`,
		id, from.ID, from.Received, size); err != nil {
		return u, err
	}
	return u, blobs.Unmark(ctx, tx, id)
}

// finishUpload deletes the rows of the upload's parts, and of an upload for a profile
// the upload itself. It returns Unavailable when the claim is lost.
func finishUpload(ctx context.Context, tx pgx.Tx, u Upload, claimID uuid.UUID) error {
	query := `
		UPDATE uploads
		SET expires_at = now() + $3::interval
		WHERE id = $1
			AND finishing = $2`
	args := []any{u.ID, claimID, Lifetime}
	if u.Purpose == ForProfile {
		query, args = `DELETE FROM uploads WHERE id = $1 AND finishing = $2`, args[:2]
	}
	tag, err := tx.Exec(ctx, query, args...)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errBusy
	}
	_, err = tx.Exec(ctx, `DELETE FROM upload_parts WHERE upload_id = $1`, u.ID)
	return err
}

// deleteUpload deletes an upload with its unsent file, and returns the number of uploads, 0 or 1.
func deleteUpload(ctx context.Context, pool *pgxpool.Pool, owner, id uuid.UUID) (deleted int, err error) {
	return deleteUploads(ctx, pool, `
		DELETE FROM uploads
		WHERE id = $1
			AND owner_id = $2
		RETURNING id`, id, owner)
}

// deleteExpiredUploads deletes at most 100 expired uploads with their unsent files, and returns the number of uploads. It
// leaves those that another transaction has locked for the next run.
func deleteExpiredUploads(ctx context.Context, pool *pgxpool.Pool) (deleted int, err error) {
	return deleteUploads(ctx, pool, `
		DELETE FROM uploads
		WHERE id IN (
			SELECT id
			FROM uploads
			WHERE `+uploadEnd.Due()+`
			LIMIT 100
			FOR UPDATE SKIP LOCKED)
		RETURNING id`)
}

// deleteUploads runs deleteSQL, which deletes uploads and returns their ids, and deletes their unsent files. That takes a
// second statement, because the snapshot of a statement that waited for a lock does not contain a file that was made
// meanwhile.
func deleteUploads(ctx context.Context, pool *pgxpool.Pool, deleteSQL string, args ...any) (deleted int, err error) {
	return pg.Tx(ctx, pool, func(tx pgx.Tx) (int, error) {
		rows, err := tx.Query(ctx, deleteSQL, args...)
		if err != nil {
			return 0, err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return 0, err
		}
		return len(ids), members.DeleteFiles(ctx, tx, ids...)
	})
}

// deleteExpiredParts deletes at most 1,000 parts of expired uploads and returns
// their number. The limit keeps the statement short. An expired upload accepts no
// more parts. A call that is making its file has read the parts before, or fails.
func deleteExpiredParts(ctx context.Context, pool *pgxpool.Pool) (deleted int64, err error) {
	tag, err := pool.Exec(ctx, `
		DELETE FROM upload_parts
		WHERE id = ANY (ARRAY(
			SELECT p.id
			FROM uploads u
			JOIN upload_parts p ON p.upload_id = u.id
			WHERE `+uploadEnd.Due()+`
			LIMIT 1000
			FOR UPDATE OF p SKIP LOCKED))`)
	return tag.RowsAffected(), err
}

// part is a range of an upload, stored as a blob of its own.
type part struct {
	ID       uuid.UUID
	StartsAt int64
	Bytes    int64
}

func partsOf(ctx context.Context, db pg.DB, upload uuid.UUID) ([]part, error) {
	rows, err := db.Query(ctx, `SELECT id, starts_at, bytes FROM upload_parts WHERE upload_id = $1 ORDER BY starts_at`, upload)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[part])
}

// findFile returns a file that the owner uploaded for a message, sent or not. It
// returns pgx.ErrNoRows when there is none.
func findFile(ctx context.Context, db pg.DB, owner, id uuid.UUID) (Row, error) {
	rows, err := db.Query(ctx, `
		SELECT `+rowColumns+`
		FROM stored_files f
		WHERE f.id = $1
			AND f.owner_id = $2
			AND (
				EXISTS (SELECT FROM uploads u WHERE u.id = f.id)
				OR EXISTS (SELECT FROM message_files m WHERE m.file_id = f.id))`, id, owner)
	if err != nil {
		return Row{}, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Row])
}
