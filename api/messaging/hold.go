package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/media"
	"heartward/api/platform/fault"
)

// held is a conversation whose row is locked until the end of the transaction,
// as one of its members sees it.
type held struct {
	ID, Peer  uuid.UUID
	IsRequest bool
	Mine      bool // a request that the member has made
	Declined  bool // by the other
	MayWrite  bool // the member's own profile is shown
}

// hold locks the conversation shown to me that other names. What is read of its
// messages afterwards stays as it is. ErrNoRows when there is none.
func hold(ctx context.Context, tx pgx.Tx, me, other uuid.UUID) (h held, err error) {
	err = tx.QueryRow(ctx, `SELECT c.id, CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END, c.requested_by IS NOT NULL,
			coalesce(c.requested_by = $1, false), c.declined_at IS NOT NULL,
			(SELECT u.profile_status = 'active' AND u.is_approved FROM users u WHERE u.id = $1)
		FROM conversations c WHERE`+named+` FOR NO KEY UPDATE OF c`, me, other).Scan(&h.ID, &h.Peer, &h.IsRequest, &h.Mine, &h.Declined, &h.MayWrite)
	return h, err
}

// receiverOf is the one of the two who did not write what sender wrote.
func (h held) receiverOf(sender, me uuid.UUID) uuid.UUID {
	if sender == me {
		return h.Peer
	}
	return me
}

// heldMessage is what decides about a change of a message.
type heldMessage struct {
	Mine, Deleted bool
	Type          string
	Reaction      *string // the member's own
}

func (h held) message(ctx context.Context, tx pgx.Tx, me uuid.UUID, seq int64) (m heldMessage, err error) {
	err = tx.QueryRow(ctx, `SELECT sender_id = $3, deleted_at IS NOT NULL, message_type,
			CASE sender_id WHEN $3 THEN sender_reaction ELSE receiver_reaction END
		FROM messages WHERE conversation_id = $1 AND seq = $2`, h.ID, seq, me).
		Scan(&m.Mine, &m.Deleted, &m.Type, &m.Reaction)
	return m, err
}

func notShownYet() error {
	return fault.New(fault.Forbidden, "You can write to others as soon as your own profile is shown.")
}

// scanWith scans the messageColumns and what follows them.
func scanWith(row pgx.Row, m *Message, rest ...any) error {
	var files []media.Row
	err := row.Scan(append(m.scanTargets(&files), rest...)...)
	m.finish(files)
	return err
}
