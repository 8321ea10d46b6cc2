package media

import (
	"context"
	"io"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
)

// maxReviewedBytes is the maximum size of a picture for the external moderation. Thumbnails
// are far smaller.
const maxReviewedBytes = 1 << 20

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
