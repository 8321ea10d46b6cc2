package activity

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/web"
)

// PageSQL is the query of a page.
var PageSQL = pageSQL

// PageArgs are those of the first page.
func PageArgs(member uuid.UUID, limit int) pgx.NamedArgs {
	return pageArgs(member, web.StartCursor, limit)
}
