package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
)

// lockedConversation is a conversation from one member's side, whose row is locked until
// the end of the transaction.
type lockedConversation struct {
	ID, Peer  uuid.UUID
	IsRequest bool
	IsSender  bool // of the request
	Declined  bool // by the peer
	MayWrite  bool // the member's own profile is shown
}

// lockConversation locks the conversation that is shown to me and identified by other. Its
// messages do not change until the end of the transaction. It returns ErrNoRows if there is
// none.
func lockConversation(ctx context.Context, tx pgx.Tx, me, other uuid.UUID) (c lockedConversation, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			c.id,
			CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END,
			c.requested_by IS NOT NULL,
			coalesce(c.requested_by = $1, false),
			c.declined_at IS NOT NULL,
			(SELECT u.profile_status = 'active' AND u.is_approved FROM profiles u WHERE u.id = $1)
		FROM conversations c
		WHERE `+isIdentified+`
		FOR NO KEY UPDATE OF c`, me, other).
		Scan(&c.ID, &c.Peer, &c.IsRequest, &c.IsSender, &c.Declined, &c.MayWrite)
	return c, err
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

// recipientOf returns the recipient of a message by sender: me or the peer.
func (c lockedConversation) recipientOf(sender, me uuid.UUID) uuid.UUID {
	if sender == me {
		return c.Peer
	}
	return me
}

// messageState is the state of a message that determines whether a member may change it.
type messageState struct {
	IsSender, Deleted bool
	Type              string
	Reaction          *string // the member's own
}

func (c lockedConversation) messageState(ctx context.Context, tx pgx.Tx, me uuid.UUID, seq int64) (m messageState, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			sender_id = $3,
			deleted_at IS NOT NULL,
			message_type,
			CASE sender_id WHEN $3 THEN sender_reaction ELSE receiver_reaction END
		FROM messages
		WHERE conversation_id = $1
			AND seq = $2`, c.ID, seq, me).
		Scan(&m.IsSender, &m.Deleted, &m.Type, &m.Reaction)
	return m, err
}

func errNotShownYet() error {
	return fault.New(fault.Forbidden, "You can write to others as soon as your own profile is shown.")
}
