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

// UnansweredSince returns at most 100 likes that the member received after the time
// and has not answered, as in the list of received likes, the newest first. It returns none while the member is connected,
// because the socket has received the events.
func UnansweredSince(ctx context.Context, db pg.DB, member uuid.UUID, after time.Time) ([]UnansweredLike, error) {
	rows, err := db.Query(ctx, `
		SELECT
			r.id,
			r.like_type,
			u.first_name
		FROM `+unansweredLikes+`
			AND r.created_at > @after
			AND NOT EXISTS (SELECT FROM online_members o WHERE o.user_id = @viewer)
		ORDER BY r.created_at DESC, r.id DESC
		LIMIT 100`, pgx.NamedArgs{"viewer": member, "after": after})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[UnansweredLike])
}
