package notifications

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/messaging"
)

// wakeHeld lets what waits to tell the member something look again now. River
// counts in a job's metadata how often it was put off; one that never ran waits
// for another reason, as likes that are gathered. Whoever waits for something
// else than quiet hours, such as a busy push service, asks once more and waits
// on. A job that is looking in this very moment does not learn of the change
// and waits as it had decided.
func wakeHeld(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	for _, held := range []struct {
		args  map[string]any
		kinds []string
	}{
		{map[string]any{"receiverId": member}, []string{messaging.NotifyArgs{}.Kind(), PushArgs{}.Kind(), MatchPushArgs{}.Kind()}},
		{map[string]any{"memberId": member}, []string{matching.NotifyLikesArgs{}.Kind()}},
		{map[string]any{"news": map[string]any{"member": member}}, []string{NewsArgs{}.Kind()}},
	} {
		_, err := tx.Exec(ctx, `UPDATE river_job SET state = 'available', scheduled_at = now()
			WHERE state = 'scheduled' AND metadata ? 'snoozes' AND args @> $1 AND kind = ANY ($2)`, held.args, held.kinds)
		if err != nil {
			return err
		}
	}
	return nil
}
