package dates

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/pg"
)

// Erase deletes at most limit dates of the conversations of a leaving member, with their
// links and feedback, and returns their number. It deletes dates that the other member proposed too, because both members
// may have written the plan.
func Erase(ctx context.Context, db pg.DB, member uuid.UUID, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		DELETE FROM dates
		WHERE id IN (
			SELECT d.id
			FROM conversation_sides c
			JOIN dates d ON d.conversation_id = c.conversation_id
			WHERE c.member_id = $1
			LIMIT $2)`, member, limit)
	return int(tag.RowsAffected()), err
}
