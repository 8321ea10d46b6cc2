package matching

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// UnansweredLike is an unanswered like whose sender the recipient may see.
type UnansweredLike struct {
	ID        uuid.UUID
	Kind      Kind
	FirstName string // of the sender
}

const unansweredSinceSQL = `
	SELECT
		r.id,
		r.like_type AS kind,
		u.first_name
	FROM` + unansweredLikes + `
	WHERE r.created_at > @after
		AND NOT EXISTS (SELECT FROM online_members o WHERE o.user_id = @viewer)
	ORDER BY r.created_at DESC, r.id DESC
	LIMIT 100`

// UnansweredSince returns at most 100 of the likes of Received that are newer than after, the newest first. It returns none
// while the member is connected, because the socket has received the events.
func UnansweredSince(ctx context.Context, db pg.DB, member uuid.UUID, after time.Time) ([]UnansweredLike, error) {
	rows, _ := db.Query(ctx, unansweredSinceSQL, pgx.NamedArgs{"viewer": member, "after": after})
	return pgx.CollectRows(rows, pgx.RowToStructByName[UnansweredLike])
}
