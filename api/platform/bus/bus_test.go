package bus_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/bus"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// open returns a node of the cluster at url, or a single node if url is empty. Nodes
// of a cluster share db.
func open(t *testing.T, url string, db pg.DB) *bus.Bus {
	t.Helper()
	b, err := bus.Open(bus.Options{URL: url, DB: db, Interval: 20 * time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return b
}

func TestPublish_ReachesSubjectInOrder(t *testing.T) {
	t.Parallel()
	b := open(t, "", nil)
	member, other := uuid.New(), uuid.New()
	events := make(chan string, 8)
	unsubscribe := b.Subscribe(bus.MemberSubject(member), func(data []byte) { events <- string(data) })
	b.Publish(bus.MemberSubject(other), []byte("to another member"))
	b.Publish(bus.MemberSubject(member), []byte("one"))
	b.Publish(bus.MemberSubject(member), []byte("two"))
	require.Equal(t, "one", testkit.Receive(t, events, "an event"))
	require.Equal(t, "two", testkit.Receive(t, events, "an event"))

	unsubscribe()
	done := make(chan string, 1)
	b.Subscribe("fence", func(data []byte) { done <- string(data) })
	b.Publish(bus.MemberSubject(member), []byte("three"))
	b.Publish("fence", []byte("end"))
	testkit.Receive(t, done, "an event")
	require.Empty(t, events)
}

func TestOpen_ProcessesWithoutURLShareNothing(t *testing.T) {
	t.Parallel()
	one, two := open(t, "", nil), open(t, "", nil)
	events := make(chan string, 2)
	two.Subscribe("x", func(data []byte) { events <- string(data) })
	one.Publish("x", []byte("from one"))
	two.Publish("x", []byte("from two"))
	require.Equal(t, "from two", testkit.Receive(t, events, "an event"))
}

// Each listener receives each event once, from any node.
func TestPublish_ReachesAllNodesOnce(t *testing.T) {
	t.Parallel()
	nats, db := bustest.Server(t, server.ClusterOpts{}), pgtest.New(t)
	one, two := open(t, nats.ClientURL(), db), open(t, nats.ClientURL(), db)
	session, member := "session."+uuid.NewString(), bus.MemberSubject(uuid.New())
	receivedEvents := map[string]chan string{}
	listen := func(name string, b *bus.Bus, subject string) func() {
		events := make(chan string, 8)
		receivedEvents[name] = events
		return b.Subscribe(subject, func(data []byte) { events <- string(data) })
	}
	listen("one", one, member)
	listen("one again", one, member)
	stop := listen("two", two, member)
	listen("all of one", one, "session.*")
	listen("all of two", two, "session.*")
	listen("fence of one", one, "fence")
	listen("fence of two", two, "fence")
	waitForFences := func() { // waits until earlier events have arrived
		for _, b := range []*bus.Bus{one, two} {
			marker := uuid.NewString()
			b.Publish("fence", []byte(marker))
			for _, name := range []string{"fence of one", "fence of two"} {
				for received := ""; received != marker; {
					received = testkit.Receive(t, receivedEvents[name], "an event")
				}
			}
		}
	}
	require.Eventually(t, func() bool { // until the cluster knows the subscriptions
		one.Publish("fence", []byte("probe of two's subscription"))
		select {
		case <-receivedEvents["fence of two"]:
			return true
		case <-time.After(time.Millisecond):
			return false
		}
	}, testkit.Timeout, time.Millisecond)
	waitForFences()
	for _, b := range []*bus.Bus{one, two} {
		b.Publish(member, []byte("to a member"))
		b.Publish(session, []byte("to a session"))
		waitForFences()
		for name, want := range map[string]string{
			"one": "to a member", "one again": "to a member", "two": "to a member",
			"all of one": "to a session", "all of two": "to a session",
		} {
			require.Equal(t, want, testkit.Receive(t, receivedEvents[name], "an event"), name)
			require.Empty(t, receivedEvents[name], name)
		}
	}
	stop()
	one.Publish(member, []byte("after two has stopped"))
	waitForFences()
	require.Empty(t, receivedEvents["two"])
}

// waitUntilConnected waits until one node receives what the other publishes.
func waitUntilConnected(t *testing.T, from, to *bus.Bus) {
	t.Helper()
	events := make(chan struct{}, 1)
	subject := "connected." + uuid.NewString()
	defer to.Subscribe(subject, func([]byte) {
		select {
		case events <- struct{}{}:
		default:
		}
	})()
	require.Eventually(t, func() bool {
		from.Publish(subject, nil)
		select {
		case <-events:
			return true
		case <-time.After(time.Millisecond):
			return false
		}
	}, testkit.Timeout, time.Millisecond)
}

// watchGaps returns a channel that contains a value if b has reported a gap since the last
// receive.
func watchGaps(b *bus.Bus) <-chan string {
	gapEvents := make(chan string, 1)
	b.OnGap(func() {
		select {
		case gapEvents <- "gap":
		default:
		}
	})
	return gapEvents
}

func TestOpen_StartsWithoutNATSAndConnectsLater(t *testing.T) {
	t.Parallel()
	nats, db := bustest.NewProxy(t, ""), pgtest.New(t)
	one, two := open(t, nats.URL(), db), open(t, nats.URL(), db)
	gapEvents := watchGaps(two)
	events := make(chan string, 1)
	two.Subscribe("x", func(data []byte) { events <- string(data) })
	one.Subscribe("x", func([]byte) {})
	require.True(t, one.Degraded())
	require.True(t, two.Degraded())

	two.Publish("x", []byte("within the process"))
	require.Equal(t, "within the process", testkit.Receive(t, events, "an event"))
	one.Publish("x", []byte("lost"))
	require.Equal(t, "gap", testkit.Receive(t, gapEvents, "a gap"))

	nats.Heal(address(bustest.Server(t, server.ClusterOpts{})))
	waitUntilConnected(t, one, two)
	require.False(t, one.Degraded())
	require.False(t, two.Degraded())
	require.Empty(t, events, "lost events are not delivered later")
}

func address(s *server.Server) string { return s.Addr().String() }

func TestPublish_LossDuringCutIsReported(t *testing.T) {
	t.Parallel()
	target, db := address(bustest.Server(t, server.ClusterOpts{})), pgtest.New(t)
	nats := bustest.NewProxy(t, target)
	one, two := open(t, nats.URL(), db), open(t, nats.URL(), db)
	gapEvents := watchGaps(two)
	waitUntilConnected(t, one, two)
	nats.Cut()
	require.Eventually(t, func() bool { return one.Degraded() && two.Degraded() }, testkit.Timeout, time.Millisecond)
	one.Publish("x", []byte("lost")) // must not block or panic
	require.Equal(t, "gap", testkit.Receive(t, gapEvents, "a gap"))
	require.Eventually(t, func() bool { return two.Missed() > 0 }, testkit.Timeout, time.Millisecond)
	nats.Heal(target)
	require.Eventually(t, func() bool { return !one.Degraded() && !two.Degraded() }, testkit.Timeout, time.Millisecond)
}

// A node records its last number when it is closed. The loss of its last events is
// reported; its end alone is not a gap.
func TestClose_RecordsLastNumber(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	url := bustest.NewProxy(t, "").URL() // a proxy without a target, so that all events are lost
	one, two := open(t, url, db), open(t, url, db)
	gapEvents := watchGaps(two)
	two.Subscribe("x", func([]byte) {})
	third, err := bus.Open(bus.Options{URL: url, DB: db, Interval: time.Hour})
	require.NoError(t, err)
	require.Eventually(t, func() bool { // all three nodes have written their row
		var nodes int
		return db.QueryRow(t.Context(), `SELECT count(*) FROM bus_nodes`).Scan(&nodes) == nil && nodes == 3
	}, testkit.Timeout, time.Millisecond)
	one.Close()
	const last = 100
	for range last {
		third.Publish("x", nil)
	}
	third.Close()
	require.Equal(t, "gap", testkit.Receive(t, gapEvents, "a gap"))
	require.Eventually(t, func() bool { return two.Missed() >= last }, testkit.Timeout, time.Millisecond)
}

// The queue of a slow node overflows. The loss is reported, and later events are
// received.
func TestReceive_OverflowIsReported(t *testing.T) {
	t.Parallel()
	nats, db := bustest.Server(t, server.ClusterOpts{}), pgtest.New(t)
	one, two := open(t, nats.ClientURL(), db), open(t, nats.ClientURL(), db)
	waitUntilConnected(t, one, two)
	gapEvents := watchGaps(two)
	release := make(chan struct{})
	two.Subscribe("slow", func([]byte) { <-release })
	one.Publish("slow", nil)
	for range 1<<16 + 20_000 {
		one.Publish("x", nil)
	}
	require.Equal(t, "gap", testkit.Receive(t, gapEvents, "a gap"))
	require.Eventually(t, func() bool { return two.Missed() > 0 }, testkit.Timeout, time.Millisecond)
	close(release)
	waitUntilConnected(t, one, two)
}

func TestOpen_RefusesBadURL(t *testing.T) {
	t.Parallel()
	_, err := bus.Open(bus.Options{URL: "nats://:x", DB: pgtest.New(t)})
	require.ErrorContains(t, err, "connecting to NATS")
}
