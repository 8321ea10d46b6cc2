package moderation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// checkImpartial returns Forbidden if one of the members of a case is a match of the admin, and another admin can decide who is
// not. A nil member is none.
func checkImpartial(ctx context.Context, tx pgx.Tx, admin uuid.UUID, of ...*uuid.UUID) error {
	var isWithheld bool
	err := tx.QueryRow(ctx, `SELECT $2::uuid[] && ARRAY(SELECT withheld_from($1)) AND another_can_judge($1, $2)`, admin, of).Scan(&isWithheld)
	if err == nil && isWithheld {
		return errForAnotherAdmin
	}
	return pg.Fault(err)
}
