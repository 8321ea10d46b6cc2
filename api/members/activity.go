package members

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/pg"
)

// Touch sets the last activity of the member to now. A session calls it at most once a
// minute. It does nothing for a deleted member.
func Touch(ctx context.Context, db pg.DB, id uuid.UUID) error {
	now := time.Now()
	tag, err := db.Exec(ctx, `
		UPDATE member_activity
		SET last_active_at = $2
		WHERE user_id = $1`, id, now)
	if err != nil || tag.RowsAffected() > 0 {
		return pg.Fault(err)
	}
	return insertActivity(ctx, db, []uuid.UUID{id}, now)
}

// TouchMany sets to now the last activity of members whose last socket closed, unless it is
// less than a minute old. The rows are locked in the order of their ids, so that two nodes
// cannot deadlock.
func TouchMany(ctx context.Context, db pg.DB, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	now := time.Now()
	_, err := db.Exec(ctx, `
		WITH stale AS (
			SELECT user_id
			FROM member_activity
			WHERE user_id = ANY($1)
				AND last_active_at < $2::timestamptz - interval '1 minute'
			ORDER BY user_id
			FOR NO KEY UPDATE
		)
		UPDATE member_activity a
		SET last_active_at = $2::timestamptz
		FROM stale
		WHERE a.user_id = stale.user_id`, ids, now)
	if err != nil {
		return pg.Fault(err)
	}
	return insertActivity(ctx, db, ids, now)
}

// insertActivity inserts the first activity of members who have none. It is separate from
// the updates, because an INSERT with ON CONFLICT writes more WAL than an UPDATE. The lock
// prevents a concurrent delete of the member, which would violate the foreign key.
func insertActivity(ctx context.Context, db pg.DB, ids []uuid.UUID, at time.Time) error {
	_, err := db.Exec(ctx, `
		INSERT INTO member_activity (user_id, last_active_at)
		SELECT u.id, $2
		FROM users u
		WHERE u.id = ANY($1)
			AND NOT EXISTS (SELECT FROM member_activity a WHERE a.user_id = u.id)
		ORDER BY u.id
		FOR KEY SHARE OF u
		ON CONFLICT (user_id) DO NOTHING`, ids, at)
	return pg.Fault(err)
}
