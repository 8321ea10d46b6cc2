package moments

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Erase removes the id of a member whose account is deleted from the moments of those who invited
// them, which stay; there are few. The member's own are deleted with the account.
func Erase(ctx context.Context, pool *pgxpool.Pool, member uuid.UUID, _ int) error {
	_, err := pool.Exec(ctx, `
		UPDATE shareable_moments
		SET subject_id = gen_random_uuid()
		WHERE moment_type = 'referral'
			AND subject_id = $1`, member)
	return err
}
