package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// React gives the message at seq, of the conversation that other names, the
// actor's reaction, one emoji, in place of the one it had; an empty one takes
// it back. Own messages may have one as well. The same again changes nothing.
//
// Fails with Invalid (not one emoji), Forbidden (the own profile is not shown),
// NotFound, and Conflict for a message that was taken back and in a request,
// where nothing is told of the receiver.
func (s *Service) React(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64, emoji string) (Message, error) {
	if emoji != "" && !isEmoji(emoji) {
		return Message{}, fault.InvalidField("emoji", "A reaction is one emoji.")
	}
	return s.change(ctx, actor, other, seq, func(tx pgx.Tx, h held, m heldMessage) (audience, error) {
		switch {
		case !h.MayWrite:
			return nobody, notShownYet()
		case h.IsRequest:
			return nobody, fault.New(fault.Conflict, "You can react once the request is accepted.")
		case m.Deleted:
			if emoji == "" {
				return nobody, nil
			}
			return nobody, fault.New(fault.Conflict, "This message was taken back.")
		case emoji == orEmpty(m.Reaction):
			return nobody, nil
		}
		_, err := tx.Exec(ctx, `UPDATE messages SET
			sender_reaction = CASE sender_id WHEN $3 THEN nullif($4, '') ELSE sender_reaction END,
			receiver_reaction = CASE sender_id WHEN $3 THEN receiver_reaction ELSE nullif($4, '') END
			WHERE conversation_id = $1 AND seq = $2`, h.ID, seq, actor.ID, emoji)
		return both, err
	})
}

// audience is who learns that a message is another now.
type audience int

const (
	nobody    audience = iota
	actorOnly          // and nothing of the conversation may look different to the other
	both
)

// change lets do decide and write under the conversation's lock, and say who is
// told: each time is a frame to their sockets, so there is a limit. What both are told of gets a rev; what the actor alone is told of gets
// none, as the other would see it.
func (s *Service) change(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64,
	do func(tx pgx.Tx, h held, m heldMessage) (audience, error),
) (Message, error) {
	if err := s.touches.allow(actor.ID); err != nil {
		return Message{}, fault.Limited("That was a lot at once. Please wait a moment.", fault.From(err).RetryAfter)
	}
	changed, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (changedMessage, error) {
		h, err := hold(ctx, tx, actor.ID, other)
		if err != nil {
			return changedMessage{}, err
		}
		before, err := h.message(ctx, tx, actor.ID, seq)
		if err != nil {
			return changedMessage{}, err
		}
		who, err := do(tx, h, before)
		if err != nil {
			return changedMessage{}, err
		}
		message, err := touchFor(ctx, tx, who, actor.ID, h.ID, seq)
		return changedMessage{message, h, who}, err
	})
	if err != nil {
		return Message{}, err
	}
	message, h := changed.message, changed.conversation
	switch who := changed.audience; {
	case who == actorOnly, who == both && h.Declined: // the other has seen the last of it
		s.announceTo(actor.ID, message)
	case who == both:
		s.AnnounceChange(message, h.receiverOf(message.SenderID, actor.ID))
	}
	return message.For(actor.ID), nil
}

// changedMessage is a message after a change, and who is told of it.
type changedMessage struct {
	message      Message
	conversation held
	audience     audience
}

// touchFor makes the devices of the audience read the message again, and returns
// it as it then is.
func touchFor(ctx context.Context, tx pgx.Tx, who audience, actor, conversation uuid.UUID, seq int64) (Message, error) {
	switch who {
	case both:
		return TouchTx(ctx, tx, conversation, seq)
	case actorOnly:
		if err := touchSide(ctx, tx, actor, conversation); err != nil {
			return Message{}, err
		}
	}
	return messageAt(ctx, tx, actor, conversation, seq)
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
