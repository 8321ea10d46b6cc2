// Package live is the WebSocket hub of one node: it accepts sockets, handles
// the frames that clients send, forwards the events of the bus, and maintains
// presence. Apart from presence it stores nothing: a client that misses an event gets
// the change from GET /api/sync.
package live

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/messaging"
	"heartward/api/platform/bus"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/web"
)

// Close codes of the server, in addition to those of RFC 6455.
const (
	CloseRestart   = 1012 // reconnect within the window that the reason names
	CloseSignedOut = 4001 // do not reconnect
	CloseForbidden = 4003 // do not reconnect
	CloseTooSlow   = 4008 // reconnect and sync
	CloseTooMany   = 4011 // sockets of this member or address
	CloseFlood     = 4029 // reconnect after 10 s
)

// Bus is the part of the platform's bus that the hub uses.
type Bus interface {
	Publish(subject string, data []byte)
	Subscribe(subject string, fn func(data []byte)) (unsubscribe func())
	OnGap(fn func())
}

// Limits protect a node from a single client. They apply to each node.
type Limits struct {
	SocketsPerMember  int
	SocketsPerAddress int // of all members together: carrier NAT puts thousands of them behind one address
	FramesPerSecond   int // sustained rate; the burst is ten times as large
}

// DefaultLimits returns the product's limits. scale is RATE_LIMIT_SCALE and
// multiplies the limit per address only.
func DefaultLimits(scale float64) Limits {
	return Limits{SocketsPerMember: 5, SocketsPerAddress: max(1, int(1000*scale)), FramesPerSecond: 12}
}

// Deps are the hub's dependencies. Client, Origin and Timing are optional.
type Deps struct {
	Pool         *pgxpool.Pool
	Bus          Bus
	Messaging    *messaging.Service
	Authenticate func(ctx context.Context, token string) (web.Actor, error)
	CheckSession func(ctx context.Context, actor web.Actor) error // nil while the session of an open socket is valid
	Cookie       string                                           // name of the session cookie
	Client       func(fiber.Ctx) string                           // returns the client's address; nil: the connection's
	Origin       string                                           // of PUBLIC_URL; empty: only the request's own host is allowed
	// AllowNoOrigin accepts clients that send no Origin header. Browsers always send it.
	AllowNoOrigin bool
	Limits        Limits
	Timing        Timing // zero values select the defaults
}

// Timing holds the hub's intervals; the comments give the defaults.
type Timing struct {
	Ping         time.Duration // 25 s
	ReadTimeout  time.Duration // 55 s without a frame: the connection is closed
	OfflineAfter time.Duration // 35 s without a frame: the member counts as offline
	Renew        time.Duration // 2 s, between updates of the presence table
	Recheck      time.Duration // 5 min, between checks of the session
	Typing       time.Duration // 8 s without typing_start: the member has stopped typing
}

func (t Timing) orDefault() Timing {
	return Timing{
		Ping: cmp.Or(t.Ping, 25*time.Second), ReadTimeout: cmp.Or(t.ReadTimeout, 55*time.Second), Recheck: cmp.Or(t.Recheck, 5*time.Minute),
		OfflineAfter: cmp.Or(t.OfflineAfter, onlineWindow), Renew: cmp.Or(t.Renew, 2*time.Second), Typing: cmp.Or(t.Typing, typingTimeout),
	}
}

// Hub manages the sockets of this node. It is safe for concurrent use.
type Hub struct {
	deps      Deps
	node      uuid.UUID
	startedAt time.Time // the origin of clock
	presence  *presence
	stop      context.CancelFunc
	ctx       context.Context // cancelled when the hub stops
	loops     sync.WaitGroup
	open      sync.WaitGroup // counts open sockets
	resyncDue chan struct{}  // contains a value while a round of sync frames is due
	wallDue   chan struct{}  // contains a value while a round of wall frames is due

	unsubscribe func() // from session revocations and changes of the wall

	mu             sync.Mutex
	closingReason  string // the reason for which sockets are refused while the node stops; empty before
	members        map[uuid.UUID]*memberSockets
	sessions       map[uuid.UUID][]*socket
	closedSessions recentIDs
	addresses      map[string]int
}

// memberSockets are the sockets of one member on this node, with the member's
// subscription to the bus.
type memberSockets struct {
	mu          sync.RWMutex
	sockets     []*socket
	unsubscribe func()
}

