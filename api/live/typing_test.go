package live_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/platform/bus"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// A member who disconnects or sends no more typing_start has stopped typing.
func TestStopTyping_AfterTimeoutOrDisconnect(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(func(d *live.Deps) { d.Timing.Typing = 50 * time.Millisecond })
	longTimeout := w.node(func(d *live.Deps) { d.Timing.Typing = time.Hour })
	a, b := w.pair()
	peer := n.connect(t, b)
	silent, disconnected := n.connect(t, a), longTimeout.connect(t, a)
	for name, writer := range map[string]*client{"silent": silent, "disconnected": disconnected} {
		writer.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
		require.Equal(t, true, peer.want("user_typing")["isTyping"], name)
		if name == "disconnected" {
			require.NoError(t, writer.conn.NetConn().Close())
		}
		stopped := peer.want("user_typing")
		require.Equal(t, []any{false, a.ID.String()}, []any{stopped["isTyping"], stopped["userId"]}, name)
	}
	// No second stop is published after typing_stop.
	stopper := longTimeout.connect(t, a)
	stopper.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	stopper.send(`{"type":"typing_stop","recipientId":%q}`, b.ID)
	require.Equal(t, true, peer.want("user_typing")["isTyping"])
	require.Equal(t, false, peer.want("user_typing")["isTyping"])
	require.NoError(t, stopper.conn.Close())
	require.Eventually(t, func() bool { return longTimeout.hub.Sockets() == 0 }, waitTimeout, time.Millisecond)
	w.bus.Publish(bus.MemberSubject(b.ID), []byte(`{"type":"done"}`))
	peer.wantBefore("done", "user_typing")
}

// The cache entry of a conversation is dropped when the conversation ends.
func TestTyping_StopsWhenTheConversationEnds(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	typist, peer := n.connect(t, a), n.connect(t, b)
	typist.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	peer.want("user_typing")

	match := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM matches`)
	require.NoError(t, matching.New(w.Pool, w.bus, pgtest.Jobs(t, w.Pool)).Unmatch(context.Background(), b, match))
	typist.want("unmatched")
	peer.want("unmatched")
	typist.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	require.Equal(t, "not_found", typist.want("error")["kind"])
	typist.send("%s", sendFrame(b, "still there?"))
	require.Equal(t, "not_found", typist.want("error")["kind"])
	w.bus.Publish(bus.MemberSubject(b.ID), bus.Event("", struct {
		Type string `json:"type"`
	}{"done"}))
	peer.wantBefore("done", "user_typing")
}

// If the event of the end was lost, the cache entry is dropped with the frame that makes the devices sync.
func TestTyping_StopsWhenTheEndOfTheConversationWasLost(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	typist, peer := n.connect(t, a), n.connect(t, b)
	typist.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	peer.want("user_typing")
	w.Exec(`UPDATE conversations SET closed_at = now()`)
	n.hub.RequestResync()
	typist.want("sync")
	typist.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	require.Equal(t, "not_found", typist.want("error")["kind"])
	w.bus.Publish(bus.MemberSubject(b.ID), []byte(`{"type":"done"}`))
	peer.wantBefore("done", "user_typing")
}
