package live_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/platform/bus"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/web"
)

// natsCluster is two NATS servers with a proxy before each and one on the route
// between them.
type natsCluster struct {
	one, two, route *bustest.Proxy
	servers         []*server.Server
}

func startCluster(t testing.TB) *natsCluster {
	t.Helper()
	c := &natsCluster{one: bustest.NewProxy(t, ""), two: bustest.NewProxy(t, ""), route: bustest.NewProxy(t, "")}
	c.start(t)
	c.heal()
	return c
}

// start starts the servers on free ports and joins them.
func (c *natsCluster) start(t testing.TB) {
	t.Helper()
	one := bustest.Server(t, server.ClusterOpts{Port: -1})
	c.route.Heal(one.ClusterAddr().String())
	c.servers = []*server.Server{one, bustest.Server(t, server.ClusterOpts{Port: -1}, c.route.Address())}
	c.waitForRoute(t, true)
}

func (c *natsCluster) stop() {
	for _, s := range c.servers {
		s.Shutdown()
		s.WaitForShutdown()
	}
}

// heal forwards all connections again.
func (c *natsCluster) heal() {
	c.one.Heal(c.servers[0].Addr().String())
	c.two.Heal(c.servers[1].Addr().String())
	c.route.Heal(c.servers[0].ClusterAddr().String())
}

func (c *natsCluster) waitForRoute(t testing.TB, connected bool) {
	t.Helper()
	require.Eventually(t, func() bool {
		for _, s := range c.servers {
			if (s.NumRoutes() > 0) != connected {
				return false
			}
		}
		return true
	}, waitTimeout, time.Millisecond)
}

// busOn returns the bus of another process.
func (w *env) busOn(nats *bustest.Proxy) *bus.Bus {
	w.Helper()
	events, err := bus.Open(bus.Options{URL: nats.URL(), DB: w.Pool, Interval: 50 * time.Millisecond})
	require.NoError(w, err)
	w.Cleanup(events.Close)
	return events
}

// nodeOn starts a node with its own bus and pool, like another process.
func (w *env) nodeOn(nats *bustest.Proxy, change func(*live.Deps)) *node {
	w.Helper()
	frozen := &atomic.Bool{}
	config := w.Pool.Config()
	config.PrepareConn = func(ctx context.Context, _ *pgx.Conn) (bool, error) {
		if frozen.Load() {
			<-ctx.Done()
		}
		return true, ctx.Err()
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(w, err)
	w.Cleanup(pool.Close)
	events := w.busOn(nats)
	n := w.node(func(d *live.Deps) {
		d.Pool, d.Bus, d.Messaging = pool, events, newChat(w, pool, events)
		d.Limits.SocketsPerAddress = 20_000
		if change != nil {
			change(d)
		}
	})
	n.bus, n.frozen = events, frozen
	return n
}

// die stops a node like a machine failure: it does not respond and cannot write to the
// database.
func (n *node) die() {
	n.frozen.Store(true)
	n.cut()
}

// Messages, typing and presence are delivered to sockets of the other node.
func TestNodes_ShareEvents(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	nats := startCluster(t)
	one, two := w.nodeOn(nats.one, nil), w.nodeOn(nats.two, nil)
	a, b := w.pair()
	watcher := one.connect(t, a)
	w.waitForPresence(a, 1)
	waitUntilConnected(t, one, two)
	waitUntilConnected(t, two, one)
	peer := two.connect(t, b)
	require.Equal(t, b.ID.String(), watcher.want("user_status_changed")["userId"])
	watcher.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	require.Equal(t, true, peer.want("user_typing")["isTyping"])
	watcher.send("%s", sendFrame(b, "across"))
	watcher.want("ack")
	require.Equal(t, "across", peer.want("new_message")["content"])
}

// waitUntilConnected waits until events of from reach to.
func waitUntilConnected(t testing.TB, from, to *node) {
	t.Helper()
	const subject = "joined"
	arrived := make(chan struct{}, 1)
	defer to.bus.Subscribe(subject, func([]byte) {
		select {
		case arrived <- struct{}{}:
		default:
		}
	})()
	require.Eventually(t, func() bool {
		from.bus.Publish(subject, nil)
		select {
		case <-arrived:
			return true
		case <-time.After(time.Millisecond):
			return false
		}
	}, waitTimeout, time.Millisecond)
}

// device is an app that shows a conversation: its own messages after their ack, the
// peer's when they arrive, and those returned by a sync. It syncs only on a sync
// frame.
type device struct {
	env    *env
	actor  web.Actor
	client *client

	mu   sync.Mutex
	has  map[int64]bool  // by seq
	live map[string]bool // contents received as events
}

func (w *env) openDevice(n *node, actor web.Actor) *device {
	w.Helper()
	d := &device{env: w, actor: actor, client: n.connect(w, actor), has: map[int64]bool{}, live: map[string]bool{}}
	go d.read()
	return d
}

func (d *device) read() {
	for {
		var f struct {
			Type, Content string
			Seq           int64
		}
		if err := d.client.conn.ReadJSON(&f); err != nil {
			return
		}
		switch f.Type {
		case "new_message":
			d.apply(f.Seq, f.Seq)
			d.mu.Lock()
			d.live[f.Content] = true
			d.mu.Unlock()
		case "ack":
			d.apply(f.Seq, f.Seq)
		case "sync":
			changes, err := d.env.chat.Conversations.Sync(context.Background(), d.actor, "", 50)
			if err != nil {
				d.env.Errorf("sync: %v", err)
				return
			}
			d.apply(1, changes.Conversations[0].LastSeq)
		}
	}
}

func (d *device) apply(first, last int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for seq := first; seq <= last; seq++ {
		d.has[seq] = true
	}
}

// shows reports whether the device has that many messages without a gap.
func (d *device) shows(messages int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.has) == messages
}

