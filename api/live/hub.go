// Package live is the WebSocket hub: who is connected to this node, what they
// send, and what the bus has for them. It keeps nothing that matters; what is
// lost here a client finds by GET /api/sync.
package live

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/messaging"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/web"
)

// The reasons for which the server closes a socket, beside those of RFC 6455.
const (
	CloseRestart   = 1012 // reconnect at once
	CloseSignedOut = 4001 // do not reconnect
	CloseForbidden = 4003
	CloseTooSlow   = 4008 // reconnect and sync
	CloseTooMany   = 4011 // sockets of this member or address
	CloseFlood     = 4029 // reconnect after 10 s
)

// Bus is what the hub needs of the platform's bus.
type Bus interface {
	Publish(subject string, data []byte)
	Subscribe(subject string, fn func(data []byte)) (unsubscribe func())
	OnGap(fn func())
}

// Limits keep one client from taking what others need. They hold on each node.
type Limits struct {
	SocketsPerMember  int
	SocketsPerAddress int // of all members: a mobile network shows thousands of them under one address
	FramesPerSecond   int // sustained; ten times as many at once
}

// DefaultLimits are those of the product; scale is RATE_LIMIT_SCALE and
// stretches only the one by address.
func DefaultLimits(scale float64) Limits {
	return Limits{SocketsPerMember: 5, SocketsPerAddress: max(1, int(1000*scale)), FramesPerSecond: 12}
}

// Deps are the hub's surroundings. All are needed but Client, Origin and Timing.
type Deps struct {
	Pool         *pgxpool.Pool
	Bus          Bus
	Messaging    *messaging.Service
	Authenticate func(ctx context.Context, token string) (web.Actor, error)
	Holds        func(ctx context.Context, actor web.Actor) error // whether the session of an open socket still lasts
	Cookie       string                                           // the name of the session's cookie
	Client       func(fiber.Ctx) string                           // the caller's address; nil: the connection's
	Origin       string                                           // the site's own, of PUBLIC_URL; empty: only the request's own host
	// AllowNoOrigin lets programs in that send no Origin. Browsers always do.
	AllowNoOrigin bool
	Limits        Limits
	Timing        Timing // zero values stand for the product's
}

// Timing is how often sockets are looked after.
type Timing struct {
	Ping    time.Duration // 25 s
	Dead    time.Duration // 55 s without a word from the client
	Silent  time.Duration // 35 s, after which the client counts as offline
	Beat    time.Duration // 2 s, in which who fell silent is noticed
	Recheck time.Duration // 5 min, of the session
	Typing  time.Duration // 8 s, until a writer who says no more has stopped
}

func (t Timing) orDefault() Timing {
	return Timing{
		Ping: cmp.Or(t.Ping, 25*time.Second), Dead: cmp.Or(t.Dead, 55*time.Second), Recheck: cmp.Or(t.Recheck, 5*time.Minute),
		Silent: cmp.Or(t.Silent, fresh), Beat: cmp.Or(t.Beat, 2*time.Second), Typing: cmp.Or(t.Typing, typingFor),
	}
}

// Hub holds this node's sockets. Safe for concurrent use.
type Hub struct {
	deps     Deps
	node     uuid.UUID
	begun    time.Time // clock counts from here
	presence *presence
	stop     context.CancelFunc
	ctx      context.Context // ends when the hub does
	loops    sync.WaitGroup
	open     sync.WaitGroup // one for each socket
	gap      chan struct{}  // has a value while sockets must be told to sync

	unsubscribe func() // from ends of sessions

	mu        sync.Mutex
	closing   bool
	members   map[uuid.UUID]*member
	sessions  map[uuid.UUID][]*socket
	ended     recent
	addresses map[string]int
}

// member is someone with sockets on this node, and their place on the bus.
type member struct {
	mu          sync.RWMutex
	sockets     []*socket
	unsubscribe func()
}

// New starts a hub; Shutdown ends it. It panics when a dependency is nil.
func New(deps Deps) *Hub {
	nilcheck.Must("live.New", nilcheck.Deps{
		"Pool": deps.Pool, "Bus": deps.Bus, "Messaging": deps.Messaging, "Authenticate": deps.Authenticate, "Holds": deps.Holds,
	})
	ctx, stop := context.WithCancel(context.Background())
	deps.Timing = deps.Timing.orDefault()
	h := &Hub{
		deps: deps, node: uuid.Must(uuid.NewV7()), begun: time.Now(), ctx: ctx, stop: stop,
		members: map[uuid.UUID]*member{}, sessions: map[uuid.UUID][]*socket{}, addresses: map[string]int{},
		gap: make(chan struct{}, 1),
	}
	h.presence = newPresence(h)
	h.unsubscribe = deps.Bus.Subscribe("session.*", h.sessionEnded)
	deps.Bus.OnGap(h.RequestResync)
	h.loops.Go(h.presence.run)
	h.loops.Go(h.beat)
	h.loops.Go(h.recheck)
	h.loops.Go(h.resync)
	return h
}

