package messages

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// PostTx inserts a message of another feature into an open conversation, together with its
// jobs. The conversation stays locked until the commit, after which the caller passes the
// result to Publish. It returns NotFound if the sender has no such open conversation or is
// not shown, and Conflict if the client id is already stored.
func (s *Service) PostTx(ctx context.Context, tx pgx.Tx, sender, conversation uuid.UUID, out Outgoing) (Stored, error) {
	m, err := s.Prepare(sender, out)
	if err != nil {
		return Stored{}, err
	}
	err = tx.QueryRow(ctx, `
		SELECT CASE user_a WHEN $2 THEN user_b ELSE user_a END
		FROM conversations
		WHERE id = $1
			AND $2 IN (user_a, user_b)`, conversation, sender).Scan(&m.RecipientID)
	if err != nil {
		return Stored{}, pg.Fault(err)
	}
	stored, err := s.InsertTx(ctx, tx, m, false)
	if errors.Is(err, errNotInserted) {
		return Stored{}, errNotPosted(ctx, tx, m)
	}
	if err != nil {
		return Stored{}, sendFault(err)
	}
	return *stored, nil
}

// errNotPosted returns the error for a posted message that was not inserted.
func errNotPosted(ctx context.Context, tx pgx.Tx, m *Outgoing) error {
	_, err := ByClientID(ctx, tx, m.senderID, m.RecipientID, m.ClientID)
	if err == nil {
		return errClientIDUsed()
	}
	return pg.Fault(err) // ErrNoRows: the conversation is not open
}
