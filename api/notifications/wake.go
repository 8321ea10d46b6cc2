package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/matching"
	"heartward/api/messaging/messages"
	"heartward/api/platform/pg"
)

// secondWakeDelay is the time between the two wake-ups after a change of quiet hours. A job that read the old hours
// before the change can be snoozed after the first wake-up. The second one wakes it, because the delay is longer
// than the timeout of these jobs.
const secondWakeDelay = 2 * time.Minute

// Wake reschedules the member's snoozed jobs to run now. It may run twice.
func (s *Service) Wake(ctx context.Context, args WakeArgs) error {
	return pg.Fault(wakeSnoozed(ctx, s.pool, args.MemberID))
}

// wakeSnoozed reschedules every snoozed notification job of the member to run now. River
// counts the snoozes of a job in its metadata. A scheduled job without snoozes waits for
// another reason, such as collecting likes, and is not rescheduled. A job that was
// snoozed for another reason than quiet hours, such as a busy push service, runs once
// more and is snoozed again.
func wakeSnoozed(ctx context.Context, db pg.DB, member uuid.UUID) error {
	for _, snoozed := range []struct {
		args  map[string]any
		kinds []string
	}{
		{map[string]any{"recipientId": member}, []string{messages.NotifyArgs{}.Kind()}},
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
