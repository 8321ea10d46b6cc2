package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Accept makes a request to the actor an ordinary conversation; the devices of both members
// sync. It does nothing for an ordinary conversation. It returns NotFound, also for a
// request by the actor and a declined one, and Forbidden while the actor's profile is not
// shown.
func (s *Service) Accept(ctx context.Context, actor web.Actor, id uuid.UUID) (Conversation, error) {
	accepted, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (peer uuid.NullUUID, err error) {
		c, err := lockConversation(ctx, tx, actor.ID, id)
		if err != nil {
			return peer, err
		}
		switch {
		case !c.IsRequest:
			return peer, nil
		case c.IsSender:
			return peer, errNoRequest()
		case !c.MayWrite:
			return peer, errNotShownYet()
		}
		return uuid.NullUUID{UUID: c.Peer, Valid: true}, openRequest(ctx, tx, c.ID)
	})
	if err != nil {
		return Conversation{}, err
	}
	if accepted.Valid {
		s.publishSync(actor.ID, accepted.UUID)
	}
	return s.ConversationWith(ctx, actor, id)
}

// Decline permanently hides a request to the actor. Its sender cannot see that it was
// declined. A repeated call changes nothing. It returns NotFound unless it is a request to
// the actor.
func (s *Service) Decline(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		declined, err := declineRequest(ctx, tx, actor.ID, id)
		if err == nil && !declined {
			return errNoRequest()
		}
		return err
	})
	if err == nil {
		s.publishSync(actor.ID)
	}
	return err
}

// declineRequest declines a request to me. It reports whether the conversation is a request
// to me, declined before or not.
func declineRequest(ctx context.Context, tx pgx.Tx, me, id uuid.UUID) (bool, error) {
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

// openRequest makes a request an ordinary conversation.
func openRequest(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE conversations SET
			requested_by = NULL,
			declined_at = NULL,
			changed_xid = pg_current_xact_id()
		WHERE id = $1`, id)
	return err
}

func errNoRequest() error { return fault.New(fault.NotFound, "We could not find that request.") }
