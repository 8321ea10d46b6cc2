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

// subscribe makes a member whose events reach all their sockets here.
func (h *Hub) subscribe(id uuid.UUID) *member {
	m := &member{}
	m.unsubscribe = h.deps.Bus.Subscribe(bus.MemberSubject(id), m.deliver)
	return m
}

// ending is how a frame begins that tells of the end of a conversation.
var ending = []byte(`{"type":"unmatched"`)

// deliver passes a frame on as it is. Its bytes are shared and only read.
func (m *member) deliver(data []byte) {
	except, frame := bus.SplitEvent(data)
	ended := bytes.HasPrefix(frame, ending)
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, s := range m.sockets {
		if ended {
			s.ended.Add(1)
		}
		if s.id != except {
			s.send(frame)
		}
	}
}

// sessionEnded closes the sockets of a session that was revoked on any node.
// The event carries the session's id.
func (h *Hub) sessionEnded(data []byte) {
	id, err := uuid.ParseBytes(data)
	if err != nil {
		return
	}
	h.mu.Lock()
	sockets := h.sessions[id]
	h.ended.add(id) // a socket of it may be on its way in
	h.mu.Unlock()
	for _, s := range sockets {
		s.close(CloseSignedOut, "signed out", 500*time.Millisecond)
	}
}

// recent are ids of which the last many are remembered, in two halves.
type recent struct{ now, before map[uuid.UUID]struct{} }

const mostRecent = 10_000

func (r *recent) add(id uuid.UUID) {
	if r.now == nil || len(r.now) >= mostRecent {
		r.now, r.before = map[uuid.UUID]struct{}{}, r.now
	}
	r.now[id] = struct{}{}
}

func (r *recent) has(id uuid.UUID) bool {
	_, now := r.now[id]
	_, before := r.before[id]
	return now || before
}

// beat pings each socket every so often. One loop for all is cheaper than a timer
// for each; those that do not answer run into their read deadline.
func (h *Hub) beat() {
	tick := time.NewTicker(min(time.Second, h.deps.Timing.Ping, h.deps.Timing.Typing))
	defer tick.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case now := <-tick.C:
			h.each(func(s *socket) { s.pingIfDue(now); s.stopTyping(now) })
		}
	}
}

// recheck looks now and then whether a socket's session still holds, for the
// case that the event of its end was lost.
func (h *Hub) recheck() {
	tick := time.NewTicker(min(5*time.Second, h.deps.Timing.Recheck))
	defer tick.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case now := <-tick.C:
			h.each(func(s *socket) { h.recheckOne(s, now) })
		}
	}
}

func (h *Hub) recheckOne(s *socket, now time.Time) {
	if now.Before(s.checkAt) || h.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(h.ctx, 5*time.Second)
	defer cancel()
	err := h.deps.Holds(ctx, s.actor)
	switch {
	case fault.Is(err, fault.Unauthenticated) || fault.Is(err, fault.NotFound):
		s.close(CloseSignedOut, "signed out", 500*time.Millisecond)
	case err != nil && !errors.Is(err, context.Canceled):
		s.checkAt = now.Add(30 * time.Second) // the database is away, not the session
	default:
		s.checkAt = now.Add(h.deps.Timing.Recheck)
	}
}
