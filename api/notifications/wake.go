package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/matching"
	"heartward/api/messaging"
	"heartward/api/platform/pg"
)

// wakeAgain is how long after a change of quiet hours the member's snoozed jobs
// are woken a second time. A job that read the old hours while they were being
// saved is snoozed after the first time. It is longer than any job may run.
const wakeAgain = 2 * time.Minute

// WakeArgs asks to wake a member's snoozed jobs.
type WakeArgs struct {
	MemberID uuid.UUID `json:"memberId"`
}

// Kind returns the name of the job.
func (WakeArgs) Kind() string { return "wake_snoozed" }

// Wake makes the member's snoozed jobs decide again now. It may run twice.
func (s *Service) Wake(ctx context.Context, args WakeArgs) error {
	return pg.Fault(wakeSnoozed(ctx, s.pool, args.MemberID))
}

// wakeSnoozed makes every snoozed job that would notify the member decide again
// now. River counts in a job's metadata how often it was snoozed; a job that was
// never snoozed waits for another reason, such as likes that are gathered. A job
// that was snoozed for another reason than quiet hours, such as a busy push
// service, asks once more and is snoozed again.
func wakeSnoozed(ctx context.Context, db pg.DB, member uuid.UUID) error {
	for _, snoozed := range []struct {
		args  map[string]any
		kinds []string
	}{
		{map[string]any{"receiverId": member}, []string{messaging.NotifyArgs{}.Kind()}},
		{map[string]any{"memberId": member}, []string{matching.NotifyLikesArgs{}.Kind(), PushArgs{}.Kind()}},
	} {
		_, err := db.Exec(ctx, `
			UPDATE river_job
			SET state = 'available',
				scheduled_at = now()
			WHERE state = 'scheduled'
				AND metadata ? 'snoozes'
				AND args @> $1
				AND kind = ANY ($2)`, snoozed.args, snoozed.kinds)
		if err != nil {
			return err
		}
	}
	return nil
}