func (d *device) gotLive(content string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.live[content]
}

// While any part of the network between nodes is broken, each device receives the other's
// messages by sync. Afterwards it receives them as events again.
func TestNodes_LostEventsAreSynced(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*testing.T, *natsCluster, *node, *node){
		"one node is disconnected": func(t *testing.T, c *natsCluster, one, _ *node) {
			c.one.Cut()
			require.Eventually(t, one.bus.Degraded, waitTimeout, time.Millisecond)
		},
		"the connection of one node is frozen": func(_ *testing.T, c *natsCluster, _, _ *node) {
			c.one.Freeze()
		},
		"the servers restart and one node reconnects first": func(t *testing.T, c *natsCluster, one, two *node) {
			c.one.Cut()
			c.stop()
			require.Eventually(t, func() bool { return one.bus.Degraded() && two.bus.Degraded() }, waitTimeout, time.Millisecond)
			c.start(t)
			c.two.Heal(c.servers[1].Addr().String())
			require.Eventually(t, func() bool { return !two.bus.Degraded() }, waitTimeout, time.Millisecond)
		},
		"the servers are stopped": func(t *testing.T, c *natsCluster, one, two *node) {
			c.stop()
			require.Eventually(t, func() bool { return one.bus.Degraded() && two.bus.Degraded() }, waitTimeout, time.Millisecond)
		},
		"the route between the servers is cut": func(t *testing.T, c *natsCluster, one, two *node) {
			c.route.Cut()
			c.waitForRoute(t, false)
			require.False(t, one.bus.Degraded())
			require.False(t, two.bus.Degraded())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			nats := startCluster(t)
			longTimeout := func(d *live.Deps) { d.Timing.ReadTimeout = time.Hour }
			one, two := w.nodeOn(nats.one, longTimeout), w.nodeOn(nats.two, longTimeout)
			a, b := w.pair()
			deviceA, deviceB := w.openDevice(one, a), w.openDevice(two, b)
			waitUntilConnected(t, one, two)
			waitUntilConnected(t, two, one)

			fail(t, nats, one, two)
			const each = 12
			for i := range each {
				deviceA.client.send("%s", sendFrame(b, fmt.Sprint("from a ", i)))
				deviceB.client.send("%s", sendFrame(a, fmt.Sprint("from b ", i)))
			}
			require.Eventually(t, func() bool { return deviceA.shows(2*each) && deviceB.shows(2*each) }, waitTimeout, 5*time.Millisecond)
			for i := range each {
				require.False(t, deviceA.gotLive(fmt.Sprint("from b ", i)))
				require.False(t, deviceB.gotLive(fmt.Sprint("from a ", i)))
			}

			if name == "the servers are stopped" {
				nats.start(t)
			}
			nats.heal()
			waitUntilConnected(t, one, two)
			waitUntilConnected(t, two, one)
			deviceA.client.send("%s", sendFrame(b, "a again"))
			deviceB.client.send("%s", sendFrame(a, "b again"))
			require.Eventually(t, func() bool { return deviceA.gotLive("b again") && deviceB.gotLive("a again") }, waitTimeout, 5*time.Millisecond)
		})
	}
}

// The other node announces the members of a dead node as offline, once each, except
// those who reconnected or hide presence.
func TestPresence_MembersOfADeadNodeAreOffline(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	nats := startCluster(t)
	fastRenew := func(d *live.Deps) {
		d.Timing = fastTiming
		d.Timing.OfflineAfter = live.OnlineWindow
	}
	dyingNode, one, two := w.nodeOn(nats.one, fastRenew), w.nodeOn(nats.two, fastRenew), w.nodeOn(nats.two, fastRenew)
	a, b := w.pair()
	reconnected, hidden := w.newPeer(a), w.newPeer(a)
	w.Exec(`UPDATE users SET hide_online = true WHERE id = $1`, hidden.ID)
	watcher := one.connect(t, a)
	w.waitForRow(a)
	for _, member := range []web.Actor{hidden, reconnected, b} {
		answerPings(dyingNode.connect(t, member))
		w.waitForRow(member)
	}
	require.Equal(t, []any{reconnected.ID.String(), true}, watcher.status())
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())

	dyingNode.die()
	answerPings(two.connect(t, reconnected))
	w.waitForPresence(reconnected, 2)
	w.Exec(`UPDATE presence_nodes SET seen_at = seen_at - $1::interval WHERE node = (SELECT node FROM presence WHERE user_id = $2)`, live.OnlineWindow, b.ID)
	require.Equal(t, []any{b.ID.String(), false}, watcher.status())
	require.Equal(t, []any{reconnected.ID.String()}, watcher.online())
	w.waitForPresence(b, 0)
	w.waitForPresence(hidden, 0)
	w.waitForPresence(reconnected, 1)
	watcher.send(`{"type":"ping"}`)
	watcher.wantBefore("pong", "user_status_changed")
}