// Node names this process in the presence table.
func (h *Hub) Node() uuid.UUID { return h.node }

// Sockets is how many are open here, for the metrics.
func (h *Hub) Sockets() int { return len(h.all()) }

// Shutdown refuses new sockets, closes all with 1012, so that clients go to
// another node at once, and waits for them until ctx ends. Members are not
// announced as offline; see presence.leave.
func (h *Hub) Shutdown(ctx context.Context) error {
	h.mu.Lock()
	h.closing = true
	h.mu.Unlock()
	h.presence.stop()
	h.each(func(s *socket) { s.close(CloseRestart, "restarting", time.Second) })
	done := make(chan struct{})
	go func() { h.open.Wait(); close(done) }()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = ctx.Err()
		h.each(func(s *socket) { s.conn.Close() })
	}
	h.unsubscribe()
	h.stop()
	h.loops.Wait()
	return err
}

// serve takes over a connection that was let in, and returns at once, so that
// the HTTP server's memory for the request is free again.
func (h *Hub) serve(conn *websocket.Conn, who hello) {
	s := newSocket(h, conn, who)
	if code, reason := h.add(s); code != 0 {
		s.refuse(code, reason)
		return
	}
	go s.read()
	s.send(encode(identified{"identified", s.actor.ID}))
}

// add enters a socket everywhere it has to be found, or says why not.
func (h *Hub) add(s *socket) (code int, reason string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return CloseRestart, "restarting"
	}
	if h.ended.has(s.actor.SessionID) {
		return CloseSignedOut, "signed out"
	}
	if h.addresses[s.address] >= h.deps.Limits.SocketsPerAddress {
		return CloseTooMany, "too many connections from this address"
	}
	m := h.members[s.actor.ID]
	if m == nil {
		m = h.subscribe(s.actor.ID)
		h.members[s.actor.ID] = m
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.sockets) >= h.deps.Limits.SocketsPerMember {
		return CloseTooMany, "too many connections of this member"
	}
	m.sockets = append(m.sockets, s)
	h.addresses[s.address]++
	h.sessions[s.actor.SessionID] = append(h.sessions[s.actor.SessionID], s)
	h.open.Add(1)
	if len(m.sockets) == 1 {
		h.presence.changed(s.actor.ID)
	}
	return 0, ""
}

// remove undoes add, once.
func (h *Hub) remove(s *socket) {
	if h.forget(s) {
		s.stopTyping(time.Time{})
	}
}

func (h *Hub) forget(s *socket) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.removed {
		return false
	}
	s.removed = true
	if h.addresses[s.address]--; h.addresses[s.address] == 0 {
		delete(h.addresses, s.address)
	}
	if rest := without(h.sessions[s.actor.SessionID], s); len(rest) > 0 {
		h.sessions[s.actor.SessionID] = rest
	} else {
		delete(h.sessions, s.actor.SessionID)
	}
	m := h.members[s.actor.ID]
	m.mu.Lock()
	m.sockets = without(m.sockets, s)
	last := len(m.sockets) == 0
	m.mu.Unlock()
	if last {
		delete(h.members, s.actor.ID)
		m.unsubscribe()
		h.presence.changed(s.actor.ID)
	}
	return true
}

func without(list []*socket, gone *socket) []*socket {
	rest := make([]*socket, 0, len(list))
	for _, s := range list {
		if s != gone {
			rest = append(rest, s)
		}
	}
	return rest
}

// each calls fn for all sockets, without a lock held.
func (h *Hub) each(fn func(*socket)) {
	for _, s := range h.all() {
		fn(s)
	}
}

func (h *Hub) all() (all []*socket) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.members {
		m.mu.RLock()
		all = append(all, m.sockets...)
		m.mu.RUnlock()
	}
	return all
}

// clock is the time since the hub began, which nobody can set back.
func (h *Hub) clock() time.Duration { return time.Since(h.begun) }

// lastHeard is when any of a member's sockets here was last heard, by clock.
func (h *Hub) lastHeard(id uuid.UUID) (at time.Duration, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m, ok := h.members[id]
	if ok {
		at = m.lastHeard()
	}
	return at, ok
}

// eachHeard calls fn for all members here with the time they were last heard.
func (h *Hub) eachHeard(fn func(id uuid.UUID, at time.Duration)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, m := range h.members {
		fn(id, m.lastHeard())
	}
}

func (m *member) lastHeard() (at time.Duration) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, s := range m.sockets {
		at = max(at, time.Duration(s.heardAt.Load()))
	}
	return at
}
