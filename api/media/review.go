package media

import (
	"context"
	"io"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
)

// ReviewQueue is a separate queue, so that a slow moderation endpoint does not delay other
// jobs.
const ReviewQueue = "review"

// maxReviewedBytes is the maximum size of a picture for the external moderation. Thumbnails
// are far smaller.
const maxReviewedBytes = 1 << 20

// ReviewArgs are the arguments of the job by which the external moderation classifies a
// picture or video of a profile.
type ReviewArgs struct {
	FileID uuid.UUID `json:"fileId" river:"unique"`
}

// Kind returns the name of the job in River.
func (ReviewArgs) Kind() string { return "review_picture" }

// InsertOpts allow one job per file, and limit the attempts if the endpoint does not respond.
func (ReviewArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 6, Queue: ReviewQueue, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// EnableReview makes s enqueue, in the transaction that adds a picture or video to a profile,
// a job by which the external moderation classifies it. It returns s.
func (s *Service) EnableReview() *Service {
	s.review = true
	return s
}

// enqueueReview enqueues the comparison of a picture that tx adds to a profile with those of banned
// members, and the review of a picture or video.
func (s *Service) enqueueReview(ctx context.Context, tx pgx.Tx, file uuid.UUID, kind string) error {
	if kind == "image" {
		if _, err := s.jobs.InsertTx(ctx, tx, CompareArgs{FileID: file}, nil); err != nil {
			return err
		}
	}
	if !s.review || kind == "audio" {
		return nil
	}
	_, err := s.jobs.InsertTx(ctx, tx, ReviewArgs{FileID: file}, nil)
	return err
}

// PictureToReview returns the thumbnail of a picture, or the poster of a video, for the
// external moderation. It is empty for a deleted file and for a video without a poster.
func (s *Service) PictureToReview(ctx context.Context, file uuid.UUID) ([]byte, error) {
	for _, variant := range []string{blobs.Thumb, blobs.Poster} {
		content, err := s.blobs.Range(ctx, file, variant, 0, -1)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		defer content.Close()
		return io.ReadAll(io.LimitReader(content, maxReviewedBytes))
	}
	return nil, nil
}

// CompareArgs are the arguments of the job that compares a photo of a profile with those of banned
// members.
type CompareArgs struct {
	FileID uuid.UUID `json:"fileId" river:"unique"`
}

// Kind returns the name of the job in River.
func (CompareArgs) Kind() string { return "compare_photo" }

// InsertOpts allow one job per file.
func (CompareArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}
