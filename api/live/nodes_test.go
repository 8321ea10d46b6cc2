package live_test

import (
	"context"
	"flag"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/messaging"
	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

// natsAway is for how long the bus is cut. What is promised is a minute:
//
//	go test -run NodesOfOneCluster ./api/live -nats-away 60s
var natsAway = flag.Duration("nats-away", 0, "how long the bus is cut at least")

// brokers are two NATS servers of one cluster. Each node keeps to its own.
type brokers []*server.Server

func cluster(t testing.TB) brokers {
	t.Helper()
	one := broker(t, -1, server.ClusterOpts{Port: -1})
	two := broker(t, -1, server.ClusterOpts{Port: -1}, one)
	all := brokers{one, two}
	all.joined(t)
	return all
}

// broker starts one that listens, and knows of others.
func broker(t testing.TB, port int, own server.ClusterOpts, others ...*server.Server) *server.Server {
	t.Helper()
	own.Name, own.Host, own.NoAdvertise = "heartward", "127.0.0.1", true
	options := &server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true, Cluster: own}
	for _, other := range others {
		options.Routes = append(options.Routes, server.RoutesFromStr("nats://"+other.ClusterAddr().String())...)
	}
	s, err := server.NewServer(options)
	require.NoError(t, err)
	s.Start()
	require.True(t, s.ReadyForConnections(patience))
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// joined waits until they know of each other.
func (b brokers) joined(t testing.TB) {
	t.Helper()
	require.Eventually(t, func() bool { return b[0].NumRoutes() > 0 && b[1].NumRoutes() > 0 }, patience, time.Millisecond)
}

// away ends both; the answer brings them back where they were.
func (b brokers) away(t testing.TB) (back func()) {
	t.Helper()
	var clients, routes []int
	for _, s := range b {
		clients = append(clients, s.Addr().(*net.TCPAddr).Port)
		routes = append(routes, s.ClusterAddr().Port)
	}
	for _, s := range b {
		s.Shutdown()
		s.WaitForShutdown()
	}
	return func() {
		t.Helper()
		one := broker(t, clients[0], server.ClusterOpts{Port: routes[0]})
		brokers{one, broker(t, clients[1], server.ClusterOpts{Port: routes[1]}, one)}.joined(t)
	}
}

// nodeOn starts a node with a bus and a pool of its own, as another process would.
func (w *world) nodeOn(broker *server.Server, change func(*live.Deps)) *node {
	w.t.Helper()
	events, err := bus.Open(broker.ClientURL())
	require.NoError(w.t, err)
	frozen := &atomic.Bool{}
	config := w.pool.Config()
	config.PrepareConn = func(ctx context.Context, _ *pgx.Conn) (bool, error) {
		if frozen.Load() {
			<-ctx.Done()
		}
		return true, ctx.Err()
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(w.t, err)
	w.t.Cleanup(pool.Close)
	w.t.Cleanup(events.Close)
	n := w.node(func(d *live.Deps) {
		d.Pool, d.Bus, d.Messaging = pool, events, messaging.New(pool, events, nil, nil).Unlimited()
		d.Limits.SocketsPerAddress = 20_000
		if change != nil {
			change(d)
		}
	})
	n.frozen = frozen
	return n
}

// die ends a node as when its machine does: nothing is answered any more, and
// it cannot write down that it goes.
func (n *node) die() {
	n.frozen.Store(true)
	n.cut()
}

// What is said on one node reaches those on the other, typing and presence too,
// and after a cut of the bus all are told to sync.
func TestNodesOfOneCluster(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	nats := cluster(t)
	patient := func(d *live.Deps) { d.Timing.Dead = time.Hour } // with clients that read nothing while the bus is cut
	one, two := w.nodeOn(nats[0], patient), w.nodeOn(nats[1], patient)
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

	back, over := nats.away(t), time.After(*natsAway)
	watcher.send("%s", sendFrame(b, "unheard")) // stored and acknowledged all the same
	seq := watcher.want("ack")["seq"]
	<-over
	back()
	watcher.want("sync")
	peer.wantBefore("sync", "new_message")
	delta, err := w.chat.Sync(context.Background(), b, "", 50)
	require.NoError(t, err)
	require.EqualValues(t, seq, delta.Conversations[0].LastSeq)
	watcher.send("%s", sendFrame(b, "heard again"))
	require.Equal(t, "heard again", peer.want("new_message")["content"])
}

// Of the members of a node that died the other one tells, once each, but not
// of those who came back to it meanwhile, nor of those who hide.
func TestThoseOfADeadNodeAreOffline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	nats := cluster(t)
	hurry := func(d *live.Deps) { d.Timing = quick }
	dying, one, two := w.nodeOn(nats[0], hurry), w.nodeOn(nats[1], hurry), w.nodeOn(nats[1], hurry)
	a, b := w.pair()
	moves, hides := w.friend(a), w.friend(a)
	_, err := w.pool.Exec(context.Background(), `UPDATE users SET hide_online = true WHERE id = $1`, hides.ID)
	require.NoError(t, err)
	watcher := one.connect(t, a)
	w.here(a)
	for _, member := range []web.Actor{hides, moves, b} {
		answers(dying.connect(t, member))
		w.here(member)
	}
	require.Equal(t, []any{moves.ID.String(), true}, watcher.status())
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())

	dying.die()
	answers(two.connect(t, moves))
	require.Equal(t, []any{b.ID.String(), false}, watcher.status())
	require.Equal(t, []any{moves.ID.String()}, watcher.online())
	w.present(b, 0)
	w.present(hides, 0)
	w.present(moves, 1)
	watcher.send(`{"type":"ping"}`)
	watcher.wantBefore("pong", "user_status_changed")
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
