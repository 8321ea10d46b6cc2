package activity

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/web"
)

// PageSQL is the statement of List.
var PageSQL = pageSQL

// PageArgs returns the arguments of PageSQL for the first page.
func PageArgs(member uuid.UUID, limit int) pgx.NamedArgs {
	return pageArgs(member, web.StartCursor, limit)
}
