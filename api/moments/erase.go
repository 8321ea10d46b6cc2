package moments

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/pg"
)

// Erase removes the id of a member whose account is deleted from the moments of those who invited
// them. The moments stay. The member's own are deleted with the account.
func Erase(ctx context.Context, db pg.DB, member uuid.UUID) error {
	_, err := db.Exec(ctx, `
		UPDATE shareable_moments
		SET subject_id = gen_random_uuid()
		WHERE moment_type = 'referral'
			AND subject_id = $1`, member)
	return err
}
