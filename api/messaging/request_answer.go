package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Accept makes the request of that id, which waits for the actor's answer, an
// ordinary conversation; both are told. Where it is one already it stays so.
// Fails with NotFound, also for the own request and one that was declined, and
// Forbidden while the actor's own profile is not shown.
func (s *Service) Accept(ctx context.Context, actor web.Actor, id uuid.UUID) (Conversation, error) {
	peer, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) {
		h, err := hold(ctx, tx, actor.ID, id)
		if err != nil {
			return uuid.Nil, err
		}
		switch {
		case !h.IsRequest:
			return uuid.Nil, nil
		case h.Mine:
			return uuid.Nil, noRequest()
		case !h.MayWrite:
			return uuid.Nil, notShownYet()
		}
		return h.Peer, openRequest(ctx, tx, h.ID)
	})
	if err != nil {
		return Conversation{}, err
	}
	if peer != uuid.Nil {
		s.publishSync(actor.ID, peer)
	}
	return s.ConversationWith(ctx, actor, id)
}

// Decline hides the request of that id from the actor for good. Whoever wrote
// it goes on waiting and is told nothing. Declining again changes nothing.
// NotFound unless it is a request to the actor.
func (s *Service) Decline(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		declined, err := decline(ctx, tx, actor.ID, id)
		if err == nil && !declined {
			return noRequest()
		}
		return err
	})
	if err == nil {
		s.publishSync(actor.ID)
	}
	return err
}

// decline reports whether the conversation is a request to me, which it then
// was or is declined.
func decline(ctx context.Context, tx pgx.Tx, me, id uuid.UUID) (bool, error) {
	tag, err := tx.Exec(ctx, `UPDATE conversations SET declined_at = coalesce(declined_at, now()), `+ownSideChanged("$1")+`
		WHERE id = $2 AND $1 IN (user_a, user_b) AND closed_at IS NULL AND requested_by <> $1`, me, id)
	return tag.RowsAffected() > 0, err
}

// openRequest makes a request an ordinary conversation.
func openRequest(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE conversations SET requested_by = NULL, declined_at = NULL, changed_xid = pg_current_xact_id()
		WHERE id = $1`, id)
	return err
}

func noRequest() error { return fault.New(fault.NotFound, "We could not find that request.") }
