package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"heartward/push"
)

// pushWorker sends one push to one device.
type pushWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	deliver func(context.Context, T) (push.Result, error)
}

func addPush[T river.JobArgs](r *registry, deliver func(context.Context, T) (push.Result, error)) {
	addWorker(r, &pushWorker[T]{deliver: deliver})
}

// NextRetry doubles the delay with each attempt, from half a minute.
func (w *pushWorker[T]) NextRetry(job *river.Job[T]) time.Time {
	return time.Now().Add(15 * time.Second << min(job.Attempt, 12))
}

func (w *pushWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	result, err := w.deliver(ctx, job.Args)
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
	case push.OurKey:
		slog.ErrorContext(ctx, "the push service refuses our VAPID key", "status", result.Status, "error", result.Err)
	}
	return river.JobCancel(fmt.Errorf("push not sent: %s: %w", result.Outcome, result.Err))
}
