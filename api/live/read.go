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
	"golang.org/x/time/rate"

	"heartward/api/messaging/conversations"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

const (
	maxFrame    = 64 << 10         // bytes
	callTimeout = 10 * time.Second // of the handling of a frame
	maxRefused  = 60               // refused frames in a row, after which the socket is closed
)

// readerState is used by the reading goroutine only.
type readerState struct {
	frames     *rate.Limiter
	lists      *rate.Limiter // of get_online_users
	refused    int           // frames in a row that were above the rate
	peersEpoch int64         // unmatchEpoch when peers was created
	peers      map[uuid.UUID]peer
	retries    retries
}

// peer caches the conversation with a member, so that typing frames need no query.
type peer struct {
	conversation conversations.OpenConversation
	until        time.Time
}

// get_online_users queries all conversations of the member. The app sends it
// after connecting and after a sync frame.
const (
	listEvery = 2 * time.Second
	listBurst = 10
)

func newReaderState(framesPerSecond int) readerState {
	return readerState{
		frames:  rate.NewLimiter(rate.Limit(framesPerSecond), 10*framesPerSecond+1),
		lists:   rate.NewLimiter(rate.Every(listEvery), listBurst),
		retries: retries{},
	}
}

var readBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// read is the socket's goroutine. It handles frames one after the other, so that messages
// of a client are stored in order (see retries), and a client that sends faster than the database can
// store has to wait.
func (s *socket) read() {
	defer s.hub.open.Done()
	defer s.conn.Close()
	defer s.hub.unregister(s)
	s.conn.SetReadLimit(maxFrame)
	s.conn.SetPongHandler(func(string) error { s.recordFrame(); return nil })
	s.conn.SetPingHandler(func(text string) error {
		s.recordFrame()
		if s.countFrame() {
			s.enqueue(outgoing{websocket.PongMessage, []byte(text)})
		}
		return nil
	})
	s.conn.SetCloseHandler(func(int, string) error {
		s.close(websocket.CloseNormalClosure, "", time.Second)
		return nil
	})
	s.recordFrame()
	for {
		if err := s.readFrame(); err != nil {
			return
		}
	}
}

// recordFrame records the time of a frame and extends the read deadline, unless the
// socket is closing. A member who counted as offline is online again.
func (s *socket) recordFrame() {
	now := int64(s.hub.clock())
	if before := s.lastFrameAt.Swap(now); time.Duration(now-before) >= s.hub.deps.Timing.OfflineAfter {
		s.hub.presence.changed(s.actor.ID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		_ = s.conn.SetReadDeadline(time.Now().Add(s.hub.deps.Timing.ReadTimeout))
	}
}

func (s *socket) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

func (s *socket) readFrame() error {
	kind, reader, err := s.conn.NextReader()
	if err != nil {
		return err
	}
	buffer := readBuffers.Get().(*bytes.Buffer)
	defer func() { buffer.Reset(); readBuffers.Put(buffer) }()
	if _, err := io.Copy(buffer, reader); err != nil {
		return err
	}
	s.recordFrame()
	switch {
	case s.isClosing() || !s.countFrame(): // ignored
	case kind != websocket.TextMessage:
		s.fail(nil, fault.New(fault.Invalid, "Frames are JSON text."))
	default:
		s.handleFrame(buffer.Bytes())
	}
	return nil
}

// countFrame reports whether the frame rate permits another frame. The first
// refusal sends an error; after maxRefused in a row the socket is closed.
func (s *socket) countFrame() bool {
	if s.reader.frames.Allow() {
		s.reader.refused = 0
		return true
	}
	s.reader.refused++
	switch {
	case s.reader.refused == 1:
		s.fail(nil, fault.Limited("Too many frames at once. Please slow down.", 10*time.Second))
	case s.reader.refused > maxRefused:
		s.close(CloseFlood, "flood", time.Second)
	}
	return false
}

// handleFrame decodes and handles one frame. A panic fails that frame only.
func (s *socket) handleFrame(data []byte) {
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

// fail sends an error frame, and logs server-side errors.
func (s *socket) fail(clientID *uuid.UUID, err error) {
	f := fault.From(err)
	if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
		slog.Error("frame failed", "request_id", s.id, "kind", f.Kind, "error", f.Error())
	}
	s.send(encode(errorFrame{
		Type: "error", ClientID: clientID, Kind: f.Kind, Code: f.Code, Params: f.Parameters(), Field: f.Field, Detail: f.Message,
		RetryAfterMs: f.RetryAfter.Milliseconds(),
	}))
}
