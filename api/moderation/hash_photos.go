package moderation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/pg"
)

// HashPhotosArgs are the arguments of the job that stores missing hashes of photos: of photos that are older than the
// comparison, and of those that a moderator put back. A job checks the next hashBatch photos with ids greater than After.
type HashPhotosArgs struct {
	After uuid.UUID `json:"after" river:"unique"`
}

// Kind returns the name of the job in River.
func (HashPhotosArgs) Kind() string { return "hash_photos" }

// InsertOpts allow one job per batch at a time.
func (HashPhotosArgs) InsertOpts() river.InsertOpts { return CompareBlockedArgs{}.InsertOpts() }

// hashBatch is the number of photos that a job checks.
const hashBatch = 100

// HashPhotos calls ComparePhoto, which stores the hash, for each photo of a batch without a hash of the current algorithm.
// Then it enqueues the job for the next batch, unless this was the last one. Photos without enough contrast never get a
// hash; each pass over all photos reads them again.
func (s *Service) HashPhotos(ctx context.Context, args HashPhotosArgs) error {
	batch, err := selectPhotoBatch(ctx, s.pool, args.After)
	if err != nil {
		return err
	}
	for _, photo := range batch {
		if photo.isHashed {
			continue
		}
		if err := s.ComparePhoto(ctx, photo.id); err != nil {
			return err
		}
	}
	if len(batch) < hashBatch {
		return nil
	}
	// A batch counts photos with a hash too, so that a retry, which finds some hashes stored, enqueues the same job.
	next := HashPhotosArgs{After: batch[len(batch)-1].id}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := s.jobs.InsertTx(ctx, tx, next, nil)
		return err
	})
}

// batchPhoto is a photo of a profile, and whether its hash is stored.
type batchPhoto struct {
	id       uuid.UUID
	isHashed bool
}

func selectPhotoBatch(ctx context.Context, db pg.DB, after uuid.UUID) ([]batchPhoto, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			p.file_id,
			EXISTS (SELECT FROM photo_hashes h WHERE h.photo_id = p.file_id AND h.algorithm = $2)
		FROM profile_files p
		WHERE p.slot IN ('photo', 'header_banner', 'gallery_image')
			AND p.file_id > $1
		ORDER BY p.file_id
		LIMIT $3`, after, keyedHash, hashBatch)
	photos, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p batchPhoto, err error) {
		err = row.Scan(&p.id, &p.isHashed)
		return p, err
	})
	return photos, pg.Fault(err)
}
