package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heartward/api/digest"
)

// digestTickWorker starts the weekly digest when it is due.
type digestTickWorker struct {
	river.WorkerDefaults[digest.TickArgs]
	s *digest.Service
}

func (w *digestTickWorker) Work(ctx context.Context, _ *river.Job[digest.TickArgs]) error {
	return w.s.Tick(ctx, time.Now())
}

// enqueueDigestsWorker enqueues the mails of a run of the digest.
type enqueueDigestsWorker struct {
	river.WorkerDefaults[digest.EnqueueArgs]
	s *digest.Service
}

func (w *enqueueDigestsWorker) Work(ctx context.Context, job *river.Job[digest.EnqueueArgs]) error {
	return runInParts(ctx, func(ctx context.Context) error { return w.s.Enqueue(ctx, job.Args.Week) })
}

// sendDigestWorker mails one digest. The row of the digest makes a repeated job harmless.
type sendDigestWorker struct {
	river.WorkerDefaults[digest.SendArgs]
	s *digest.Service
}

func (w *sendDigestWorker) Work(ctx context.Context, job *river.Job[digest.SendArgs]) error {
	return w.s.Send(ctx, job.Args, job.Attempt >= job.MaxAttempts)
}

// addDigest registers the workers of the weekly digest.
func addDigest(r *registry, s *digest.Service) {
	addWorker(r, &digestTickWorker{s: s})
	addWorker(r, &enqueueDigestsWorker{s: s})
	addWorker(r, &sendDigestWorker{s: s})
}
