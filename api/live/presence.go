package live

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

// presence writes which members are online on this node to PostgreSQL. Changes
// are collected while the last batch is written, so that thousands of reconnects
// cost a few statements.
//
// A row contains the time of the member's last frame, not whether a socket is open,
// because a broken connection may stay open for long. An idle client sends a pong for
// each ping, and the next renewal writes its time, so its row is never older than the
// online window.
type presence struct {
	hub    *Hub
	wake   chan struct{}
	ctx    context.Context // cancelled by stop, before the hub's
	cancel context.CancelFunc
	ended  chan struct{} // closed when run returns

	announced map[uuid.UUID]time.Duration // last frame of each row that this node wrote; used by run only

	mu    sync.Mutex
	dirty map[uuid.UUID]struct{} // members to write; guarded by mu
}

func newPresence(h *Hub) *presence {
	ctx, cancel := context.WithCancel(h.ctx)
	return &presence{
		hub: h, wake: make(chan struct{}, 1), ctx: ctx, cancel: cancel, ended: make(chan struct{}),
		dirty: map[uuid.UUID]struct{}{}, announced: map[uuid.UUID]time.Duration{},
	}
}

// changed marks a member whose first socket opened, whose last one closed, or who
// sent a frame after being offline.
func (p *presence) changed(id uuid.UUID) {
	p.mu.Lock()
	p.dirty[id] = struct{}{}
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// stop ends run and waits for it. Nothing is written or announced afterwards.
func (p *presence) stop() {
	p.cancel()
	<-p.ended
}

func (p *presence) run() {
	defer close(p.ended)
	beat := time.NewTicker(p.hub.deps.Timing.Renew)
	defer beat.Stop()
	defer p.extendRows()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-beat.C:
			p.attempt("renew", p.renew)
		case <-p.wake:
			p.attempt("presence", p.flush)
		}
	}
}

func (p *presence) attempt(what string, fn func(context.Context) error) {
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	if err := fn(ctx); err != nil && p.ctx.Err() == nil {
		slog.Warn("presence not written", "step", what, "error", err)
	}
}

// renew updates the rows of members who sent frames since the last write, removes those
// of members who went offline or were on a dead node, and repeats failed writes.
func (p *presence) renew(ctx context.Context) error {
	now, offlineAfter := p.hub.clock(), p.hub.deps.Timing.OfflineAfter
	var due []uuid.UUID
	p.hub.eachMember(func(id uuid.UUID, receivedAt time.Duration) {
		written, announced := p.announced[id]
		responsive := now-receivedAt < offlineAfter
		if responsive != announced || responsive && receivedAt > written && now-written >= offlineAfter/2 {
			due = append(due, id)
		}
	})
	p.markDirty(due)
	return p.write(ctx, true)
}

// flush writes the changed members.
func (p *presence) flush(ctx context.Context) error { return p.write(ctx, false) }

// extendRows extends the rows of this node's members by 35 s, in which they reconnect to
// another node. The sweep of another node, or of this one's successor, then removes the
// rows and announces as offline the members who did not reconnect.
func (p *presence) extendRows() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := renewNode(ctx, p.hub.deps.Pool, p.hub.node); err != nil {
		slog.Warn("presence not renewed", "error", err)
	}
}

// write stores the members who joined, renewed or left, and publishes the changes to
// peers who are online. A failed write is repeated at the next renewal.
func (p *presence) write(ctx context.Context, sweep bool) error {
	dirty := p.drainDirty()
	all := p.classify(dirty)
	if all.empty() && !sweep {
		return nil
	}
	changes, err := p.hub.writePresence(ctx, all, sweep)
	if err != nil {
		p.markDirty(dirty)
		return err
	}
	for _, s := range slices.Concat(all.joined, all.renewed) {
		p.announced[s.Member] = s.At
	}
	for _, s := range all.left {
		delete(p.announced, s.Member)
	}
	for _, c := range changes {
		seen := web.Time(c.Seen.Truncate(lastSeenBin))
		p.hub.deps.Bus.Publish(bus.MemberSubject(c.Peer),
			bus.Event("", statusChanged{"user_status_changed", c.Member, c.Online, &seen}))
	}
	return nil
}

// classify compares the members with the rows that this node wrote.
func (p *presence) classify(ids []uuid.UUID) (all heartbeats) {
	now := p.hub.clock()
	for _, id := range ids {
		receivedAt, here := p.hub.lastFrame(id)
		if !here {
			receivedAt = now // the last socket closed just now
		}
		written, announced := p.announced[id]
		switch responsive := here && now-receivedAt < p.hub.deps.Timing.OfflineAfter; {
		case responsive && !announced:
			all.joined = append(all.joined, heartbeat{id, receivedAt})
		case responsive:
			all.renewed = append(all.renewed, heartbeat{id, receivedAt})
		case announced:
			all.left = append(all.left, heartbeat{id, max(receivedAt, written)})
		}
	}
	return all
}

func (p *presence) drainDirty() (ids []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.dirty {
		ids = append(ids, id)
	}
	clear(p.dirty)
	return ids
}

func (p *presence) markDirty(ids []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range ids {
		p.dirty[id] = struct{}{}
	}
}
