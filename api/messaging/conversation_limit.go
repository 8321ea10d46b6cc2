package messaging

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

// How many conversations a member may begin a day, by writing first to a match.
// Each is counted once, however often its first message is sent.
var (
	beginningsADay = limits.Rule{Name: "new-conversations", Count: 20, Per: 24 * time.Hour,
		Message: "You have begun twenty conversations today. You can begin more tomorrow."}
	beginning = limits.Rule{Name: "new-conversation", Count: 1, Per: 24 * time.Hour}
)

// allowBeginning counts a message that would be the first of a conversation.
// Without an open conversation it does nothing: storing the message fails then.
func (s *Service) allowBeginning(ctx context.Context, me, other uuid.UUID) error {
	if s.begun == nil || s.begun.has(me, other) {
		return nil
	}
	var id uuid.UUID
	var empty bool
	err := s.pool.QueryRow(ctx, `
		SELECT id, last_seq = 0 AND requested_by IS NULL
		FROM conversations
		WHERE user_a = least($1::uuid, $2::uuid)
			AND user_b = greatest($1::uuid, $2::uuid)
			AND closed_at IS NULL`, me, other).Scan(&id, &empty)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	if !empty {
		s.begun.add(me, other)
		return nil
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		err := limits.Allow(ctx, tx, beginning, me.String()+" "+id.String())
		if fault.Is(err, fault.RateLimited) {
			return nil // counted before
		}
		if err != nil {
			return err
		}
		return limits.Allow(ctx, tx, beginningsADay, me.String())
	})
}

// begunHints remembers pairs whose conversation has messages, so that only the
// first messages that a node sees of it ask the database. Forgetting a pair costs
// one query.
type begunHints struct {
	mu    sync.Mutex
	pairs map[[2]uuid.UUID]struct{} // sender, receiver
}

func (h *begunHints) has(me, other uuid.UUID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.pairs[[2]uuid.UUID{me, other}]
	return ok
}

func (h *begunHints) add(me, other uuid.UUID) {
	const most = 100_000
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pairs == nil || len(h.pairs) >= most {
		h.pairs = map[[2]uuid.UUID]struct{}{}
	}
	h.pairs[[2]uuid.UUID{me, other}] = struct{}{}
}
