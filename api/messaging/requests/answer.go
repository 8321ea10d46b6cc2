package requests

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/conversations"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Accept makes a request to the actor an ordinary conversation; the devices of both members
// sync. It does nothing for an ordinary conversation. It returns NotFound, also for a
// request by the actor and a declined one, and Forbidden while the actor's profile is not
// shown.
func (s *Service) Accept(ctx context.Context, actor web.Actor, id uuid.UUID) (conversations.Conversation, error) {
	accepted, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (peer uuid.NullUUID, err error) {
		c, err := conversations.Lock(ctx, tx, actor.ID, id)
		if err != nil {
			return peer, err
		}
		switch {
		case !c.IsRequest:
			return peer, nil
		case c.SentRequest:
			return peer, errNoRequest()
		case !c.MayWrite:
			return peer, conversations.ErrNotShownYet()
		}
		return uuid.NullUUID{UUID: c.Peer, Valid: true}, conversations.OpenRequest(ctx, tx, c.ID)
	})
	if err != nil {
		return conversations.Conversation{}, err
	}
	if accepted.Valid {
		s.conversations.PublishSync(actor.ID, accepted.UUID)
	}
	return s.conversations.Get(ctx, actor, id)
}

// Decline permanently hides a request to the actor. Its sender cannot see that it was
// declined. A repeated call changes nothing. It returns NotFound unless it is a request to
// the actor.
func (s *Service) Decline(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		declined, err := conversations.DeclineRequest(ctx, tx, actor.ID, id)
		if err == nil && !declined {
			return errNoRequest()
		}
		return err
	})
	if err == nil {
		s.conversations.PublishSync(actor.ID)
	}
	return err
}

func errNoRequest() error { return fault.New(fault.NotFound, "We could not find that request.") }
