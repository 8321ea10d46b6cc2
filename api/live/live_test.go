package live_test

import (
	"context"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/messaging"
	"heartward/api/messaging/messages"
	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

func TestSendMessage_ReachesRecipientAndOtherSockets(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	nodeA, nodeB := w.node(nil), w.node(nil) // two nodes, one bus
	a, b := w.pair()
	phone, laptop, peer := nodeA.connect(t, a), nodeB.connect(t, a), nodeB.connect(t, b)
	phone.send(`{"type":"auth","userId":%q}`, a.ID)
	phone.want("auth_success")

	phone.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	require.Equal(t, true, peer.want("user_typing")["isTyping"])

	clientID := uuid.Must(uuid.NewV7()).String()
	phone.send(`{"type":"send_message","recipientId":%q,"content":"hello","messageType":"text","clientId":%q,"audioData":null}`, b.ID, clientID)
	ack := phone.want("ack")
	require.Equal(t, clientID, ack["clientId"])
	require.EqualValues(t, 1, ack["seq"])
	for _, c := range []*client{laptop, peer} {
		message := c.want("new_message")
		require.Equal(t, ack["id"], message["id"])
		require.Equal(t, "hello", message["content"])
		require.Equal(t, b.ID.String(), message["recipientId"])
		require.Nil(t, message["readAt"])
		require.Contains(t, message, "readAt")
		require.NotContains(t, message, "except")
	}
	peer.send(`{"type":"mark_delivered","senderId":%q,"seq":1}`, a.ID)
	require.EqualValues(t, 1, phone.want("message_delivered")["seq"])
	peer.send(`{"type":"mark_read","senderId":%q}`, a.ID)
	read := phone.wantBefore("message_read", "new_message") // a socket does not receive its own message
	require.Equal(t, b.ID.String(), read["readBy"])

	// A repeated frame gets the same result, and publishes the message again, with the same id and seq.
	phone.send(`{"type":"send_message","recipientId":%q,"content":"hello","clientId":%q}`, b.ID, clientID)
	require.Equal(t, ack["id"], phone.want("ack")["id"])
	for _, c := range []*client{laptop, peer} {
		message := c.want("new_message")
		require.Equal(t, []any{ack["id"], ack["seq"]}, []any{message["id"], message["seq"]})
	}
	phone.send(`{"type":"ping"}`)
	phone.want("pong")
	phone.send(`{"type":"join_conversation","otherUserId":%q}`, b.ID)
	joined := phone.wantBefore("conversation_joined", "error")
	require.Equal(t, []any{ack["conversationId"], b.ID.String()}, []any{joined["conversationId"], joined["otherUserId"]})
	for _, stranger := range []string{uuid.NewString(), w.member().ID.String()} {
		phone.send(`{"type":"join_conversation","otherUserId":%q}`, stranger)
		require.Equal(t, "not_found", phone.wantBefore("error", "conversation_joined")["kind"])
	}
}

func TestGetOnlineUsers_ReturnsPeersOfOpenConversations(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n, other := w.node(nil), w.node(nil)
	a, b := w.pair()
	stranger := w.member()
	n.connect(t, stranger)
	watcher := n.connect(t, a)
	w.waitForRow(a) // it is written after the socket is open
	peer := n.connect(t, b)
	status := watcher.want("user_status_changed")
	require.Equal(t, []any{b.ID.String(), true}, []any{status["userId"], status["isOnline"]})
	watcher.send(`{"type":"get_online_users"}`)
	require.Equal(t, []any{b.ID.String()}, watcher.want("online_users")["users"])
	second := other.connect(t, b)
	w.waitForPresence(b, 2)
	peer.conn.Close()
	w.waitForPresence(b, 1)
	second.conn.Close()
	status = watcher.want("user_status_changed")
	require.Equal(t, []any{b.ID.String(), false}, []any{status["userId"], status["isOnline"]}, "offline only after the last socket on any node was closed")
	watcher.send(`{"type":"get_online_users"}`)
	require.Equal(t, []any{}, watcher.want("online_users")["users"])
}

func TestHandleFrame_RespondsToInvalidFrames(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	c := n.connect(t, a)
	stranger := w.member()
	id := uuid.NewString()
	for frame, kind := range map[string]string{
		``: "invalid", `x`: "invalid", `{`: "invalid", `[]`: "invalid", `null`: "invalid", `7`: "invalid", `{"type":7}`: "invalid",
		`{}`: "invalid", `{"type":"nonsense"}`: "invalid", `{"type":"ping"}{"type":"ping"}`: "invalid", `{"type":"ping"} x`: "invalid",
		`{"type":"auth"}`: "invalid", `{"type":"send_message"}`: "invalid", `{"type":"send_message","content":"x"}`: "invalid", `{"type":"typing_start"}`: "invalid", `{"type":"mark_read"}`: "invalid",
		`{"type":"mark_delivered","senderId":"` + b.ID.String() + `"}`:                                                "invalid",
		`{"type":"mark_read","senderId":"` + b.ID.String() + `","seq":0}`:                                             "invalid",
		`{"type":"mark_read","senderId":"` + b.ID.String() + `","seq":1e99}`:                                          "invalid",
		`{"type":"send_message","recipientId":"x","content":"x","clientId":"` + id + `"}`:                             "invalid",
		`{"type":"send_message","recipientId":"` + b.ID.String() + `","content":7,"clientId":"` + id + `"}`:           "invalid",
		`{"type":"send_message","recipientId":"` + b.ID.String() + `","content":"","clientId":"` + id + `"}`:          "invalid",
		`{"type":"send_message","recipientId":"` + b.ID.String() + `","content":"a\u0000b","clientId":"` + id + `"}`:  "invalid",
		`{"type":"send_message","recipientId":"` + stranger.ID.String() + `","content":"hi","clientId":"` + id + `"}`: "not_found",
		`{"type":"typing_start","recipientId":"` + stranger.ID.String() + `"}`:                                        "not_found",
		`{"type":"mark_read","senderId":"` + stranger.ID.String() + `"}`:                                              "not_found",
		strings.Repeat(`{"type":`, 5000): "invalid", strings.Repeat(`[`, 60000): "invalid",
	} {
		c.send("%s", frame)
		failure := c.want("error")
		require.Equal(t, kind, failure["kind"], frame)
		require.NotEmpty(t, failure["detail"])
	}
	for _, kind := range []string{"mark_read", "mark_delivered"} {
		c.send(`{"type":%q,"seq":1}`, kind)
		require.Equal(t, "senderId", c.want("error")["field"], kind)
		c.send(`{"type":%q,"senderId":%q,"seq":0}`, kind, b.ID)
		require.Equal(t, "seq", c.want("error")["field"], kind)
	}
	require.NoError(t, c.conn.WriteMessage(websocket.BinaryMessage, []byte(`{"type":"ping"}`)))
	require.Equal(t, "invalid", c.want("error")["kind"])
	c.send(`{"type":"send_message","recipientId":%q,"content":"","clientId":%q}`, b.ID, id)
	require.Equal(t, id, c.want("error")["clientId"])
	c.send(`{"type":"ping"}`)
	c.want("pong")
}

func TestRead_OversizedFrameClosesTheSocket(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a := w.member()
	c := n.connect(t, a)
	_ = c.conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"ping","x":"`+strings.Repeat("x", 64<<10)+`"}`))
	require.Equal(t, websocket.CloseMessageTooBig, c.wantClose())
	// Fragments and a wrong length do not bypass the limit.
	c = n.connect(t, a)
	writer, err := c.conn.NextWriter(websocket.TextMessage)
	require.NoError(t, err)
	for range 100 {
		if _, err = writer.Write([]byte(strings.Repeat("x", 8<<10))); err != nil {
			break
		}
	}
	require.Equal(t, websocket.CloseMessageTooBig, c.wantClose())
	c = n.connect(t, a)
	header := binary.BigEndian.AppendUint64([]byte{0x81, 0xff}, 1<<62)
	_, err = c.conn.NetConn().Write(append(header, 1, 2, 3, 4))
	require.NoError(t, err)
	require.Equal(t, websocket.CloseMessageTooBig, c.wantClose())
}

// A client that stops reading is closed and fetches missed messages by sync;
// others are not affected.
func TestSend_SlowReaderIsClosedAndSyncs(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	sender, other := n.connect(t, a), n.connect(t, b)
	slow := n.dial(t, b)
	changes, err := w.chat.Conversations.Sync(context.Background(), b, "", 50)
	require.NoError(t, err)
	text := strings.Repeat("ü", 4000)
	require.Eventually(t, func() bool { return n.hub.Sockets() == 3 }, waitTimeout, time.Millisecond)
	sent := 0
	for ; n.hub.Dropped() == 0 && n.hub.Sockets() == 3; sent++ { // the kernel first buffers some megabytes
		require.Less(t, sent, 10_000, "the socket is not dropped after 80 MB")
		sender.send("%s", sendFrame(b, text))
		sender.want("ack")
		other.want("new_message")
	}
	require.Equal(t, live.CloseTooSlow, slow.wantClose())
	changes, err = w.chat.Conversations.Sync(context.Background(), b, changes.Cursor, 50)
	require.NoError(t, err)
	require.EqualValues(t, sent, changes.Conversations[0].LastSeq)
	after := int64(sent) - 1
	list, err := w.chat.Messages.List(context.Background(), b, a.ID, messages.Page{After: &after, Limit: 50})
	require.NoError(t, err)
	require.Len(t, list, 1)
	w.node(nil).connect(t, b) // the client may reconnect
}

func TestRegister_LimitsSocketsPerMemberAndAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(func(d *live.Deps) {
		d.Limits = live.Limits{SocketsPerMember: 2, SocketsPerAddress: 3, FramesPerSecond: 10}
	})
	a, b := w.member(), w.member()
	first := n.connect(t, a)
	n.connect(t, a)
	require.Equal(t, live.CloseTooMany, n.dial(t, a).wantClose(), "of a member")
	n.connect(t, b)
	require.Equal(t, live.CloseTooMany, n.dial(t, b).wantClose(), "of an address")
	require.NoError(t, first.conn.Close())
	require.Eventually(t, func() bool { return n.hub.Sockets() == 2 }, waitTimeout, time.Millisecond)
	n.connect(t, a)
}

func TestShutdown_ClosesWithRestartCode(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a := w.member()
	c, silent := n.connect(t, a), n.connect(t, w.member())
	_ = silent // neither reads nor writes
	done := make(chan error)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
		defer cancel()
		done <- n.hub.Shutdown(ctx)
	}()
	require.Equal(t, live.CloseRestart, c.wantClose())
	require.Equal(t, "restarting; reconnect within 300 ms", c.closeReason)
	require.NoError(t, <-done)
	require.Zero(t, n.hub.Sockets())
	require.Equal(t, live.CloseRestart, n.dial(t, a).wantClose(), "new sockets are refused")
}

func TestRestartReason_GivesASecondForEachThousandSockets(t *testing.T) {
	t.Parallel()
	for sockets, window := range map[int]string{0: "300 ms", 301: "301 ms", 5_000: "5000 ms", 100_000: "30000 ms"} {
		require.Equal(t, "restarting; reconnect within "+window, live.RestartReason(sockets))
	}
}

// Hundreds of members behind carrier NAT may share one address.
func TestDefaultLimits_AllowManyMembersBehindOneAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(func(d *live.Deps) { d.Limits = live.DefaultLimits(1) })
	for range 100 {
		n.connect(t, w.member())
	}
	require.Equal(t, 100, n.hub.Sockets())
}

// Many losses in quick succession cause two rounds of sync frames.
func TestResync_MergesManyGapsIntoTwoRounds(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	events := &busWithGap{Bus: w.bus}
	n := w.node(func(d *live.Deps) { d.Bus = events })
	a, b := w.member(), w.member()
	clients := []*client{n.connect(t, a), n.connect(t, b)}
	for range 1000 {
		events.gap()
	}
	for _, c := range clients {
		c.want("sync")
		c.want("sync") // for losses after the round began
	}
	for _, actor := range []web.Actor{a, b} {
		w.bus.Publish(bus.MemberSubject(actor.ID), []byte(`{"type":"done"}`))
	}
	for _, c := range clients {
		c.wantBefore("done", "sync")
	}
}

// busWithGap lets a test report lost events.
type busWithGap struct {
	*bus.Bus
	gap func()
}

func (g *busWithGap) OnGap(fn func()) { g.gap = fn }

// The server creates a client id for a message without one.
func TestSendMessage_WithoutClientIDStoresEach(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	sender, receiver := n.connect(t, a), n.connect(t, b)
	ids := map[any]bool{}
	for seq := range 2 {
		sender.send(`{"type":"send_message","recipientId":%q,"content":"hi","messageType":"text"}`, b.ID)
		ack := sender.wantBefore("ack", "error")
		require.EqualValues(t, seq+1, ack["seq"], "each frame stores another message")
		message := receiver.want("new_message")
		require.Equal(t, []any{ack["id"], ack["clientId"], "hi"}, []any{message["id"], message["clientId"], message["content"]})
		ids[ack["clientId"]] = true
	}
	require.Len(t, ids, 2)
}

// Files are uploaded over HTTP. The error for file contents in a frame names the field.
func TestSendMessage_RefusesFileContents(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	c := n.connect(t, a)
	for _, field := range []string{"audioData", "videoData", "imageData"} {
		for _, data := range []string{`[1,2,3]`, `[]`, `"AQID"`, `{"type":"Buffer","data":[1]}`} {
			c.send(`{"type":"send_message","recipientId":%q,"content":"","messageType":"audio",%q:%s}`, b.ID, field, data)
			failure := c.wantBefore("error", "ack")
			require.Equal(t, []any{"invalid", field}, []any{failure["kind"], failure["field"]})
			require.Contains(t, failure["detail"], "fileIds")
		}
		c.send(`{"type":"send_message","recipientId":%q,"content":"text",%q:null}`, b.ID, field)
		c.wantBefore("ack", "error")
	}
}

// The limit exists because each request queries all conversations of the member.
func TestGetOnlineUsers_IsRateLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	c := n.connect(t, w.member())
	// Fewer than the frames that a socket queues: a client that has not read more is closed.
	const requests = 100
	for range requests {
		c.send(`{"type":"get_online_users"}`)
	}
	lists, refused := 0, 0
	for lists+refused < requests {
		switch frame := c.next(); frame["type"] {
		case "online_users":
			lists++
		case "error":
			require.Equal(t, "rate_limited", frame["kind"])
			require.Equal(t, "rate_limited", frame["code"])
			require.Positive(t, frame["retryAfterMs"])
			require.Positive(t, frame["params"].(map[string]any)["retryAfter"])
			refused++
		}
	}
	require.GreaterOrEqual(t, lists, 10)
	require.Positive(t, refused)
	c.send(`{"type":"ping"}`)
	c.want("pong")
}

// A panic in a handler fails only that frame; the socket and the node keep working.
func TestHandleFrame_PanicFailsOnlyThatFrame(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(func(d *live.Deps) { d.Messaging = &messaging.Service{} })
	c := n.connect(t, w.member())
	c.send("%s", sendFrame(w.member(), "x"))
	failure := c.want("error")
	require.Equal(t, "internal", failure["kind"])
	require.NotContains(t, failure["detail"], "panic")
	c.send(`{"type":"ping"}`)
	c.want("pong")
}

// A client that only responds to pings stays connected. A client that does not respond is
// closed.
func TestPing_ClosesUnresponsiveClients(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(func(d *live.Deps) { d.Timing = live.Timing{Ping: 20 * time.Millisecond, ReadTimeout: 8 * time.Second} })
	a := w.member()
	responsive := n.connect(t, a)
	ended := make(chan error, 1)
	go func() { // reading sends the pongs
		_, _, err := responsive.conn.ReadMessage()
		ended <- err
	}()
	dead := n.dial(t, a).conn.NetConn() // without a frame reader, so no ping gets a pong
	require.NoError(t, dead.SetReadDeadline(time.Now().Add(waitTimeout)))
	_, err := io.Copy(io.Discard, dead)
	require.NoError(t, err, "the server closes the connection")
	require.Eventually(t, func() bool { return n.hub.Sockets() == 1 }, waitTimeout, time.Millisecond)
	require.Empty(t, ended)
}
