package jobs

import (
	"context"
	"errors"
	"log/slog"

	"github.com/riverqueue/river"

	"heartward/api/media"
	"heartward/api/messaging/messages"
	"heartward/api/moderation"
)

// reviewWorker sends one message to the moderation endpoint.
type reviewWorker struct {
	river.WorkerDefaults[messages.ReviewArgs]
	external *moderation.External // nil: no moderation endpoint is configured
}

func (w *reviewWorker) Work(ctx context.Context, job *river.Job[messages.ReviewArgs]) error {
	if w.external == nil {
		return nil
	}
	return externalOutcome(ctx, w.external.Review(ctx, job.Args.MessageID))
}

// pictureReviewWorker sends one picture of a profile to the moderation endpoint.
type pictureReviewWorker struct {
	river.WorkerDefaults[media.ReviewArgs]
	external *moderation.External // nil: no moderation endpoint is configured
}

func (w *pictureReviewWorker) Work(ctx context.Context, job *river.Job[media.ReviewArgs]) error {
	if w.external == nil {
		return nil
	}
	return externalOutcome(ctx, w.external.ReviewPicture(ctx, job.Args.FileID))
}

// externalOutcome returns the result of a job for an error of the moderation endpoint.
func externalOutcome(ctx context.Context, err error) error {
	var later *moderation.RetryLaterError
	if errors.As(err, &later) {
		return river.JobSnooze(later.After)
	}
	var refused *moderation.RefusedError
	if errors.As(err, &refused) {
		slog.ErrorContext(ctx, "the moderation endpoint refused the request", "error", err)
		return river.JobCancel(err)
	}
	return err
}
