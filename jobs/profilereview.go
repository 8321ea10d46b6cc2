package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/profilereview"
)

// releaseWorker accepts the profiles that wait after reviews were turned off, in runs of a limited
// length.
type releaseWorker struct {
	river.WorkerDefaults[profilereview.ReleaseArgs]
	s *profilereview.Service
}

// Work releases one batch, and is run again if more wait.
func (w *releaseWorker) Work(ctx context.Context, _ *river.Job[profilereview.ReleaseArgs]) error {
	more, err := w.s.Release(ctx)
	if err == nil && more {
		return river.JobSnooze(time.Second)
	}
	return err
}

// addProfileReview registers the workers of reviews of profiles.
func addProfileReview(r *registry, pool *pgxpool.Pool, deps Deps) {
	addWorker(r, &releaseWorker{s: deps.ProfileReview})
	addMail(r, pool, func(ctx context.Context, args profilereview.OutcomeArgs) error {
		return profilereview.SendOutcome(ctx, pool, deps.Mail, args)
	})
	addMail(r, pool, func(ctx context.Context, args profilereview.BirthDateArgs) error {
		return profilereview.SendBirthDate(ctx, pool, deps.Mail, args)
	})
}
