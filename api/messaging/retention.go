package messaging

import (
	"context"

	"heartward/api/platform/feature"
	"heartward/api/platform/pg"
)

// endedRetention is how long a conversation is stored after its end.
var endedRetention = feature.After(180*feature.Day, "closed_at", "the conversation ended")

// DeleteEndedConversations deletes at most limit conversations that ended at least 180 days ago, with their messages, files,
// dates and the likes of the two, and returns their number. Each is deleted by one statement under the lock of its row, so that
// nothing is deleted of a conversation that a new match opens again.
func DeleteEndedConversations(ctx context.Context, db pg.DB, limit int) (int, error) {
	for deleted := range limit {
		var n int
		err := db.QueryRow(ctx, `
			WITH ended AS (
				DELETE FROM conversations
				WHERE id = ANY (ARRAY(
					SELECT id
					FROM conversations
					WHERE `+endedRetention.Due()+`
					ORDER BY closed_at
					LIMIT 1
					FOR UPDATE SKIP LOCKED))
				RETURNING user_a, user_b
			)
			SELECT count(delete_likes(user_a, user_b))
			FROM ended`).Scan(&n)
		if err != nil || n == 0 {
			return deleted, pg.Fault(err)
		}
	}
	return limit, nil
}
