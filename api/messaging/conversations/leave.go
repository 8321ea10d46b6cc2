package conversations

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Leave permanently ends a conversation of the actor and its match, for both members. A request to the actor is declined
// instead, which its sender cannot see. If the conversation has ended, Leave only publishes that again, as
// matching.PublishEndAgain does. It returns NotFound unless the actor is a member of the conversation.
func (s *Service) Leave(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	type result struct {
		declined bool
		ended    matching.Ended // unless declined
	}
	outcome, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (result, error) {
		var peer uuid.UUID
		err := tx.QueryRow(ctx, `
			SELECT CASE user_a WHEN $1 THEN user_b ELSE user_a END
			FROM conversations
			WHERE id = $2
				AND $1 IN (user_a, user_b)`, actor.ID, id).Scan(&peer)
		if err != nil {
			return result{}, err
		}
		if err := matching.LockPair(ctx, tx, actor.ID, peer); err != nil {
			return result{}, err
		}
		declined, err := DeclineRequest(ctx, tx, actor.ID, id)
		if err != nil || declined {
			return result{declined: declined}, err
		}
		ended, err := matching.End(ctx, tx, actor.ID, peer)
		return result{ended: ended}, err
	})
	switch {
	case err != nil:
		return err
	case outcome.declined:
		s.PublishSync(actor.ID)
	default:
		s.matches.PublishEndAgain(outcome.ended)
	}
	return nil
}
