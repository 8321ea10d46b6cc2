package conversations

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
)

// Locked is a conversation from one member's side, whose row is locked until
// the end of the transaction.
type Locked struct {
	ID, Peer    uuid.UUID
	IsRequest   bool
	SentRequest bool // the member is the sender of the request
	Declined    bool // the peer has declined the member's request
	MayWrite    bool // the member's own profile is active and approved
}

// Lock locks the conversation that is shown to me and identified by other. Its
// messages do not change until the end of the transaction. It returns ErrNoRows if there is
// none.
func Lock(ctx context.Context, tx pgx.Tx, me, other uuid.UUID) (Locked, error) {
	rows, _ := tx.Query(ctx, `
		SELECT
			c.id,
			CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END AS peer,
			c.requested_by IS NOT NULL AS is_request,
			coalesce(c.requested_by = $1, false) AS sent_request,
			c.declined_at IS NOT NULL AS declined,
			(SELECT u.profile_status = 'active' AND u.is_approved FROM profiles u WHERE u.id = $1) AS may_write
		FROM conversations c
		WHERE `+IdentifiedSQL+`
		FOR NO KEY UPDATE OF c`, me, other)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Locked])
}

// LockOpen locks an open conversation of member, which is no request and whose other member,
// the peer, is active. Its messages do not change, and it is not closed, until the end of the
// transaction. It returns pgx.ErrNoRows if there is none.
func LockOpen(ctx context.Context, tx pgx.Tx, member, conversation uuid.UUID) (peer uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		SELECT o.id
		FROM conversations c
		JOIN profiles o
			ON o.id = CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END
			AND o.profile_status = 'active'
			AND $1 IN (c.user_a, c.user_b)
			AND c.closed_at IS NULL
			AND c.requested_by IS NULL
		WHERE c.id = $2
		FOR NO KEY UPDATE OF c`, member, conversation).Scan(&peer)
	return peer, err
}

// ErrNotShownYet returns the error for a member who writes while their own profile is not shown.
func ErrNotShownYet() error {
	return fault.New(fault.Forbidden, "You can write to others as soon as your own profile is shown.")
}
