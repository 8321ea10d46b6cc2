package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// maxStored is the maximum number of bytes of a member's files.
const maxStored = 500 << 20

// StoredFile is a file whose blobs are stored.
type StoredFile struct {
	ID            uuid.UUID
	ContentType   string
	Bytes         int64
	Width, Height int // of the picture; zero without one
	DurationMs    int // zero for a picture
	Placeholder   string
	Waveform      []int
}

// LockQuota locks the member's row, and returns Conflict if a file of so many bytes would
// exceed the member's quota.
func LockQuota(ctx context.Context, tx pgx.Tx, member uuid.UUID, bytes int64) error {
	if err := Lock(ctx, tx, member); err != nil {
		return err
	}
	var stored int64
	err := tx.QueryRow(ctx, `SELECT coalesce(sum(bytes), 0)::bigint FROM files WHERE owner_id = $1`, member).Scan(&stored)
	if err == nil && stored+bytes > maxStored {
		return fault.New(fault.Conflict, "Your files fill the 500 MB that we keep for each member. Please delete one first.")
	}
	return err
}

// InsertFile inserts a file of the member and unmarks its blobs. It locks the member's
// row, and returns Conflict when the file would exceed the member's quota.
func InsertFile(ctx context.Context, tx pgx.Tx, member uuid.UUID, f StoredFile) error {
	if err := LockQuota(ctx, tx, member, f.Bytes); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO files (id, owner_id, content_type, bytes, width, height, duration_ms, placeholder, waveform)
		VALUES ($1, $2, $3, $4, nullif($5, 0), nullif($6, 0), nullif($7, 0), $8, $9)`,
		f.ID, member, f.ContentType, f.Bytes, f.Width, f.Height, f.DurationMs, f.Placeholder, append([]int{}, f.Waveform...))
	if err != nil {
		return err
	}
	return blobs.Unmark(ctx, tx, f.ID)
}

// DeleteFiles deletes files of any kind and marks their blobs for removal.
func DeleteFiles(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM files WHERE id = ANY ($1)`, ids)
	return err
}

// AddCopy records that a file has a normalised copy of so many bytes, which count as
// the owner's. It reports whether there is such a file without a copy.
func AddCopy(ctx context.Context, db pg.DB, id uuid.UUID, bytes int64) (added bool, err error) {
	tag, err := db.Exec(ctx, `
		UPDATE files
		SET
			copy_bytes = $2,
			bytes = bytes + $2
		WHERE id = $1
			AND copy_bytes IS NULL`, id, bytes)
	return tag.RowsAffected() == 1, err
}
