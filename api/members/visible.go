package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// Conditions on a row u of users or profiles: who is shown, and to whom.
const (
	// Searched is a condition: the member can be found by search. Incognito members can be
	// found only by members whom they like.
	Searched = `(u.profile_status = 'active' AND u.is_approved AND NOT u.is_graduated AND NOT ` + Paused + `)`

	// Shown is a condition: the member is shown to everyone.
	Shown = `(` + Searched + ` AND NOT u.incognito)`

	// LikesViewer is a condition: the member has liked the viewer.
	LikesViewer = `EXISTS (SELECT FROM likes l WHERE l.member_id = u.id AND l.peer_id = @viewer)`
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
