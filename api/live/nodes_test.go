package live_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/messaging"
	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

// cluster is a NATS server that listens, as several nodes share it.
func cluster(t testing.TB, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true})
	require.NoError(t, err)
	s.Start()
	require.True(t, s.ReadyForConnections(patience))
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// nodeOn starts a node with a bus of its own, as another process would.
func (w *world) nodeOn(url string) *node {
	w.t.Helper()
	events, err := bus.Open(url)
	require.NoError(w.t, err)
	n := w.node(func(d *live.Deps) {
		d.Bus, d.Messaging = events, messaging.New(w.pool, events, nil, nil).Unlimited()
		d.Limits.SocketsPerAddress = 20_000
	})
	w.t.Cleanup(events.Close)
	return n
}

// What is said on one node reaches those on the other, typing and presence too,
// and after a cut of the bus all are told to sync.
func TestNodesOfOneCluster(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	broker := cluster(t, -1)
	one, two := w.nodeOn(broker.ClientURL()), w.nodeOn(broker.ClientURL())
	a, b := w.pair()
	watcher := one.connect(t, a)
	w.present(a, 1)
	peer := two.connect(t, b)
	require.Equal(t, b.ID.String(), watcher.want("user_status_changed")["userId"])
	watcher.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	require.Equal(t, true, peer.want("user_typing")["isTyping"])
	watcher.send("%s", sendFrame(b, "across"))
	watcher.want("ack")
	require.Equal(t, "across", peer.want("new_message")["content"])

	port := broker.Addr().(*net.TCPAddr).Port
	broker.Shutdown()
	broker.WaitForShutdown()
	watcher.send("%s", sendFrame(b, "unheard")) // stored and acknowledged all the same
	seq := watcher.want("ack")["seq"]
	cluster(t, port)
	watcher.want("sync")
	peer.wantBefore("sync", "new_message")
	delta, err := w.chat.Sync(context.Background(), b, "", 50)
	require.NoError(t, err)
	require.EqualValues(t, seq, delta.Conversations[0].LastSeq)
	watcher.send("%s", sendFrame(b, "heard again"))
	require.Equal(t, "heard again", peer.want("new_message")["content"])
}

// present waits until a member is known to be on so many nodes.
func (w *world) present(a web.Actor, nodes int) {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		var n int
		err := w.pool.QueryRow(context.Background(), `SELECT count(*) FROM presence WHERE user_id = $1`, a.ID).Scan(&n)
		return err == nil && n == nodes
	}, patience, time.Millisecond)
}
