package members

import (
	"context"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

var uploads = limits.Rule{Name: "uploads", Count: 30, Per: 24 * time.Hour}

// maxStored is the maximum size of all files of a member, in bytes.
const maxStored = 500 << 20

// Upload is a validated file to be stored.
type Upload struct {
	ContentType   string
	Width, Height int // of the picture or poster; zero without one
	DurationMs    int // zero for a picture
	Placeholder   string
	Waveform      []int
	blobs         []blob
}

type blob struct {
	variant, contentType string
	content              io.Reader
	bytes                int64
}

func (u Upload) bytes() (sum int64) {
	for _, b := range u.blobs {
		sum += b.bytes
	}
	return sum
}

// AllowUpload counts an upload of the member. It must be called before the upload is
// processed.
func (s *Service) AllowUpload(ctx context.Context, member uuid.UUID) error {
	err := limits.Allow(ctx, s.pool, uploads, member.String())
	if fault.Is(err, fault.RateLimited) {
		return fault.Limited("You have uploaded thirty files today. Please go on tomorrow.", fault.From(err).RetryAfter)
	}
	return err
}

// StoreFile stores the upload's blobs and inserts its row. In the same transaction it calls
// use, which attaches the file and returns the files that it has deleted, whose blobs are
// then removed. It returns Conflict if the member would have more than 500 MB of files, and
// Unavailable, in which case the file may have been stored. After other errors nothing is
// stored.
func (s *Service) StoreFile(ctx context.Context, member uuid.UUID, u Upload,
	use func(tx pgx.Tx, file uuid.UUID) (deleted []uuid.UUID, err error),
) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return id, err
	}
	if err := blobs.MarkForRemoval(ctx, s.pool, id); err != nil {
		return id, pg.Fault(err)
	}
	deleted, err := s.store(ctx, member, id, u, use)
	if err != nil {
		deleted = []uuid.UUID{id}
	}
	s.blobs.RemoveNow(ctx, deleted...)
	return id, err
}

// StoreFileAs is StoreFile with an id that is already marked for removal. After an error it
// does not remove the blobs, because another call for the same id may be running.
func (s *Service) StoreFileAs(ctx context.Context, member, id uuid.UUID, u Upload, use func(tx pgx.Tx) error) error {
	_, err := s.store(ctx, member, id, u, func(tx pgx.Tx, _ uuid.UUID) ([]uuid.UUID, error) { return nil, use(tx) })
	return err
}

// store stores the blobs and the file's row, and returns the result of use.
func (s *Service) store(ctx context.Context, member, id uuid.UUID, u Upload,
	use func(tx pgx.Tx, file uuid.UUID) (deleted []uuid.UUID, err error),
) ([]uuid.UUID, error) {
	for _, b := range u.blobs {
		if err := s.blobs.Put(ctx, id, b.variant, b.contentType, b.content); err != nil {
			return nil, err
		}
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]uuid.UUID, error) {
		if err := insertFile(ctx, tx, member, id, u); err != nil {
			return nil, err
		}
		return use(tx, id)
	})
}

// CheckQuota locks the member's row and returns Conflict unless the member's files may grow
// by the given number of bytes.
func CheckQuota(ctx context.Context, tx pgx.Tx, member uuid.UUID, bytes int64) error {
	if err := Lock(ctx, tx, member); err != nil {
		return err
	}
	var kept int64
	err := tx.QueryRow(ctx, `SELECT coalesce(sum(bytes), 0)::bigint FROM files WHERE owner_id = $1`, member).Scan(&kept)
	if err == nil && kept+bytes > maxStored {
		return fault.New(fault.Conflict, "Your files fill the 500 MB that we keep for each member. Please delete one first.")
	}
	return err
}

// DeleteFiles deletes files of any kind and marks their blobs for removal.
func DeleteFiles(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM files WHERE id = ANY ($1)`, ids)
	return err
}

// AddCopy records that a file has a normalised copy of the given size, which counts for the
// owner's quota. It returns false if the file does not exist or already has a copy.
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

func insertFile(ctx context.Context, tx pgx.Tx, member, id uuid.UUID, u Upload) error {
	if err := CheckQuota(ctx, tx, member, u.bytes()); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO files (id, owner_id, content_type, bytes, width, height, duration_ms, placeholder, waveform)
		VALUES ($1, $2, $3, $4, nullif($5, 0), nullif($6, 0), nullif($7, 0), $8, $9)`,
		id, member, u.ContentType, u.bytes(), u.Width, u.Height, u.DurationMs, u.Placeholder, append([]int{}, u.Waveform...))
	if err != nil {
		return err
	}
	return blobs.Unmark(ctx, tx, id)
}
