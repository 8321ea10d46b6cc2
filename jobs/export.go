package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"heartward/api/export"
)

// exportWorker makes archives, one at a time in each process, so that a burst of requests
// leaves workers for other jobs.
type exportWorker struct {
	river.WorkerDefaults[export.MakeArgs]
	s    *export.Service
	slot chan struct{} // has room for one run
}

const (
	// exportTimeout is shorter than the hour after which blobs without a row are removed.
	exportTimeout = 30 * time.Minute
	// exportRetry is the delay of a job that started while another one was running.
	exportRetry = 5 * time.Second
)

func newExportWorker(s *export.Service) *exportWorker {
	return &exportWorker{s: s, slot: make(chan struct{}, 1)}
}

func (w *exportWorker) Timeout(*river.Job[export.MakeArgs]) time.Duration { return exportTimeout }

// Work makes the archive. After the last attempt it records the failure, which the member
// sees.
func (w *exportWorker) Work(ctx context.Context, job *river.Job[export.MakeArgs]) error {
	select {
	case w.slot <- struct{}{}:
		defer func() { <-w.slot }()
	default:
		return river.JobSnooze(exportRetry)
	}
	err := w.s.Make(ctx, job.Args.ExportID)
	if err != nil && job.Attempt >= job.MaxAttempts {
		return errors.Join(err, w.s.Fail(context.WithoutCancel(ctx), job.Args.ExportID))
	}
	return err
}
