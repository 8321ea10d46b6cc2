package live

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

const heartbeatEvery = 15 * time.Second

// presence keeps the table of who is connected where in step with the hub.
// Comings and goings are gathered while the last batch is written, so that
// thousands who reconnect at once cost a few statements.
type presence struct {
	hub  *Hub
	wake chan struct{}

	mu    sync.Mutex
	dirty map[uuid.UUID]struct{}
	shown map[uuid.UUID]struct{} // in the table, by this node; of run alone
}

func newPresence(h *Hub) *presence {
	return &presence{hub: h, wake: make(chan struct{}, 1), dirty: map[uuid.UUID]struct{}{}, shown: map[uuid.UUID]struct{}{}}
}

// changed notes that a member's first socket came or the last one went.
func (p *presence) changed(id uuid.UUID) {
	p.mu.Lock()
	p.dirty[id] = struct{}{}
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *presence) run() {
	heartbeat := time.NewTicker(heartbeatEvery)
	defer heartbeat.Stop()
	defer p.leave()
	for {
		select {
		case <-p.hub.ctx.Done():
			return
		case <-heartbeat.C:
			p.try("heartbeat", p.heartbeat)
		case <-p.wake:
			p.try("presence", p.flush)
		}
	}
}

func (p *presence) try(what string, fn func(context.Context) error) {
	ctx, cancel := context.WithTimeout(p.hub.ctx, 5*time.Second)
	defer cancel()
	if err := fn(ctx); err != nil && p.hub.ctx.Err() == nil {
		slog.Warn("presence not written", "step", what, "error", err)
	}
}

// heartbeat renews all rows of this node, and mends what a failure left.
func (p *presence) heartbeat(ctx context.Context) error {
	if err := p.flush(ctx); err != nil {
		return err
	}
	return upsertPresence(ctx, p.hub.deps.Pool, p.hub.node, keys(p.shown))
}

// leave takes this node out of the table. Members are not told: those who were
// here are on their way to another node.
func (p *presence) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if _, err := p.hub.deps.Pool.Exec(ctx, `DELETE FROM presence WHERE node = $1`, p.hub.node); err != nil {
		slog.Warn("presence not cleared", "error", err)
	}
}

// flush writes what changed and tells the matched members who are online.
func (p *presence) flush(ctx context.Context) (err error) {
	p.mu.Lock()
	dirty := keys(p.dirty)
	clear(p.dirty)
	p.mu.Unlock()
	came, went := []uuid.UUID{}, []uuid.UUID{}
	for _, id := range dirty {
		_, shown := p.shown[id]
		if is := p.hub.has(id); is && !shown {
			came = append(came, id)
		} else if !is && shown {
			went = append(went, id)
		}
	}
	if len(came)+len(went) == 0 {
		return nil
	}
	changes, err := writePresence(ctx, p.hub.deps.Pool, p.hub.node, came, went)
	if err != nil {
		p.mu.Lock() // the next heartbeat tries again
		for _, id := range dirty {
			p.dirty[id] = struct{}{}
		}
		p.mu.Unlock()
		return err
	}
	for _, id := range came {
		p.shown[id] = struct{}{}
	}
	for _, id := range went {
		delete(p.shown, id)
	}
	now := web.Time(time.Now())
	for _, c := range changes {
		p.hub.deps.Bus.Publish(bus.MemberSubject(c.Peer),
			bus.Event("", statusChanged{"user_status_changed", c.Member, c.Online, &now}))
	}
	return nil
}

func keys(set map[uuid.UUID]struct{}) []uuid.UUID {
	list := make([]uuid.UUID, 0, len(set))
	for id := range set {
		list = append(list, id)
	}
	return list
}

// statusChange is a peer to be told of a member who came or went.
type statusChange struct {
	Member, Peer uuid.UUID
	Online       bool
}

func upsertPresence(ctx context.Context, db pg.DB, node uuid.UUID, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := db.Exec(ctx, `INSERT INTO presence (user_id, node) SELECT unnest($2::uuid[]), $1
		ON CONFLICT (user_id, node) DO UPDATE SET seen_at = now()`, node, ids)
	return err
}

// writePresence enters and takes out members, and answers with the peers to be
// told: those online themselves, of members who were on no other node. Whoever
// goes was here just now.
func writePresence(ctx context.Context, pool *pgxpool.Pool, node uuid.UUID, came, went []uuid.UUID) ([]statusChange, error) {
	var changes []statusChange
	err := pg.Tx(ctx, pool, func(tx pgx.Tx) error {
		if err := upsertPresence(ctx, tx, node, came); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM presence WHERE node = $1 AND user_id = ANY($2)`, node, went); err != nil {
			return err
		}
		if err := members.TouchMany(ctx, tx, went); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			SELECT m.id, peer.id, m.id = ANY($2)
			FROM unnest($2::uuid[] || $3::uuid[]) AS m (id)
			JOIN conversations c ON m.id IN (c.user_a, c.user_b) AND c.closed_at IS NULL AND c.requested_by IS NULL
			CROSS JOIN LATERAL (SELECT CASE c.user_a WHEN m.id THEN c.user_b ELSE c.user_a END AS id) peer
			WHERE NOT EXISTS (SELECT FROM presence o WHERE o.user_id = m.id AND o.node <> $1 AND o.seen_at > now() - $4::interval)
				AND EXISTS (SELECT FROM presence o WHERE o.user_id = peer.id AND o.seen_at > now() - $4::interval)
				AND NOT EXISTS (SELECT FROM users h WHERE h.id IN (m.id, peer.id) AND h.hide_online)`,
			node, came, went, fresh)
		if err != nil {
			return err
		}
		changes, err = pgx.CollectRows(rows, pgx.RowToStructByPos[statusChange])
		return err
	})
	return changes, err
}

// fresh is how old a row may be; a node that died leaves older ones.
const fresh = 35 * time.Second

// onlinePeers are the members with whom id has an open conversation and who
// have a socket open somewhere, where neither hides that.
func onlinePeers(ctx context.Context, db pg.DB, id uuid.UUID) ([]uuid.UUID, error) {
	rows, err := db.Query(ctx, `
		SELECT DISTINCT p.user_id FROM conversations c
		JOIN presence p ON p.user_id = CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END
		WHERE $1 IN (c.user_a, c.user_b) AND c.closed_at IS NULL AND c.requested_by IS NULL AND p.seen_at > now() - $2::interval
			AND NOT EXISTS (SELECT FROM users h WHERE h.id IN ($1, p.user_id) AND h.hide_online)`, id, fresh)
	if err != nil {
		return nil, pg.Fault(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if list == nil {
		list = []uuid.UUID{}
	}
	return list, pg.Fault(err)
}
