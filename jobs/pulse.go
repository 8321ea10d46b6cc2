package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/notifications"
)

// pulseWorker enqueues the reminders of the Love Pulse that are due.
type pulseWorker struct {
	river.WorkerDefaults[notifications.RemindPulsesArgs]
	s *notifications.Service
}

func (w *pulseWorker) Work(ctx context.Context, _ *river.Job[notifications.RemindPulsesArgs]) error {
	return w.s.RemindPulses(ctx, river.ClientFromContext[pgx.Tx](ctx))
}