// New starts a hub; Shutdown stops it. New panics when a required dependency is
// nil.
func New(deps Deps) *Hub {
	nilcheck.Must("live.New", nilcheck.Deps{
		"Pool": deps.Pool, "Bus": deps.Bus, "Messaging": deps.Messaging, "Authenticate": deps.Authenticate, "CheckSession": deps.CheckSession,
	})
	ctx, stop := context.WithCancel(context.Background())
	deps.Timing = deps.Timing.orDefault()
	h := &Hub{
		deps: deps, node: uuid.Must(uuid.NewV7()), startedAt: time.Now(), ctx: ctx, stop: stop,
		members: map[uuid.UUID]*memberSockets{}, sessions: map[uuid.UUID][]*socket{}, addresses: map[string]int{},
		resyncDue: make(chan struct{}, 1), wallDue: make(chan struct{}, 1),
	}
	h.presence = newPresence(h)
	sessions, wall := deps.Bus.Subscribe("session.*", h.sessionEnded), deps.Bus.Subscribe(bus.WallSubject, h.wallChanged)
	h.unsubscribe = func() { sessions(); wall() }
	deps.Bus.OnGap(h.RequestResync)
	h.loops.Go(h.presence.run)
	h.loops.Go(h.runTimers)
	h.loops.Go(h.recheckSessions)
	h.loops.Go(h.resync)
	h.loops.Go(h.sendWallFrames)
	return h
}

// Node returns the id of this process in the presence table.
func (h *Hub) Node() uuid.UUID { return h.node }

// Sockets returns the number of open sockets on this node.
func (h *Hub) Sockets() int { return len(h.all()) }

// Shutdown refuses new sockets, closes the open ones with 1012 so that clients
// reconnect to another node, and waits for them until ctx ends. It does
// not announce members as offline; see presence.extendRows.
func (h *Hub) Shutdown(ctx context.Context) error {
	reason := restartReason(h.Sockets())
	h.mu.Lock()
	h.closingReason = reason
	h.mu.Unlock()
	h.presence.stop()
	h.each(func(s *socket) { s.close(CloseRestart, reason, time.Second) })
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

const (
	reconnectsPerSecond = 1000 // of the sockets of a node that stops
	minReconnectWindow  = 300 * time.Millisecond
	maxReconnectWindow  = onlineWindow - 5*time.Second // the members count as online meanwhile
)

// restartReason returns the reason of CloseRestart for a node with this many sockets. It names the window, in
// milliseconds, in which each client reconnects at a random time.
func restartReason(sockets int) string {
	window := min(max(time.Duration(sockets)*time.Second/reconnectsPerSecond, minReconnectWindow), maxReconnectWindow)
	return fmt.Sprintf("restarting; reconnect within %d ms", window.Milliseconds())
}

// serve takes ownership of an authenticated connection. It returns at once, so
// that the HTTP server can release the memory of the request.
func (h *Hub) serve(conn *websocket.Conn, from handshake) {
	s := newSocket(h, conn, from)
	if code, reason := h.register(s, from.startedAt); code != 0 {
		s.refuse(code, reason)
		return
	}
	go s.read()
	s.send(encode(identified{"identified", s.actor.ID}))
}

// register adds a socket to the maps. startedAt is the clock time at which its handshake
// began. When a limit or the end of the session forbids it, register returns the code and
// reason with which to close the socket; otherwise code is 0.
func (h *Hub) register(s *socket, startedAt time.Duration) (code int, reason string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closingReason != "" {
		return CloseRestart, h.closingReason
	}
	if h.closedSessions.addedSince(s.actor.SessionID, startedAt) {
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

// unregister undoes register. Further calls have no effect.
func (h *Hub) unregister(s *socket) {
	if h.removeFromMaps(s) {
		s.stopAllTyping()
	}
}

func (h *Hub) removeFromMaps(s *socket) bool {
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

func without(list []*socket, removed *socket) []*socket {
	rest := make([]*socket, 0, len(list))
	for _, s := range list {
		if s != removed {
			rest = append(rest, s)
		}
	}
	return rest
}

// each calls fn for every socket, without holding a lock.
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

// clock returns the monotonic time since the hub started.
func (h *Hub) clock() time.Duration { return time.Since(h.startedAt) }

// lastFrame returns the clock time of the last frame from any socket of a member
// on this node; ok is false when there is none.
func (h *Hub) lastFrame(id uuid.UUID) (at time.Duration, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m, ok := h.members[id]
	if ok {
		at = m.lastFrame()
	}
	return at, ok
}

// eachMember calls fn for all members on this node with the time of their last frame.
func (h *Hub) eachMember(fn func(id uuid.UUID, at time.Duration)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, m := range h.members {
		fn(id, m.lastFrame())
	}
}

func (m *memberSockets) lastFrame() (at time.Duration) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, s := range m.sockets {
		at = max(at, time.Duration(s.lastFrameAt.Load()))
	}
	return at
}
