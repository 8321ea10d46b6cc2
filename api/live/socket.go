package live

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

const (
	maxQueued      = 128       // frames
	maxQueuedBytes = 256 << 10 // of all of them
	writeTimeout   = 10 * time.Second
	closeWait      = 2 * time.Second // for the client's answer to a close
)

// socket is one connection. It costs one goroutine, the one that reads; a
// second one lives only while there is something to write that the kernel did
// not take at once.
type socket struct {
	hub     *Hub
	conn    *websocket.Conn
	direct  direct
	id      string
	actor   web.Actor
	address string
	removed bool         // guarded by the hub
	checkAt time.Time    // of recheck alone
	talk    talk         // of the reader alone
	ended   atomic.Int64 // conversations of the member that ended since
	heardAt atomic.Int64 // by the hub's clock

	mu      sync.Mutex
	queue   []outgoing
	queued  int  // frames not yet written, with the one being written
	bytes   int  // of those
	busy    bool // someone writes to the connection
	pingAt  time.Time
	closing bool
	code    int
	reason  string
	until   time.Time             // when closing: the end of all writing
	writing map[uuid.UUID]writing // to whom, for stopTyping
}

// outgoing is a frame waiting to be written.
type outgoing struct {
	kind int // websocket.TextMessage, PingMessage or PongMessage; restOfFrame
	data []byte
}

// restOfFrame stands for the end of a frame of which the beginning is written.
const restOfFrame = -1

func newSocket(h *Hub, conn *websocket.Conn, who hello) *socket {
	now := time.Now()
	s := &socket{
		hub: h, conn: conn, direct: newDirect(conn), id: uuid.NewString(), actor: who.actor, address: who.address,
		checkAt: now.Add(h.deps.Timing.Recheck), pingAt: now.Add(h.deps.Timing.Ping), talk: newTalk(h.deps.Limits.FramesPerSecond),
	}
	s.heardAt.Store(int64(h.clock()))
	return s
}

// send queues a text frame. It never waits: whoever cannot keep up is closed
// with 4008, reads the rest by sync, and holds up no one else.
func (s *socket) send(data []byte) { s.enqueue(outgoing{websocket.TextMessage, data}) }

func (s *socket) enqueue(out outgoing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return
	}
	if s.queued >= maxQueued || s.bytes+len(out.data) > maxQueuedBytes {
		s.dropQueue()
		s.closeLocked(CloseTooSlow, "too slow", writeTimeout)
		return
	}
	if out.kind == websocket.TextMessage && !s.busy {
		rest, begun := s.direct.write(out.data)
		if len(rest) == 0 {
			return
		}
		if out.data = rest; begun {
			out.kind = restOfFrame
		}
	}
	s.queue = append(s.queue, out)
	s.queued++
	s.bytes += len(out.data)
	s.startWriting()
}

// dropQueue leaves no more than the end of a frame that is begun: without it
// the client could not read the close.
func (s *socket) dropQueue() {
	if len(s.queue) > 0 && s.queue[0].kind == restOfFrame {
		s.queue = s.queue[:1:1]
	} else {
		s.queue = nil
	}
}

func (s *socket) startWriting() {
	if !s.busy {
		s.busy = true
		go s.drain()
	}
}

func (s *socket) pingIfDue(now time.Time) {
	s.mu.Lock()
	due := !now.Before(s.pingAt)
	if due {
		s.pingAt = now.Add(s.hub.deps.Timing.Ping)
	}
	s.mu.Unlock()
	if due {
		s.enqueue(outgoing{websocket.PingMessage, nil})
	}
}

// close says why, after what is queued, and ends the connection. What is being
// written gets until within, then the connection is cut.
func (s *socket) close(code int, reason string, within time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		s.closeLocked(code, reason, within)
	}
}

func (s *socket) closeLocked(code int, reason string, within time.Duration) {
	s.closing, s.code, s.reason = true, code, reason
	now := time.Now()
	s.until = now.Add(within)
	if within < writeTimeout {
		_ = s.conn.NetConn().SetWriteDeadline(s.until)
	}
	_ = s.conn.SetReadDeadline(now.Add(within + closeWait/4))
	s.startWriting()
}

// drain writes until the queue is empty, and then the close when there is one.
func (s *socket) drain() {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
			s.queue, s.busy = nil, false
			closing, code, reason := s.closing, s.code, s.reason
			if !closing {
				_ = s.conn.NetConn().SetWriteDeadline(time.Time{}) // it would end what is written at once
			}
			s.mu.Unlock()
			if closing {
				s.sayClose(code, reason)
			}
			return
		}
		out := s.queue[0]
		s.queue[0] = outgoing{}
		s.queue = s.queue[1:]
		deadline := time.Now().Add(writeTimeout)
		if s.closing && s.until.Before(deadline) {
			deadline = s.until
		}
		s.mu.Unlock()
		if err := s.write(out, deadline); err != nil {
			s.conn.Close() // the reader sees it and cleans up
			return
		}
	}
}

func (s *socket) write(out outgoing, deadline time.Time) (err error) {
	switch out.kind {
	case websocket.TextMessage:
		_ = s.conn.SetWriteDeadline(deadline)
		err = s.conn.WriteMessage(out.kind, out.data)
	case restOfFrame:
		_ = s.conn.NetConn().SetWriteDeadline(deadline)
		_, err = s.conn.NetConn().Write(out.data)
	default:
		err = s.conn.WriteControl(out.kind, out.data, deadline)
	}
	s.mu.Lock()
	s.queued--
	s.bytes -= len(out.data)
	s.mu.Unlock()
	return err
}

// sayClose writes the close frame and gives the client a moment to answer;
// closing at once could throw away what it has not read yet.
func (s *socket) sayClose(code int, reason string) {
	now := time.Now()
	if err := s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), now.Add(time.Second)); err != nil {
		s.conn.Close()
		return
	}
	s.hub.remove(s)
	wait := closeWait
	if code == CloseSignedOut {
		wait = closeWait / 5
	}
	_ = s.conn.SetReadDeadline(now.Add(wait))
}

// refuse closes a connection that was never added.
func (s *socket) refuse(code int, reason string) {
	go func() {
		defer s.conn.Close()
		now := time.Now()
		_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), now.Add(time.Second))
		_ = s.conn.SetReadDeadline(now.Add(closeWait))
		for {
			if _, _, err := s.conn.NextReader(); err != nil {
				return
			}
		}
	}()
}
