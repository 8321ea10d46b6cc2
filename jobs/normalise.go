package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heartward/api/media"
)

// normaliseWorker transcodes a recording to a format that every browser plays.
type normaliseWorker struct {
	river.WorkerDefaults[media.NormaliseArgs]
	s *media.Service
}

// Timeout is longer than for other jobs, and shorter than RescueStuckJobsAfter.
func (w *normaliseWorker) Timeout(*river.Job[media.NormaliseArgs]) time.Duration {
	return 3 * time.Minute
}

func (w *normaliseWorker) Work(ctx context.Context, job *river.Job[media.NormaliseArgs]) error {
	return w.s.Normalise(ctx, job.Args.FileID)
}
