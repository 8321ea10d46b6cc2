package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/messaging"
	"heartward/api/messaging/messages"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// waitTimeout is the timeout of waits, for a busy machine.
const waitTimeout = testkit.Timeout

// env has a database, a bus, a messaging service and the valid sessions.
type env struct {
	testkit.DB
	bus  *bus.Bus
	chat *messaging.Service

	mu       sync.Mutex
	sessions map[string]web.Actor
}

func newEnv(t testing.TB) *env {
	t.Helper()
	events, err := bus.Open(bus.Options{})
	require.NoError(t, err)
	t.Cleanup(events.Close)
	w := &env{DB: pgtest.NewDB(t), bus: events, sessions: map[string]web.Actor{}}
	w.chat = newChat(t, w.Pool, w.bus)
	return w
}

// newChat returns a started messaging service without rate limits.
func newChat(t testing.TB, pool *pgxpool.Pool, events *bus.Bus) *messaging.Service {
	t.Helper()
	jobs := pgtest.Jobs(t, pool)
	chat := messaging.New(pool, events, matching.New(pool, events, jobs), jobs, messages.Unguarded).Unlimited()
	chat.Start()
	return chat
}

// node is one server.
type node struct {
	hub      *live.Hub
	bus      *bus.Bus // nil if the node uses env's bus
	address  string
	listener *breakableListener
	frozen   *atomic.Bool // makes the node's own pool fail; nil if it uses env's pool
}

// breakableListener is a listener that can be closed with all its connections.
type breakableListener struct {
	net.Listener
	sendBuffer atomic.Int64 // of new connections in the kernel; zero keeps the default
	mu         sync.Mutex
	conns      []net.Conn
}

func (l *breakableListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.conns = append(l.conns, conn)
		if size := l.sendBuffer.Load(); size > 0 {
			_ = conn.(*net.TCPConn).SetWriteBuffer(int(size))
		}
	}
	return conn, err
}

// cut closes all connections of the node and accepts no more.
func (n *node) cut() {
	n.listener.Close()
	n.listener.mu.Lock()
	defer n.listener.mu.Unlock()
	for _, conn := range n.listener.conns {
		_ = conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	}
}

// setOnlineWindow replaces the view's window of 35 s in this test's database, so that the
// test is short.
func (w *env) setOnlineWindow(window time.Duration) {
	w.Helper()
	w.Exec(fmt.Sprintf(`CREATE OR REPLACE VIEW online_members AS
		SELECT user_id, node FROM presence WHERE seen_at > now() - interval '%f seconds'`, window.Seconds()))
}

// node starts a node. change may modify its dependencies.
func (w *env) node(change func(*live.Deps)) *node {
	w.Helper()
	deps := live.Deps{
		Pool: w.Pool, Bus: w.bus, Messaging: w.chat, Authenticate: w.authenticate, CheckSession: w.checkSession, Cookie: "sid",
		Limits: live.Limits{SocketsPerMember: 5, SocketsPerAddress: 100, FramesPerSecond: 1000},
	}
	if change != nil {
		change(&deps)
	}
	hub := live.New(deps)
	app := fiber.New()
	app.Get("/ws", hub.Handler())
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(w, err)
	listener := &breakableListener{Listener: inner}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true})
	}()
	w.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = hub.Shutdown(ctx)
		_ = app.ShutdownWithContext(ctx)
		<-served
	})
	return &node{hub: hub, address: listener.Addr().String(), listener: listener}
}

func (w *env) authenticate(_ context.Context, token string) (web.Actor, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if actor, ok := w.sessions[token]; ok {
		return actor, nil
	}
	return web.Actor{}, fault.New(fault.Unauthenticated, "Please sign in.")
}

func (w *env) checkSession(ctx context.Context, actor web.Actor) error {
	_, err := w.authenticate(ctx, actor.SessionID.String())
	return err
}

// member inserts a member with a session.
func (w *env) member() web.Actor {
	w.Helper()
	actor := w.Member("Ada")
	w.mu.Lock()
	w.sessions[actor.SessionID.String()] = actor
	w.mu.Unlock()
	return actor
}

func (w *env) pair() (a, b web.Actor) {
	w.Helper()
	a, b = w.member(), w.member()
	w.Match(a, b)
	return a, b
}

// client is the browser's side of a socket.
type client struct {
	t           testing.TB
	conn        *websocket.Conn
	closeReason string
}

func (n *node) handshake(header http.Header) (*websocket.Conn, *http.Response, error) {
	return websocket.DefaultDialer.Dial("ws://"+n.address+"/ws", header)
}

