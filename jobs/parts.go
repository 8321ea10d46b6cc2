package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

// partTime limits a run of a job that works in parts. It is shorter than the job timeout of a minute.
const partTime = 40 * time.Second

// runInParts calls run, which continues where an earlier call stopped, for at most partTime. If that time is over, it
// snoozes the job for a second. If ctx ends first, it returns the error of run.
func runInParts(ctx context.Context, run func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	err := run(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return river.JobSnooze(time.Second)
	}
	return err
}
