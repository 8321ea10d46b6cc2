package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

const (
	maxFrame    = 64 << 10
	callTimeout = 10 * time.Second
	// A client that goes on after so many frames were refused is cut off.
	maxRefused = 60
)

// talk is what the reader alone knows of a client.
type talk struct {
	frames  limiter
	lists   limiter // of get_online_users
	refused int     // frames, since one was last accepted
	ended   int64   // how many conversations had ended when peers was begun
	peers   map[uuid.UUID]peer
}

// peer is a conversation looked up lately, so that typing costs no query.
type peer struct {
	conversation messaging.OpenConversation
	until        time.Time
}

// A list of online members is a query over all conversations of the member. An
// app asks for it when it connects and when it is told to sync.
const (
	listEvery = 2 * time.Second
	listBurst = 10
)

func newTalk(framesPerSecond int) talk {
	return talk{
		frames: limiter{every: time.Second / time.Duration(framesPerSecond), burst: 10 * time.Second},
		lists:  limiter{every: listEvery, burst: (listBurst - 1) * listEvery},
	}
}

// limiter is the generic cell rate algorithm.
type limiter struct {
	every, burst time.Duration
	next         time.Time // theoretical arrival time of the next event
}

// allow counts an event when it is allowed, else returns how long to wait.
func (l *limiter) allow(now time.Time) (wait time.Duration, ok bool) {
	if l.next.Before(now) {
		l.next = now
	}
	if wait := l.next.Sub(now) - l.burst; wait > 0 {
		return wait, false
	}
	l.next = l.next.Add(l.every)
	return 0, true
}

var readBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// read is the socket's goroutine. Frames are handled one after the other, so
// what a client sends is stored in the order it was sent, and a client that is
// faster than the database waits for it.
func (s *socket) read() {
	defer s.hub.open.Done()
	defer s.conn.Close()
	defer s.hub.remove(s)
	s.conn.SetReadLimit(maxFrame)
	s.conn.SetPongHandler(func(string) error { s.heard(); return nil })
	s.conn.SetPingHandler(func(text string) error {
		s.heard()
		if s.countFrame() {
			s.enqueue(outgoing{websocket.PongMessage, []byte(text)})
		}
		return nil
	})
	s.conn.SetCloseHandler(func(int, string) error {
		s.close(websocket.CloseNormalClosure, "", time.Second)
		return nil
	})
	s.heard()
	for s.readOne() == nil {
	}
}

// heard gives the client another while, unless it is being closed. One that
// had fallen silent is online again.
func (s *socket) heard() {
	now := int64(s.hub.clock())
	if before := s.heardAt.Swap(now); time.Duration(now-before) >= s.hub.deps.Timing.Silent {
		s.hub.presence.changed(s.actor.ID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		_ = s.conn.SetReadDeadline(time.Now().Add(s.hub.deps.Timing.Dead))
	}
}

func (s *socket) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

func (s *socket) readOne() error {
	kind, reader, err := s.conn.NextReader()
	if err != nil {
		return err
	}
	buffer := readBuffers.Get().(*bytes.Buffer)
	defer func() { buffer.Reset(); readBuffers.Put(buffer) }()
	if _, err := io.Copy(buffer, reader); err != nil {
		return err
	}
	s.heard()
	switch {
	case s.isClosing() || !s.countFrame():
	case kind != websocket.TextMessage:
		s.fail(nil, fault.New(fault.Invalid, "Frames are JSON text."))
	default:
		s.take(buffer.Bytes())
	}
	return nil
}

// countFrame reports whether the client may be served. One that floods is
// told, and closed when it does not stop.
func (s *socket) countFrame() bool {
	if _, ok := s.talk.frames.allow(time.Now()); ok {
		s.talk.refused = 0
		return true
	}
	s.talk.refused++
	switch {
	case s.talk.refused == 1:
		s.fail(nil, fault.Limited("Too many frames at once. Please slow down.", 10*time.Second))
	case s.talk.refused > maxRefused:
		s.close(CloseFlood, "flood", time.Second)
	}
	return false
}

// take serves one frame. A panic ends with that frame.
func (s *socket) take(data []byte) {
	ctx, cancel := context.WithTimeout(s.hub.ctx, callTimeout)
	defer cancel()
	ctx = web.WithRequestID(ctx, s.id)
	var in frame
	defer func() {
		if p := recover(); p != nil {
			s.fail(in.ClientID, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	if err := decode(data, &in); err != nil {
		s.fail(in.ClientID, err)
		return
	}
	if err := s.handle(ctx, in); err != nil {
		s.fail(in.ClientID, err)
	}
}

// fail answers with an error frame, and logs what is our own fault.
func (s *socket) fail(clientID *uuid.UUID, err error) {
	f := fault.From(err)
	if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
		slog.Error("socket call failed", "request_id", s.id, "kind", f.Kind, "error", f.Error())
	}
	s.send(encode(failure{
		Type: "error", ClientID: clientID, Kind: f.Kind, Field: f.Field, Detail: f.Message,
		RetryAfterMs: f.RetryAfter.Milliseconds(),
	}))
}
