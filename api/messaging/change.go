package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// audience is the members whose devices sync after a change of a message.
type audience int

const (
	noAudience  audience = iota // nothing changed
	actorOnly                   // the change is hidden from the other member
	bothMembers                 // the message gets a new rev
)

// changedMessage is a message after a change, with the audience of the change.
type changedMessage struct {
	message      Message
	conversation lockedConversation
	audience     audience
}

// changeMessage calls change under the lock of the conversation that other identifies.
// change writes the change and returns its audience, whose devices sync and get an event.
// The changes of a member are rate limited, because each is an event for the other.
func (s *Service) changeMessage(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64,
	change func(tx pgx.Tx, c lockedConversation, m messageState) (audience, error),
) (Message, error) {
	if err := s.changes.Allow(actor.ID); err != nil {
		return Message{}, fault.Limited("That was a lot at once. Please wait a moment.", fault.From(err).RetryAfter)
	}
	changed, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (changedMessage, error) {
		c, err := lockConversation(ctx, tx, actor.ID, other)
		if err != nil {
			return changedMessage{}, err
		}
		before, err := c.messageState(ctx, tx, actor.ID, seq)
		if err != nil {
			return changedMessage{}, err
		}
		audience, err := change(tx, c, before)
		if err != nil {
			return changedMessage{}, err
		}
		message, err := touchFor(ctx, tx, audience, actor.ID, c.ID, seq)
		return changedMessage{message, c, audience}, err
	})
	if err != nil {
		return Message{}, err
	}
	message, c := changed.message, changed.conversation
	switch {
	case changed.audience == actorOnly, changed.audience == bothMembers && c.Declined: // the request is hidden from the other
		s.publishChangeTo(actor.ID, message)
	case changed.audience == bothMembers:
		s.PublishChange(message, c.recipientOf(message.SenderID, actor.ID))
	}
	return message.For(actor.ID), nil
}

// touchFor makes the devices of the audience sync, and returns the changed message.
func touchFor(ctx context.Context, tx pgx.Tx, audience audience, actor, conversation uuid.UUID, seq int64) (Message, error) {
	switch audience {
	case bothMembers:
		return TouchTx(ctx, tx, conversation, seq)
	case actorOnly:
		if err := touchSide(ctx, tx, actor, conversation); err != nil {
			return Message{}, err
		}
	}
	return messageBySeq(ctx, tx, actor, conversation, seq)
}

// TouchTx sets the conversation's next rev on a changed message, so that both members'
// devices fetch it. The conversation stays locked until the commit. TouchTx returns the
// message from the recipient's side, which the caller passes to PublishChange after the
// commit. It returns NotFound for an unknown message.
func TouchTx(ctx context.Context, tx pgx.Tx, conversation uuid.UUID, seq int64) (Message, error) {
	var rev int64
	err := tx.QueryRow(ctx, `
		UPDATE conversations SET
			last_rev = last_rev + 1,
			changed_xid = pg_current_xact_id()
		WHERE id = $1
			AND $2 BETWEEN 1 AND last_seq
		RETURNING last_rev`, conversation, seq).Scan(&rev)
	if err != nil {
		return Message{}, pg.Fault(err)
	}
	var recipient uuid.UUID
	err = tx.QueryRow(ctx, `
		UPDATE messages m SET rev = $3
		FROM conversations c
		WHERE m.conversation_id = $1
			AND m.seq = $2
			AND c.id = $1
		RETURNING CASE m.sender_id WHEN c.user_a THEN c.user_b ELSE c.user_a END`, conversation, seq, rev).Scan(&recipient)
	if err != nil {
		return Message{}, pg.Fault(err)
	}
	m, err := messageBySeq(ctx, tx, recipient, conversation, seq)
	return m, pg.Fault(err)
}

// touchSide makes the devices of one member of the conversation sync.
func touchSide(ctx context.Context, tx pgx.Tx, member, conversation uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE conversations SET `+setSideChanged+`
		WHERE id = $2`, member, conversation)
	return err
}

// setSideChanged are assignments of an UPDATE of conversations that make only the devices
// of member $1 sync.
const setSideChanged = `
	a_changed_xid = CASE user_a WHEN $1 THEN pg_current_xact_id() ELSE a_changed_xid END,
	b_changed_xid = CASE user_b WHEN $1 THEN pg_current_xact_id() ELSE b_changed_xid END`

// PublishChange publishes a changed message to both members, to each with the fields that
// the member may see. It must be called after the commit.
func (s *Service) PublishChange(message Message, recipient uuid.UUID) {
	for _, member := range []uuid.UUID{message.SenderID, recipient} {
		s.publishChangeTo(member, message)
	}
}

func (s *Service) publishChangeTo(member uuid.UUID, message Message) {
	s.events.Publish(bus.MemberSubject(member), bus.Event("", changedEvent{"message_changed", message.For(member)}))
}
