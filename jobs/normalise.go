package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heartward/api/media"
)

// normaliseWorker makes the copy of a recording that every browser plays.
type normaliseWorker struct {
	river.WorkerDefaults[media.NormaliseArgs]
	s *media.Service
}

// Timeout is longer than that of other jobs, and shorter than the time after
// which a job counts as lost.
func (w *normaliseWorker) Timeout(*river.Job[media.NormaliseArgs]) time.Duration {
	return 3 * time.Minute
}

func (w *normaliseWorker) Work(ctx context.Context, job *river.Job[media.NormaliseArgs]) error {
	return w.s.Normalise(ctx, job.Args.FileID)
}
