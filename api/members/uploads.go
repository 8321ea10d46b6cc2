package members

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// The variants of a stored file, as they stand in its addresses.
const (
	full     = "full.webp"
	thumb    = "thumb.webp"
	poster   = "poster.webp"
	recorded = "media"

	Original       = recorded    // a recording as it was uploaded
	NormalisedCopy = "media.mp4" // what every browser plays, of a recording that not all do
	PartOfUpload   = "part"      // of no file: a piece of an upload has an id of its own
)

var variants = []string{full, thumb, poster, recorded, NormalisedCopy, PartOfUpload}

var uploads = limits.Rule{Name: "uploads", Count: 30, Per: 24 * time.Hour}

const (
	keptBytes   = 500 << 20   // of one member
	uploadGrace = time.Hour   // after which an upload that no file uses is removed
	sweepers    = 4           // files whose blobs are removed at once
	claimLease  = time.Minute // after which another process may delete the same blobs
)

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

// BlobKey is where the variant of a file is stored.
func BlobKey(id uuid.UUID, variant string) string { return id.String() + "/" + variant }

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
	if err := s.NameBlobs(ctx, s.pool, id); err != nil {
		return id, pg.Fault(err)
	}
	deleted, err := s.store(ctx, member, id, u, use)
	if err != nil {
		deleted = []uuid.UUID{id}
	}
	s.RemoveSoon(ctx, deleted...)
	return id, err
}

// KeepAs is Keep under an id whose blobs are named for removal already. What
// fails leaves them to that; another call for the same id may be under way.
func (s *Service) KeepAs(ctx context.Context, member, id uuid.UUID, u Upload, use func(tx pgx.Tx) error) error {
	_, err := s.store(ctx, member, id, u, func(tx pgx.Tx, _ uuid.UUID) ([]uuid.UUID, error) { return nil, use(tx) })
	return err
}

// store stores the blobs and the file's row, and returns what use returned.
func (s *Service) store(ctx context.Context, member, id uuid.UUID, u Upload,
	use func(tx pgx.Tx, file uuid.UUID) (deleted []uuid.UUID, err error),
) ([]uuid.UUID, error) {
	for _, b := range u.blobs {
		if err := s.files.Put(ctx, BlobKey(id, b.variant), b.contentType, b.content); err != nil {
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

// NameBlobs names the blobs of id for removal in an hour, before they are
// written. Unavailable while an earlier upload of the same id is being removed.
func (s *Service) NameBlobs(ctx context.Context, db pg.DB, id uuid.UUID) error {
	tag, err := db.Exec(ctx, `
		INSERT INTO blob_removals AS b (file_id, due_at)
		VALUES ($1, now() + $2::interval)
		ON CONFLICT (file_id) DO UPDATE
		SET due_at = excluded.due_at,
			claimed_until = NULL
		WHERE b.claimed_until IS NULL
			OR b.claimed_until < now()`, id, uploadGrace)
	if err == nil && tag.RowsAffected() == 0 {
		return errRemoved()
	}
	return err
}

// TakeBack takes the name back in the transaction that keeps the blobs. Where
// their removal has begun it fails with Unavailable: they may be gone.
func TakeBack(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	tag, err := tx.Exec(ctx, `DELETE FROM blob_removals WHERE file_id = $1 AND claimed_until IS NULL`, id)
	if err == nil && tag.RowsAffected() == 0 {
		return errRemoved()
	}
	return err
}

func errRemoved() error {
	return fault.New(fault.Unavailable, "The upload took too long. Please try again.")
}

// Room locks the member's row and answers with Conflict unless there is room
// for so many bytes more among what the member keeps.
func Room(ctx context.Context, tx pgx.Tx, member uuid.UUID, bytes int64) error {
	if err := lockMember(ctx, tx, member); err != nil {
		return err
	}
	var kept int64
	err := tx.QueryRow(ctx, `SELECT coalesce(sum(bytes), 0)::bigint FROM files WHERE owner_id = $1`, member).Scan(&kept)
	if err == nil && kept+bytes > keptBytes {
		return fault.New(fault.Conflict, "Your files fill the 500 MB that we keep for each member. Please delete one first.")
	}
	return err
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
	return TakeBack(ctx, tx, id)
}

// RemoveSoon removes the blobs of files whose rows have been deleted, or were
// not kept. A failure is retried by RemoveBlobs.
func (s *Service) RemoveSoon(ctx context.Context, ids ...uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	for _, id := range ids {
		claim, err := claimRemoval(ctx, s.pool, id)
		if err == nil && claim.found {
			err = s.removeBlobs(ctx, claim)
		}
		if err != nil {
			slog.WarnContext(ctx, "a file's blobs stay for now", "file", id, "error", err)
		}
	}
}

// RemoveBlobs deletes the blobs that are due, and returns the number of files
// whose blobs it deleted. It may run on several processes at once.
func (s *Service) RemoveBlobs(ctx context.Context) (removed int, err error) {
	var sum atomic.Int64
	var group errgroup.Group
	for range sweepers {
		group.Go(func() error {
			for {
				claim, err := claimDueRemoval(ctx, s.pool)
				if err != nil || !claim.found {
					return err
				}
				if err := s.removeBlobs(ctx, claim); err != nil {
					return err
				}
				sum.Add(1)
			}
		})
	}
	err = group.Wait()
	return int(sum.Load()), err
}

// removeBlobs deletes every variant of a claimed file, and then the row. No
// transaction is open while the file store answers. When a blob cannot be
// deleted the row stays and its claim ends.
func (s *Service) removeBlobs(ctx context.Context, claim removalClaim) error {
	deleting, cancel := context.WithTimeout(ctx, claimLease/2)
	defer cancel()
	for _, variant := range variants {
		if err := s.files.Delete(deleting, BlobKey(claim.file, variant)); err != nil && !fault.Is(err, fault.NotFound) {
			return errors.Join(err, endClaim(ctx, s.pool, claim))
		}
	}
	return finishRemoval(ctx, s.pool, claim)
}
