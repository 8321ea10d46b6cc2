package messages

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// The number of conversations that a member may begin in a day by writing the first message
// to a match is limited. oncePerConversation counts each conversation once, even if the
// first message is sent repeatedly.
var (
	newConversationsPerDay = limits.Rule{Name: "new-conversations", Count: 20, Per: 24 * time.Hour,
		Message: "You have started twenty conversations today. You can start more tomorrow."}
	oncePerConversation = limits.Rule{Name: "new-conversation", Count: 1, Per: 24 * time.Hour}
)

// allowFirstMessage counts a message if it is the first of its conversation. It allows a
// message without an open conversation, because storing it fails anyway.
func (s *Service) allowFirstMessage(ctx context.Context, sender, recipient uuid.UUID) error {
	if s.started == nil || s.started.has(sender, recipient) {
		return nil
	}
	var id uuid.UUID
	var empty bool
	err := s.pool.QueryRow(ctx, `
		SELECT
			id,
			last_seq = 0 AND requested_by IS NULL
		FROM conversations
		WHERE user_a = least($1::uuid, $2::uuid)
			AND user_b = greatest($1::uuid, $2::uuid)
			AND closed_at IS NULL`, sender, recipient).Scan(&id, &empty)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	if !empty {
		s.started.add(sender, recipient)
		return nil
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		err := limits.Allow(ctx, tx, oncePerConversation, sender.String()+" "+id.String())
		if fault.Is(err, fault.RateLimited) {
			return nil // counted before
		}
		if err != nil {
			return err
		}
		return limits.Allow(ctx, tx, newConversationsPerDay, sender.String())
	})
}

// startedCache caches the pairs whose conversation has messages, so that a node does not
// query it again for each message.
type startedCache struct {
	mu    sync.Mutex
	pairs map[[2]uuid.UUID]struct{} // sender, recipient
}

func (c *startedCache) has(sender, recipient uuid.UUID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.pairs[[2]uuid.UUID{sender, recipient}]
	return ok
}

func (c *startedCache) add(sender, recipient uuid.UUID) {
	const maxPairs = 100_000
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pairs == nil || len(c.pairs) >= maxPairs {
		c.pairs = map[[2]uuid.UUID]struct{}{}
	}
	c.pairs[[2]uuid.UUID{sender, recipient}] = struct{}{}
}
