package conversations

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// InsertRequest inserts the conversation of a request, without its message. The caller has locked the pair in tx, and has found
// that the two have no conversation.
func InsertRequest(ctx context.Context, tx pgx.Tx, id, sender, recipient uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO conversations (id, user_a, user_b, requested_by)
		VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $2)`, id, sender, recipient)
	return err
}

// DeclineRequest declines a request to me. It reports whether the conversation is a request
// to me, declined before or not.
func DeclineRequest(ctx context.Context, tx pgx.Tx, me, id uuid.UUID) (bool, error) {
	tag, err := tx.Exec(ctx, `
		UPDATE conversations SET
			declined_at = coalesce(declined_at, now()),
			`+setSideChanged+`
		WHERE id = $2
			AND $1 IN (user_a, user_b)
			AND closed_at IS NULL
			AND requested_by <> $1`, me, id)
	return tag.RowsAffected() > 0, err
}

// OpenRequest makes a request an ordinary conversation, even if it was declined. The caller has locked the conversation or its
// pair in tx, and has found that it is an open request.
func OpenRequest(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE conversations SET
			requested_by = NULL,
			declined_at = NULL,
			changed_xid = pg_current_xact_id()
		WHERE id = $1`, id)
	return err
}
