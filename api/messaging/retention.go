package messaging

import (
	"context"

	"heartward/api/platform/pg"
)

// DeleteEndedConversations deletes at most limit conversations that ended 180 days ago, with
// their messages, files and dates, and returns their number. Each is deleted by one statement
// under the lock of its row, so that a conversation which a new match opens is kept whole.
func DeleteEndedConversations(ctx context.Context, db pg.DB, limit int) (int, error) {
	for deleted := range limit {
		tag, err := db.Exec(ctx, `
			DELETE FROM conversations
			WHERE id = ANY (ARRAY(
				SELECT id
				FROM conversations
				WHERE closed_at < now() - interval '180 days'
				ORDER BY closed_at
				LIMIT 1
				FOR UPDATE SKIP LOCKED))`)
		if err != nil || tag.RowsAffected() == 0 {
			return deleted, pg.Fault(err)
		}
	}
	return limit, nil
}
