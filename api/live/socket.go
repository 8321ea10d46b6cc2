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
	maxPending      = 128       // frames
	maxPendingBytes = 256 << 10 // of all pending frames
	writeTimeout    = 10 * time.Second
	closeTimeout    = 2 * time.Second // for the client's close frame
)

// socket is one connection. It has one permanent goroutine, the reader. A second
// one, which writes, runs only while frames are queued.
type socket struct {
	hub          *Hub
	conn         *websocket.Conn
	id           string
	actor        web.Actor
	address      string
	removed      bool         // guarded by Hub.mu
	checkAt      time.Time    // used by recheckSessions only
	reader       readerState  // used by the reading goroutine only
	unmatchEpoch atomic.Int64 // incremented when a conversation of the member ends, or may have ended
	lastFrameAt  atomic.Int64 // Hub.clock

	mu           sync.Mutex // guards the fields below
	queue        []outgoing
	pending      int // frames not yet written: those of the queue and the one that drain is writing
	pendingBytes int
	isDraining   bool // drain is running
	pingAt       time.Time
	typing       map[uuid.UUID]typingState // by recipient

	closing       bool // the fields below are set
	code          int  // of the close frame, like the reason
	reason        string
	writeDeadline time.Time // of the queued frames
}

// outgoing is a queued frame.
type outgoing struct {
	kind int // websocket.TextMessage, PingMessage or PongMessage
	data []byte
}

func newSocket(h *Hub, conn *websocket.Conn, from handshake) *socket {
	now := time.Now()
	s := &socket{
		hub: h, conn: conn, id: uuid.NewString(), actor: from.actor, address: from.address,
		checkAt: now.Add(h.deps.Timing.Recheck), pingAt: now.Add(h.deps.Timing.Ping), reader: newReaderState(h.deps.Limits.FramesPerSecond),
	}
	s.lastFrameAt.Store(int64(h.clock()))
	return s
}

// send queues a text frame and never blocks. A client that reads too slowly is
// closed with 4008 and then fetches missed changes by sync.
func (s *socket) send(data []byte) { s.enqueue(outgoing{websocket.TextMessage, data}) }

func (s *socket) enqueue(out outgoing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return
	}
	if s.pending >= maxPending || s.pendingBytes+len(out.data) > maxPendingBytes {
		s.queue = nil
		s.closeLocked(CloseTooSlow, "too slow", writeTimeout)
		return
	}
	s.queue = append(s.queue, out)
	s.pending++
	s.pendingBytes += len(out.data)
	s.startWriting()
}

func (s *socket) startWriting() {
	if !s.isDraining {
		s.isDraining = true
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

// close writes the queued frames and a close frame, and closes the connection. It stops
// writing after the duration within.
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
	s.writeDeadline = now.Add(within)
	if within < writeTimeout { // also for the frame that drain is writing
		_ = s.conn.NetConn().SetWriteDeadline(s.writeDeadline)
	}
	// For a close frame that drain cannot write; after writing it, drain sets another deadline.
	_ = s.conn.SetReadDeadline(now.Add(within + closeTimeout/4))
	s.startWriting()
}

// drain writes until the queue is empty, then the close frame if one is due.
func (s *socket) drain() {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
			s.queue, s.isDraining = nil, false
			closing, code, reason := s.closing, s.code, s.reason
			s.mu.Unlock()
			if closing {
				s.writeClose(code, reason)
			}
			return
		}
		out := s.queue[0]
		s.queue[0] = outgoing{}
		s.queue = s.queue[1:]
		deadline := time.Now().Add(writeTimeout)
		if s.closing && s.writeDeadline.Before(deadline) {
			deadline = s.writeDeadline
		}
		s.mu.Unlock()
		if err := s.write(out, deadline); err != nil {
			s.conn.Close() // the reader fails and unregisters the socket
			return
		}
	}
}

func (s *socket) write(out outgoing, deadline time.Time) (err error) {
	if out.kind == websocket.TextMessage {
		_ = s.conn.SetWriteDeadline(deadline)
		err = s.conn.WriteMessage(out.kind, out.data)
	} else {
		err = s.conn.WriteControl(out.kind, out.data, deadline)
	}
	s.mu.Lock()
	s.pending--
	s.pendingBytes -= len(out.data)
	s.mu.Unlock()
	return err
}

// writeClose writes the close frame and waits for the client's. Closing the
// connection at once could discard data that the client has not read yet.
func (s *socket) writeClose(code int, reason string) {
	now := time.Now()
	if err := s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), now.Add(time.Second)); err != nil {
		s.conn.Close()
		return
	}
	s.hub.unregister(s)
	wait := closeTimeout
	if code == CloseSignedOut {
		wait = closeTimeout / 5
	}
	_ = s.conn.SetReadDeadline(now.Add(wait))
}

// refuse closes a connection that was never registered.
func (s *socket) refuse(code int, reason string) {
	go func() {
		defer s.conn.Close()
		now := time.Now()
		_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), now.Add(time.Second))
		_ = s.conn.SetReadDeadline(now.Add(closeTimeout))
		for {
			if _, _, err := s.conn.NextReader(); err != nil {
				return
			}
		}
	}()
}
