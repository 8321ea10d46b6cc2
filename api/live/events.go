package live

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
)

// subscribe returns an empty set of sockets that is subscribed to the member's
// events.
func (h *Hub) subscribe(id uuid.UUID) *memberSockets {
	m := &memberSockets{}
	m.unsubscribe = h.deps.Bus.Subscribe(bus.MemberSubject(id), m.deliver)
	return m
}

// unmatchedPrefix is the beginning of the frame for the end of a conversation.
var unmatchedPrefix = []byte(`{"type":"unmatched"`)

// deliver sends an event to every socket except the one that caused it. The
// bytes are shared and must not be changed.
func (m *memberSockets) deliver(data []byte) {
	except, frame := bus.SplitEvent(data)
	ended := bytes.HasPrefix(frame, unmatchedPrefix)
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, s := range m.sockets {
		if ended {
			s.unmatchEpoch.Add(1)
		}
		if s.id != except {
			s.send(frame)
		}
	}
}

// sessionEnded closes the sockets of a session that was revoked, or whose member's account
// was restricted, on any node. data is the session's id.
func (h *Hub) sessionEnded(data []byte) {
	id, err := uuid.ParseBytes(data)
	if err != nil {
		return
	}
	h.mu.Lock()
	sockets := h.sessions[id]
	h.closedSessions.add(id, h.clock()) // refuses a socket whose handshake is in progress
	h.mu.Unlock()
	for _, s := range sockets {
		s.close(CloseSignedOut, "signed out", 500*time.Millisecond)
	}
}

// recentIDs stores when ids were added: the most recent ones, at least maxRecentIDs, at
// most twice as many. A session whose sockets were closed may open others later, when its
// member's account is reinstated.
type recentIDs struct{ current, previous map[uuid.UUID]time.Duration }

const maxRecentIDs = 10_000

func (r *recentIDs) add(id uuid.UUID, at time.Duration) {
	if r.current == nil || len(r.current) >= maxRecentIDs {
		r.current, r.previous = map[uuid.UUID]time.Duration{}, r.current
	}
	r.current[id] = at
}

func (r *recentIDs) addedSince(id uuid.UUID, since time.Duration) bool {
	at, ok := r.current[id]
	if !ok {
		at, ok = r.previous[id]
	}
	return ok && at >= since
}

// runTimers sends due pings and ends expired typing states. One loop is cheaper than a
// timer for each socket. A client that does not respond to a ping is closed at its read
// deadline.
func (h *Hub) runTimers() {
	tick := time.NewTicker(min(time.Second, h.deps.Timing.Ping, h.deps.Timing.Typing))
	defer tick.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case now := <-tick.C:
			h.each(func(s *socket) { s.pingIfDue(now); s.stopExpiredTyping(now) })
		}
	}
}

// recheckSessions checks the session of each socket periodically, in case the
// event of its revocation was lost.
func (h *Hub) recheckSessions() {
	tick := time.NewTicker(min(5*time.Second, h.deps.Timing.Recheck))
	defer tick.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case now := <-tick.C:
			h.each(func(s *socket) { h.recheckSession(s, now) })
		}
	}
}

func (h *Hub) recheckSession(s *socket, now time.Time) {
	if now.Before(s.checkAt) || h.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(h.ctx, 5*time.Second)
	defer cancel()
	err := h.deps.CheckSession(ctx, s.actor)
	switch {
	case fault.Is(err, fault.Unauthenticated) || fault.Is(err, fault.NotFound):
		s.close(CloseSignedOut, "signed out", 500*time.Millisecond)
	case err != nil && !errors.Is(err, context.Canceled):
		s.checkAt = now.Add(30 * time.Second) // the database is unavailable, the session may be valid
	default:
		s.checkAt = now.Add(h.deps.Timing.Recheck)
	}
}
