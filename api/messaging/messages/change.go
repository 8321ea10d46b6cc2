package messages

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/conversations"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Audience is the members whose devices sync after a change of a message, and get an event.
type Audience int

// The audiences of a change. For a repeated call, which changes nothing, the event is only published again: the earlier call
// may have published nothing, because its connection was lost at COMMIT.
const (
	NoAudience       Audience = iota // nothing has changed
	ActorOnly                        // the change is hidden from the other member
	BothMembers                      // the message gets a new rev
	ActorOnlyAgain                   // a repeated call for ActorOnly
	BothMembersAgain                 // a repeated call for BothMembers
)

// changedMessage is a message after a change, from the side of its recipient, with the audience of the change.
type changedMessage struct {
	message    Message
	recipient  uuid.UUID
	isDeclined bool // the message is a request of the actor that its recipient has declined
	audience   Audience
}

// Change calls change under the lock of the conversation that other identifies.
// change writes the change, unless the call is a repetition, and returns its audience.
// The changes of a member are rate limited, because each is an event for the other. Change
// returns the error of change, RateLimited, and NotFound if there is no such message.
func (s *Service) Change(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64,
	change func(tx pgx.Tx, c conversations.Locked, m State) (Audience, error),
) (Message, error) {
	if err := s.changes.Allow(actor.ID); err != nil {
		return Message{}, fault.From(err).Saying("That was a lot at once. Please wait a moment.")
	}
	changed, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (changedMessage, error) {
		c, err := conversations.Lock(ctx, tx, actor.ID, other)
		if err != nil {
			return changedMessage{}, err
		}
		before, err := selectState(ctx, tx, actor.ID, c.ID, seq)
		if err != nil {
			return changedMessage{}, err
		}
		audience, err := change(tx, c, before)
		if err != nil {
			return changedMessage{}, err
		}
		recipient := actor.ID
		if before.IsSender {
			recipient = c.Peer
		}
		message, err := touchFor(ctx, tx, audience, actor.ID, c.ID, recipient, seq)
		return changedMessage{message, recipient, c.Declined, audience}, err
	})
	if err != nil {
		return Message{}, err
	}
	switch changed.audience {
	case ActorOnly, ActorOnlyAgain:
		s.PublishChangeTo(actor.ID, changed.message)
	case BothMembers, BothMembersAgain:
		switch {
		case changed.message.Rev == 0: // it has never changed, so there is no earlier call
		case changed.isDeclined: // the request is hidden from the other
			s.PublishChangeTo(actor.ID, changed.message)
		default:
			s.PublishChange(changed.message, changed.recipient)
		}
	}
	return changed.message.For(actor.ID), nil
}

// touchFor makes the devices of the audience of a change sync, and returns the message from the side of its recipient.
func touchFor(ctx context.Context, tx pgx.Tx, audience Audience, actor, conversation, recipient uuid.UUID, seq int64) (Message, error) {
	switch audience {
	case BothMembers:
		return TouchTx(ctx, tx, conversation, seq)
	case ActorOnly:
		if err := conversations.TouchSide(ctx, tx, actor, conversation); err != nil {
			return Message{}, err
		}
	}
	return BySeq(ctx, tx, recipient, conversation, seq)
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
	m, err := BySeq(ctx, tx, recipient, conversation, seq)
	return m, pg.Fault(err)
}

// PublishChange publishes a changed message to both members, to each with the fields that
// the member may see. It must be called after the commit.
func (s *Service) PublishChange(message Message, recipient uuid.UUID) {
	for _, member := range []uuid.UUID{message.SenderID, recipient} {
		s.PublishChangeTo(member, message)
	}
}

// PublishChangeTo publishes a changed message to one member, with the fields that the member may
// see. It must be called after the commit.
func (s *Service) PublishChangeTo(member uuid.UUID, message Message) {
	s.events.Publish(bus.MemberSubject(member), bus.Event("", changedEvent{"message_changed", message.For(member)}))
}

// State is the state of a message that determines whether a member may change it.
type State struct {
	IsSender, Deleted bool
	Type              string
	Reaction          *string // the member's own
}

func selectState(ctx context.Context, tx pgx.Tx, me, conversation uuid.UUID, seq int64) (m State, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			sender_id = $3,
			deleted_at IS NOT NULL,
			message_type,
			CASE sender_id WHEN $3 THEN sender_reaction ELSE receiver_reaction END
		FROM messages
		WHERE conversation_id = $1
			AND seq = $2`, conversation, seq, me).
		Scan(&m.IsSender, &m.Deleted, &m.Type, &m.Reaction)
	return m, err
}
