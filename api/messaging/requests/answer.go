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
// sync. For an ordinary conversation, such as that of a repeated call, the devices only sync.
// Calls count for the limit of sending, because each is an event for the other member.
//
// Accept returns NotFound, also for a request by the actor and a declined one; Forbidden while
// the actor's profile is not shown; and RateLimited.
func (s *Service) Accept(ctx context.Context, actor web.Actor, id uuid.UUID) (conversations.Conversation, error) {
	if err := s.messages.AllowSending(actor); err != nil {
		return conversations.Conversation{}, err
	}
	accepted, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (conversations.Locked, error) {
		c, err := conversations.Lock(ctx, tx, actor.ID, id)
		if err != nil {
			return c, err
		}
		switch {
		case !c.IsRequest:
			return c, nil
		case c.SentRequest:
			return c, errNoRequest()
		case !c.MayWrite:
			return c, conversations.ErrNotShownYet()
		}
		return c, conversations.OpenRequest(ctx, tx, c.ID)
	})
	if err != nil {
		return conversations.Conversation{}, err
	}
	s.conversations.PublishSync(actor.ID, accepted.Peer)
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
