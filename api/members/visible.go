package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// VisibleIDs returns those of ids whose members the viewer may see, in any order.
func VisibleIDs(ctx context.Context, db pg.DB, viewer uuid.UUID, ids []uuid.UUID) ([]uuid.UUID, error) {
	rows, _ := db.Query(ctx, `
		SELECT id
		FROM visible_members(@viewer)
		WHERE id = ANY(@ids)`, pgx.NamedArgs{"viewer": viewer, "ids": ids})
	visible, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	return visible, pg.Fault(err)
}
