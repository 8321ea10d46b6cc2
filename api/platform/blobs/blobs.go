// Package blobs stores the blobs of files, removes them when the rows of their files are
// deleted, and sends them over HTTP. A file has one blob for each variant, such as the
// sizes of a picture. Blobs are written once and never changed.
//
// No blob remains without a row. Its file is marked for removal before the blob is
// written, and unmarked in the transaction that inserts the file's row; a trigger
// marks it again when the row is deleted.
package blobs

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/images"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
)

// The variants of a file, as they are written in URLs.
const (
	Full           = "full.webp"   // a picture
	Thumb          = "thumb.webp"  // the same, smaller
	Poster         = "poster.webp" // a picture of a video
	Original       = "media"       // a recording as it was uploaded
	NormalisedCopy = "media.mp4"   // a copy that every browser plays
	PartOfUpload   = "part"        // a part of an unfinished upload, stored under its own id
	Archive        = "export.zip"
)

var variants = []string{Full, Thumb, Poster, Original, NormalisedCopy, PartOfUpload, Archive}

const (
	uploadGrace    = time.Hour   // age at which an upload without a file's row is removed
	removalWorkers = 4           // files whose blobs are removed concurrently
	claimLease     = time.Minute // after which another process may remove the same blobs
)

// Key returns the key of a variant in the store.
func Key(id uuid.UUID, variant string) string { return id.String() + "/" + variant }

// Service stores, removes and opens blobs. It is safe for concurrent use.
type Service struct {
	pool  *pgxpool.Pool
	store *files.Store
}

// New returns a service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, store *files.Store) *Service {
	nilcheck.Must("blobs.New", nilcheck.Deps{"pool": pool, "store": store})
	return &Service{pool: pool, store: store}
}

// Put writes a variant of a file. The caller must have marked the file by MarkForRemoval.
func (s *Service) Put(ctx context.Context, id uuid.UUID, variant, contentType string, content io.Reader) error {
	return s.store.Put(ctx, Key(id, variant), contentType, content)
}

// Range opens length bytes of a variant from offset, or all bytes from offset if length
// is -1. It fails with NotFound when the variant does not exist. The caller closes the
// reader.
func (s *Service) Range(ctx context.Context, id uuid.UUID, variant string, offset, length int64) (io.ReadCloser, error) {
	return s.store.Range(ctx, Key(id, variant), offset, length)
}

// Delete deletes one variant. It fails with NotFound when it does not exist.
func (s *Service) Delete(ctx context.Context, id uuid.UUID, variant string) error {
	return s.store.Delete(ctx, Key(id, variant))
}

// Open returns a variant of a file. recordedAs is the content type of a recording,
// nil for a picture. It fails with NotFound when there is no such variant. It does not
// check whether the reader may see the file: the caller must.
func (s *Service) Open(ctx context.Context, id uuid.UUID, variant string, recordedAs *string) (File, error) {
	file := File{key: Key(id, variant), store: s.store}
	switch {
	case variant == Full || variant == Thumb || variant == Poster:
		file.ContentType = images.ContentType
	case variant == Original && recordedAs != nil:
		file.ContentType = *recordedAs
	case variant == NormalisedCopy && recordedAs != nil:
		kind, _, _ := strings.Cut(*recordedAs, "/")
		file.ContentType = kind + "/mp4"
	default:
		return file, NotFound()
	}
	size, err := s.store.Size(ctx, file.key)
	if fault.Is(err, fault.NotFound) {
		return file, NotFound()
	}
	file.Bytes = size
	return file, err
}

// OpenPicture is Open for a picture that the reader may see, in full or as a thumbnail, and that a browser may store. A
// request for a stored copy opens nothing.
func (s *Service) OpenPicture(ctx context.Context, id uuid.UUID, variant string, c Conditions) (File, error) {
	if variant != Full && variant != Thumb {
		return File{}, NotFound()
	}
	if c.Unchanged() {
		return Unchanged().Cached(), nil
	}
	file, err := s.Open(ctx, id, variant, nil)
	return file.Cached(), err
}

// NotFound returns the error for a file that does not exist or that the reader may
// not see.
func NotFound() error { return fault.New(fault.NotFound, "We could not find that.") }

// MarkForRemoval marks the blobs of a file for removal in an hour, before they are
// written. It fails with Unavailable while an earlier upload with the same id is
// being removed.
func MarkForRemoval(ctx context.Context, db pg.DB, id uuid.UUID) error {
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

// MarkDeleted marks all blobs of a deleted file for removal now. If a removal is running, it
// keeps the new mark, so that blobs written meanwhile are removed by the next one.
func MarkDeleted(ctx context.Context, db pg.DB, id uuid.UUID) error {
	_, err := db.Exec(ctx, `
		INSERT INTO blob_removals (file_id, due_at)
		VALUES ($1, now())
		ON CONFLICT (file_id) DO UPDATE
		SET due_at = excluded.due_at,
			claimed_until = NULL`, id)
	return err
}

// Unmark removes the mark in the transaction that inserts the file's row. It fails
// with Unavailable when the removal has begun, because blobs may have been deleted.
func Unmark(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	tag, err := tx.Exec(ctx, `DELETE FROM blob_removals WHERE file_id = $1 AND claimed_until IS NULL`, id)
	if err == nil && tag.RowsAffected() == 0 {
		return errRemoved()
	}
	return err
}

func errRemoved() error {
	return fault.New(fault.Unavailable, "The upload took too long. Please try again.")
}

// RemoveNow removes the blobs of files whose rows were deleted or never inserted.
// RemoveDue retries failed removals.
func (s *Service) RemoveNow(ctx context.Context, ids ...uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	for _, id := range ids {
		claim, err := claimRemoval(ctx, s.pool, id)
		if err == nil && claim.found {
			err = s.remove(ctx, claim)
		}
		if err != nil {
			slog.WarnContext(ctx, "blobs were not removed; a job will retry", "file", id, "error", err)
		}
	}
}

// RemoveDue removes the blobs of all files that are due, and returns their number.
// It may run in several processes at once.
func (s *Service) RemoveDue(ctx context.Context) (removed int, err error) {
	var sum atomic.Int64
	var group errgroup.Group
	for range removalWorkers {
		group.Go(func() error {
			for {
				claim, err := claimDueRemoval(ctx, s.pool)
				if err != nil || !claim.found {
					return err
				}
				if err := s.remove(ctx, claim); err != nil {
					return err
				}
				sum.Add(1)
			}
		})
	}
	err = group.Wait()
	return int(sum.Load()), err
}

// remove deletes every variant of a claimed file, and then the mark. No transaction
// is open while the store responds. When a blob cannot be deleted, the mark remains and
// the claim ends.
func (s *Service) remove(ctx context.Context, claim removalClaim) error {
	deleteCtx, cancel := context.WithTimeout(ctx, claimLease/2)
	defer cancel()
	for _, variant := range variants {
		if err := s.store.Delete(deleteCtx, Key(claim.file, variant)); err != nil && !fault.Is(err, fault.NotFound) {
			return errors.Join(err, endClaim(ctx, s.pool, claim))
		}
	}
	return finishRemoval(ctx, s.pool, claim)
}
