package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/delivery"
)

// mailProblemWorker publishes that the address of a member takes no mail, or takes mail again.
type mailProblemWorker struct {
	river.WorkerDefaults[delivery.ChangedArgs]
	s *delivery.Service
}

func (w *mailProblemWorker) Work(_ context.Context, job *river.Job[delivery.ChangedArgs]) error {
	w.s.PublishChange(job.Args)
	return nil
}

// addDelivery registers the workers of the delivery of mails.
func addDelivery(r *registry, pool *pgxpool.Pool, s *delivery.Service) {
	addUrgent(r, &mailProblemWorker{s: s})
	addMail(r, pool, s.SendCheck)
}
