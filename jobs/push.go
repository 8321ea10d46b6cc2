package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"heartward/api/notifications"
	"heartward/push"
)

// pushWorker sends one push to one device.
type pushWorker struct {
	river.WorkerDefaults[notifications.PushArgs]
	s *notifications.Service
}

// NextRetry doubles the delay with each attempt, from half a minute.
func (w *pushWorker) NextRetry(job *river.Job[notifications.PushArgs]) time.Time {
	return time.Now().Add(15 * time.Second << min(job.Attempt, 12))
}

func (w *pushWorker) Work(ctx context.Context, job *river.Job[notifications.PushArgs]) error {
	result, err := w.s.Deliver(ctx, job.Args)
	if err != nil {
		return err
	}
	return toRiver(ctx, result)
}

// toRiver converts the outcome of a push to the error that River expects: nil for
// done, a snooze, a retry, or a cancellation.
func toRiver(ctx context.Context, result push.Result) error {
	switch result.Outcome {
	case push.Sent, push.Gone, push.Invalid:
		return nil
	case push.Later:
		if result.RetryAfter > 0 {
			return river.JobSnooze(result.RetryAfter)
		}
		if result.Err != nil {
			return result.Err
		}
		return errors.New("the push service is unavailable")
	case push.KeyRejected:
		slog.ErrorContext(ctx, "the push service refuses the VAPID key", "status", result.Status, "error", result.Err)
	}
	return river.JobCancel(fmt.Errorf("push not sent: %s: %w", result.Outcome, result.Err))
}
