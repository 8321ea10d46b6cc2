package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heartward/api/referrals"
)

// invitationWorker mails an invitation to a friend. The claim of the mailbox makes a repeated job harmless.
type invitationWorker struct {
	river.WorkerDefaults[referrals.SendArgs]
	s *referrals.Service
}

func (w *invitationWorker) Work(ctx context.Context, job *river.Job[referrals.SendArgs]) error {
	return w.s.Send(ctx, job.Args, job.Attempt >= job.MaxAttempts)
}
