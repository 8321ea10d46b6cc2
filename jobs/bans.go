package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/deletion"
	"heartward/api/media"
	"heartward/api/moderation"
)

// banPhotosWorker stores the fingerprints of a banned member's photos.
type banPhotosWorker struct {
	river.WorkerDefaults[moderation.BanPhotosArgs]
	s *moderation.Service
}

func (w *banPhotosWorker) Work(ctx context.Context, job *river.Job[moderation.BanPhotosArgs]) error {
	return w.s.StoreBannedPhotos(ctx, job.Args)
}

// comparePhotoWorker compares a photo with those of banned members.
type comparePhotoWorker struct {
	river.WorkerDefaults[media.CompareArgs]
	s *moderation.Service
}

func (w *comparePhotoWorker) Work(ctx context.Context, job *river.Job[media.CompareArgs]) error {
	return w.s.ComparePhoto(ctx, job.Args.FileID)
}

// compareBlockedWorker looks for second accounts of a blocked member.
type compareBlockedWorker struct {
	river.WorkerDefaults[moderation.CompareBlockedArgs]
	s *moderation.Service
}

func (w *compareBlockedWorker) Work(ctx context.Context, job *river.Job[moderation.CompareBlockedArgs]) error {
	return w.s.CompareBlocked(ctx, job.Args)
}

// hashPhotosWorker stores the hashes of photos that have none.
type hashPhotosWorker struct {
	river.WorkerDefaults[moderation.HashPhotosArgs]
	s *moderation.Service
}

func (w *hashPhotosWorker) Work(ctx context.Context, job *river.Job[moderation.HashPhotosArgs]) error {
	return w.s.HashPhotos(ctx, job.Args)
}

// appealDelay is how long the end of a term waits for the decision on an appeal.
const appealDelay = 24 * time.Hour

// addBans registers the workers for the photos of banned members, and for the end of the term in
// which a member who is not of age can appeal.
func addBans(r *registry, pool *pgxpool.Pool, s *moderation.Service) {
	addWorker(r, &banPhotosWorker{s: s})
	addWorker(r, &comparePhotoWorker{s: s})
	addWorker(r, &compareBlockedWorker{s: s})
	addWorker(r, &hashPhotosWorker{s: s})
	addNotify(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[moderation.AppealTermArgs]) (time.Duration, error) {
		member, state, err := moderation.EndAppealTerm(ctx, tx, job.Args)
		switch {
		case err != nil:
			return 0, err
		case state == moderation.TermAppeal:
			return appealDelay, nil
		case state == moderation.TermExpired:
			return 0, deletion.Start(ctx, tx, jobs, member)
		}
		return 0, nil
	})
}
