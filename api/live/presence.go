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

// presence keeps the table of who is online where in step with the hub. Comings
// and goings are gathered while the last batch is written, so that thousands who
// reconnect at once cost a few statements.
//
// A row says when a socket of the member was last heard, whatever the hub still
// holds: a connection may be long gone before anybody notices. An idle client is
// heard after each ping and written down at the beat after that, so that its row
// never gets as old as a silent one's.
type presence struct {
	hub    *Hub
	wake   chan struct{}
	ctx    context.Context // ends with stop, before the hub's
	cancel context.CancelFunc
	ended  chan struct{} // closed when run has returned

	mu    sync.Mutex
	dirty map[uuid.UUID]struct{}
	shown map[uuid.UUID]time.Duration // in the table, by this node, and when heard by that; of run alone
}

func newPresence(h *Hub) *presence {
	ctx, cancel := context.WithCancel(h.ctx)
	return &presence{
		hub: h, wake: make(chan struct{}, 1), ctx: ctx, cancel: cancel, ended: make(chan struct{}),
		dirty: map[uuid.UUID]struct{}{}, shown: map[uuid.UUID]time.Duration{},
	}
}

// changed notes that a member's first socket came, the last one went, or one
// was heard that had been silent.
func (p *presence) changed(id uuid.UUID) {
	p.mu.Lock()
	p.dirty[id] = struct{}{}
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// stop ends run and waits for it. From then on nothing is written or announced.
func (p *presence) stop() {
	p.cancel()
	<-p.ended
}

func (p *presence) run() {
	defer close(p.ended)
	beat := time.NewTicker(p.hub.deps.Timing.Beat)
	defer beat.Stop()
	defer p.leave()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-beat.C:
			p.try("beat", p.beat)
		case <-p.wake:
			p.try("presence", p.flush)
		}
	}
}

func (p *presence) try(what string, fn func(context.Context) error) {
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	if err := fn(ctx); err != nil && p.ctx.Err() == nil {
		slog.Warn("presence not written", "step", what, "error", err)
	}
}

// beat renews the rows of members heard since the last time, removes those who
// fell silent here or were on a node that ended, and repeats what failed.
func (p *presence) beat(ctx context.Context) error {
	now, silent := p.hub.clock(), p.hub.deps.Timing.Silent
	var due []uuid.UUID
	p.hub.eachHeard(func(id uuid.UUID, heard time.Duration) {
		written, shown := p.shown[id]
		alive := now-heard < silent
		if alive != shown || alive && heard > written && now-written >= silent/2 {
			due = append(due, id)
		}
	})
	p.note(due)
	return p.write(ctx, true)
}

// flush writes what changed.
func (p *presence) flush(ctx context.Context) error { return p.write(ctx, false) }

// leave gives the members of this node 35 s to connect to another one. Their
// rows stay; the sweep of another node, or of this one's successor, removes them
// and announces as offline those who did not connect anywhere.
func (p *presence) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := renewNode(ctx, p.hub.deps.Pool, p.hub.node); err != nil {
		slog.Warn("presence not renewed", "error", err)
	}
}

// write enters who came, went or was heard again, and tells the matched members
// who are online. What fails is tried again at the next beat.
func (p *presence) write(ctx context.Context, sweep bool) error {
	dirty := p.takeDirty()
	all := p.sort(dirty)
	if all.none() && !sweep {
		return nil
	}
	changes, err := p.hub.writePresence(ctx, all, sweep)
	if err != nil {
		p.note(dirty)
		return err
	}
	for _, s := range slices.Concat(all.came, all.again) {
		p.shown[s.Member] = s.Heard
	}
	for _, s := range all.went {
		delete(p.shown, s.Member)
	}
	for _, c := range changes {
		seen := web.Time(c.Seen.Truncate(lastSeenBin))
		p.hub.deps.Bus.Publish(bus.MemberSubject(c.Peer),
			bus.Event("", statusChanged{"user_status_changed", c.Member, c.Online, &seen}))
	}
	return nil
}

// sort says what came of those of whom something may have changed.
func (p *presence) sort(ids []uuid.UUID) (all sightings) {
	now := p.hub.clock()
	for _, id := range ids {
		heard, here := p.hub.lastHeard(id)
		if !here {
			heard = now // their last socket closed just now
		}
		written, shown := p.shown[id]
		switch alive := here && now-heard < p.hub.deps.Timing.Silent; {
		case alive && !shown:
			all.came = append(all.came, sighting{id, heard})
		case alive:
			all.again = append(all.again, sighting{id, heard})
		case shown:
			all.went = append(all.went, sighting{id, max(heard, written)})
		}
	}
	return all
}

func (p *presence) takeDirty() (ids []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.dirty {
		ids = append(ids, id)
	}
	clear(p.dirty)
	return ids
}

func (p *presence) note(ids []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range ids {
		p.dirty[id] = struct{}{}
	}
}
