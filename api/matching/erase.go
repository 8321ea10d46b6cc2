package matching

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/pg"
)

// erasures delete at most $2 rows of member $1, or about that member, from a table that has
// many rows for each member.
var erasures = []string{
	`DELETE FROM user_likes WHERE id IN (SELECT id FROM user_likes WHERE $1 IN (from_user_id, to_user_id) LIMIT $2)`,
	`DELETE FROM user_passes WHERE ctid = ANY (ARRAY(
		SELECT ctid FROM user_passes WHERE $1 IN (from_user_id, to_user_id) LIMIT $2))`,
	`DELETE FROM matches WHERE id IN (SELECT id FROM matches WHERE $1 IN (user_a, user_b) LIMIT $2)`,
}

// Erase deletes at most limit rows of a leaving member from each table of likes, passes and
// matches, also those of others about the member, and returns their number.
func Erase(ctx context.Context, db pg.DB, member uuid.UUID, limit int) (int, error) {
	erased := 0
	for _, sql := range erasures {
		tag, err := db.Exec(ctx, sql, member, limit)
		if err != nil {
			return erased, err
		}
		erased += int(tag.RowsAffected())
	}
	return erased, nil
}
