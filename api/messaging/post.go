package messaging

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/media"
	"heartward/api/platform/bus"
	"heartward/api/platform/pg"
)

// PostTx inserts a message of another feature, which did not come through Send,
// into an open conversation, together with its jobs. The conversation stays locked
// until the commit; after it the caller passes the result to Publish. NotFound when
// the sender has no such open conversation or is not shown, Conflict when the
// client id is stored already.
func (s *Service) PostTx(ctx context.Context, tx pgx.Tx, sender, conversation uuid.UUID, out Outgoing) (Stored, error) {
	m, err := s.prepare(sender, out)
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
	stored, err := s.insertTx(ctx, tx, m, false)
	if errors.Is(err, errNotInserted) {
		return Stored{}, whyNotPosted(ctx, tx, m)
	}
	if err != nil {
		return Stored{}, sendFault(err)
	}
	return *stored, nil
}

// whyNotPosted returns the reason for which a posted message was not inserted.
func whyNotPosted(ctx context.Context, tx pgx.Tx, m *Outgoing) error {
	_, _, err := messageByClientID(ctx, tx, m.senderID, m.ClientID)
	if err == nil {
		return errClientIDUsed()
	}
	return pg.Fault(err) // ErrNoRows: the conversation is not open
}

// TouchTx notes that a message changed: it gets the conversation's next rev,
// and both devices find it by that. The conversation stays locked until the
// commit. It answers with the message as its receiver sees it; AnnounceChange
// sends it out, and Message.For fits it to one side. NotFound when it is not there.
func TouchTx(ctx context.Context, tx pgx.Tx, conversation uuid.UUID, seq int64) (Message, error) {
	var rev int64
	err := tx.QueryRow(ctx, `UPDATE conversations SET last_rev = last_rev + 1, changed_xid = pg_current_xact_id()
		WHERE id = $1 AND $2 BETWEEN 1 AND last_seq RETURNING last_rev`, conversation, seq).Scan(&rev)
	if err != nil {
		return Message{}, pg.Fault(err)
	}
	var receiver uuid.UUID
	err = tx.QueryRow(ctx, `UPDATE messages m SET rev = $3 FROM conversations c
		WHERE m.conversation_id = $1 AND m.seq = $2 AND c.id = $1
		RETURNING CASE m.sender_id WHEN c.user_a THEN c.user_b ELSE c.user_a END`, conversation, seq, rev).Scan(&receiver)
	if err != nil {
		return Message{}, pg.Fault(err)
	}
	var m Message
	var files []media.Row
	err = tx.QueryRow(ctx, `SELECT `+messageColumns+` FROM messages m WHERE m.conversation_id = $2 AND m.seq = $3`, receiver, conversation, seq).
		Scan(m.scanTargets(&files)...)
	m.finish(files)
	return m, pg.Fault(err)
}

// For is the message as one side may see it: what the filter found is not told
// to the one who wrote it.
func (m Message) For(viewer uuid.UUID) Message {
	if viewer == m.SenderID {
		m.Flag = nil
	}
	return m
}

// AnnounceChange tells both sides of a message that TouchTx noted, after the
// commit; recipient is the one who did not write it.
func (s *Service) AnnounceChange(message Message, recipient uuid.UUID) {
	for _, side := range []uuid.UUID{message.SenderID, recipient} {
		s.announceTo(side, message)
	}
}

// announceTo tells one side of a message that changed.
func (s *Service) announceTo(side uuid.UUID, message Message) {
	s.events.Publish(bus.MemberSubject(side), bus.Event("", changedEvent{"message_changed", message.For(side)}))
}