func (n *node) header(actor web.Actor) http.Header {
	return http.Header{"Cookie": {"sid=" + actor.SessionID.String()}, "Origin": {"http://" + n.address}}
}

// dial opens a socket without reading from it.
func (n *node) dial(t testing.TB, actor web.Actor) *client {
	t.Helper()
	conn, _, err := n.handshake(n.header(actor))
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return &client{t: t, conn: conn}
}

// connect opens a socket and waits until it is registered.
func (n *node) connect(t testing.TB, actor web.Actor) *client {
	t.Helper()
	c := n.dial(t, actor)
	require.Equal(t, actor.ID.String(), c.want("identified")["userId"])
	return c
}

func (c *client) send(format string, args ...any) {
	c.t.Helper()
	require.NoError(c.t, c.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, format, args...)))
}

// want reads until a frame of that type arrives and returns it.
func (c *client) want(kind string) map[string]any {
	c.t.Helper()
	for {
		frame := c.next()
		if frame["type"] == kind {
			return frame
		}
	}
}

// wantBefore reads until a frame of type kind arrives, and fails when one of type
// never arrives first. Other frames, such as presence, may arrive at any time.
func (c *client) wantBefore(kind, never string) map[string]any {
	c.t.Helper()
	for {
		frame := c.next()
		require.NotEqual(c.t, never, frame["type"])
		if frame["type"] == kind {
			return frame
		}
	}
}

func (c *client) next() map[string]any {
	c.t.Helper()
	require.NoError(c.t, c.conn.SetReadDeadline(time.Now().Add(waitTimeout)))
	_, data, err := c.conn.ReadMessage()
	require.NoError(c.t, err)
	var frame map[string]any
	require.NoError(c.t, json.Unmarshal(data, &frame), "%s", data)
	return frame
}

// wantClose reads until the server closes the socket, and returns the code. It keeps the reason.
func (c *client) wantClose() int {
	c.t.Helper()
	require.NoError(c.t, c.conn.SetReadDeadline(time.Now().Add(waitTimeout)))
	for {
		if _, _, err := c.conn.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			require.ErrorAs(c.t, err, &closed)
			c.closeReason = closed.Text
			return closed.Code
		}
	}
}

// sendFrame returns a send_message frame with a new clientId.
func sendFrame(to web.Actor, content string) string { return newMessage(to, content).frame }

// message is a send_message frame and its clientId.
type message struct{ id, frame string }

func newMessage(to web.Actor, content string) message {
	id := uuid.Must(uuid.NewV7()).String()
	frame, _ := json.Marshal(map[string]any{
		"type": "send_message", "recipientId": to.ID, "content": content, "messageType": "text", "clientId": id,
	})
	return message{id, string(frame)}
}

// online requests and returns the online members.
func (c *client) online() any {
	c.t.Helper()
	c.send(`{"type":"get_online_users"}`)
	return c.want("online_users")["users"]
}

// status waits for a status change and returns the member and the status.
func (c *client) status() []any {
	c.t.Helper()
	f := c.want("user_status_changed")
	return []any{f["userId"], f["isOnline"]}
}

// answerPings makes a client read in the background, which sends pongs.
func answerPings(c *client) {
	go func() {
		for err := error(nil); err == nil; {
			_, _, err = c.conn.ReadMessage()
		}
	}()
}

// newPeer creates a member who has a conversation with actor.
func (w *env) newPeer(actor web.Actor) web.Actor {
	w.Helper()
	peer := w.member()
	w.Match(actor, peer)
	return peer
}

// fastTiming has short intervals and never closes silent sockets. On a busy machine it takes seconds until a row of the
// presence table is renewed.
var fastTiming = live.Timing{Ping: 100 * time.Millisecond, ReadTimeout: time.Hour, OfflineAfter: 8 * time.Second, Renew: 50 * time.Millisecond}

// waitForRow waits until the presence table has the member.
func (w *env) waitForRow(actor web.Actor) {
	w.Helper()
	require.Eventually(w, func() bool {
		var exists bool
		err := w.Pool.QueryRow(context.Background(), `SELECT EXISTS (SELECT FROM presence WHERE user_id = $1)`, actor.ID).Scan(&exists)
		return err == nil && exists
	}, waitTimeout, time.Millisecond)
}

// waitForPresence waits until the presence table has the member on that many nodes.
func (w *env) waitForPresence(a web.Actor, nodes int) {
	w.Helper()
	require.Eventually(w, func() bool {
		var n int
		err := w.Pool.QueryRow(context.Background(), `SELECT count(*) FROM presence WHERE user_id = $1`, a.ID).Scan(&n)
		return err == nil && n == nodes
	}, waitTimeout, time.Millisecond)
}
