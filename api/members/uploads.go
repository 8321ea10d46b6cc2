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

// maxStored is how many bytes of files a member may have.
const maxStored = 500 << 20

// Upload is a file made ready to be stored.
type Upload struct {
	ContentType   string
	Width, Height int // of the picture; zero without one
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

// AllowUpload counts one upload of the member, before anything is done with it.
func (s *Service) AllowUpload(ctx context.Context, member uuid.UUID) error {
	err := limits.Allow(ctx, s.pool, uploads, member.String())
	if fault.Is(err, fault.RateLimited) {
		return fault.Limited("You have uploaded thirty files today. Please go on tomorrow.", fault.From(err).RetryAfter)
	}
	return err
}

// Keep stores the upload's blobs and calls use in the transaction that makes
// them a file of the member, so that use can say what the file is for and which
// files it has deleted in its favour. Conflict when the member keeps 500 MB
// already. What fails leaves nothing behind; Unavailable may mean that the file
// was kept and only the answer was lost.
func (s *Service) Keep(ctx context.Context, member uuid.UUID, u Upload,
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

// KeepAs is Keep under an id that is marked for removal already. A failure leaves the
// blobs to the removal, because another call for the same id may be running.
func (s *Service) KeepAs(ctx context.Context, member, id uuid.UUID, u Upload, use func(tx pgx.Tx) error) error {
	_, err := s.store(ctx, member, id, u, func(tx pgx.Tx, _ uuid.UUID) ([]uuid.UUID, error) { return nil, use(tx) })
	return err
}

// store stores the blobs and the file's row, and returns what use returned.
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

// Room locks the member's row and answers with Conflict unless there is room
// for so many bytes more among what the member keeps.
func Room(ctx context.Context, tx pgx.Tx, member uuid.UUID, bytes int64) error {
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

func insertFile(ctx context.Context, tx pgx.Tx, member, id uuid.UUID, u Upload) error {
	if err := Room(ctx, tx, member, u.bytes()); err != nil {
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
