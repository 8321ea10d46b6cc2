package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heartward/api/notifications"
)

// wakeWorker reschedules notifications that were snoozed for quiet hours, after these have
// changed.
type wakeWorker struct {
	river.WorkerDefaults[notifications.WakeArgs]
	s *notifications.Service
}

func (w *wakeWorker) Work(ctx context.Context, job *river.Job[notifications.WakeArgs]) error {
	return w.s.Wake(ctx, job.Args)
}
