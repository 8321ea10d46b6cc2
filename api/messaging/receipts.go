package messaging

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Newest as a receipt's seq stands for everything there is.
const Newest = int64(math.MaxInt64)

// Receipt says how far the actor's device has received and read. Zero leaves
// a mark where it is.
type Receipt struct {
	DeliveredSeq, ReadSeq int64
}

// raised is what a receipt changed.
type raised struct {
	Conversation, Peer                     uuid.UUID
	OldRead, Read, OldDelivered, Delivered int64
	At                                     time.Time
	IsRequest                              bool // of which the other side hears nothing
	ReadHidden                             bool // by one of the two, or for being a request
}

// Receive notes how far the actor has received and read in the conversation
// that other names. Marks only rise, and never above the last message; what is
// read is delivered too. Both sides are told of a rise, the other only where
// neither keeps reading to themselves, and of nothing in a request. NotFound
// when there is no such conversation.
func (s *Service) Receive(ctx context.Context, actor web.Actor, other uuid.UUID, receipt Receipt) error {
	if receipt.DeliveredSeq < 0 || receipt.ReadSeq < 0 {
		return fault.InvalidField("readSeq", "A message's place is counted from 1.")
	}
	var change raised
	err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if change, err = raise(ctx, tx, actor.ID, other, receipt); err != nil || change.Read == change.OldRead {
			return err
		}
		// A second statement sees what was committed while the first waited.
		_, err = tx.Exec(ctx, `UPDATE messages SET read_at = $5
			WHERE conversation_id = $1 AND seq > $2 AND seq <= $3 AND sender_id = $4 AND read_at IS NULL`,
			change.Conversation, change.OldRead, change.Read, change.Peer, change.At)
		return err
	})
	if err != nil {
		return err
	}
	s.publishReceipt(actor.ID, change)
	return nil
}

func (s *Service) publishReceipt(reader uuid.UUID, change raised) {
	if change.Read > change.OldRead {
		event := bus.Event("", readEvent{"message_read", change.Conversation, reader, change.Read, web.Time(change.At)})
		s.events.Publish(bus.MemberSubject(reader), event) // the other devices drop their badge
		if !change.ReadHidden {
			s.events.Publish(bus.MemberSubject(change.Peer), event)
			return
		}
	}
	if change.Delivered > change.OldDelivered && !change.IsRequest {
		event := bus.Event("", deliveredEvent{"message_delivered", change.Conversation, reader, change.Delivered})
		s.events.Publish(bus.MemberSubject(change.Peer), event)
	}
}

// raise locks the conversation, compares, and writes only what rises.
func raise(ctx context.Context, tx pgx.Tx, me, other uuid.UUID, receipt Receipt) (raised, error) {
	var r raised
	var last int64
	err := tx.QueryRow(ctx, `
		SELECT c.id, CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END, c.last_seq, clock_timestamp(),
			CASE c.user_a WHEN $1 THEN c.a_read_seq ELSE c.b_read_seq END,
			CASE c.user_a WHEN $1 THEN c.a_delivered_seq ELSE c.b_delivered_seq END, c.requested_by IS NOT NULL,
			c.requested_by IS NOT NULL OR EXISTS (SELECT FROM users u WHERE u.id IN (c.user_a, c.user_b) AND u.hide_read_receipts)
		FROM conversations c WHERE`+named+` FOR NO KEY UPDATE OF c`, me, other).
		Scan(&r.Conversation, &r.Peer, &last, &r.At, &r.OldRead, &r.OldDelivered, &r.IsRequest, &r.ReadHidden)
	if err != nil {
		return r, err
	}
	r.Read = max(r.OldRead, min(receipt.ReadSeq, last))
	r.Delivered = max(r.OldDelivered, r.Read, min(receipt.DeliveredSeq, last))
	if r.Read == r.OldRead && r.Delivered == r.OldDelivered {
		return r, nil
	}
	changed := `changed_xid = pg_current_xact_id()`
	if r.IsRequest || r.ReadHidden && r.Delivered == r.OldDelivered {
		changed = ownSideChanged("$2")
	}
	_, err = tx.Exec(ctx, `UPDATE conversations SET `+changed+`,
		a_read_seq = CASE user_a WHEN $2 THEN $3 ELSE a_read_seq END,
		a_delivered_seq = CASE user_a WHEN $2 THEN $4 ELSE a_delivered_seq END,
		b_read_seq = CASE user_b WHEN $2 THEN $3 ELSE b_read_seq END,
		b_delivered_seq = CASE user_b WHEN $2 THEN $4 ELSE b_delivered_seq END
		WHERE id = $1`, r.Conversation, me, r.Read, r.Delivered)
	return r, err
}
