package bus_test

import (
	"net"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/bus"
)

func open(t *testing.T, url string) *bus.Bus {
	t.Helper()
	b, err := bus.Open(url)
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return b
}

func receive(t *testing.T, events <-chan string) string {
	t.Helper()
	select {
	case event := <-events:
		return event
	case <-time.After(5 * time.Second):
		t.Fatal("no event came")
		return ""
	}
}

func TestEventsReachTheirSubjectInOrder(t *testing.T) {
	t.Parallel()
	b := open(t, "")
	mine, other := uuid.New(), uuid.New()
	events := make(chan string, 8)
	unsubscribe, err := b.Subscribe(bus.MemberSubject(mine), func(data []byte) { events <- string(data) })
	require.NoError(t, err)
	b.Publish(bus.MemberSubject(other), []byte("not for me"))
	b.Publish(bus.MemberSubject(mine), []byte("one"))
	b.Publish(bus.MemberSubject(mine), []byte("two"))
	require.Equal(t, "one", receive(t, events))
	require.Equal(t, "two", receive(t, events))

	unsubscribe()
	done := make(chan string, 1)
	_, err = b.Subscribe("fence", func(data []byte) { done <- string(data) })
	require.NoError(t, err)
	b.Publish(bus.MemberSubject(mine), []byte("three"))
	b.Publish("fence", []byte("end"))
	receive(t, done)
	require.Empty(t, events)
}

func TestTwoCopiesInOneMachineShareNothing(t *testing.T) {
	t.Parallel()
	one, two := open(t, ""), open(t, "")
	events := make(chan string, 2)
	_, err := two.Subscribe("x", func(data []byte) { events <- string(data) })
	require.NoError(t, err)
	one.Publish("x", []byte("from one"))
	two.Publish("x", []byte("from two"))
	require.Equal(t, "from two", receive(t, events))
}

// Over a cluster each listener hears each event once, wherever it was said.
func TestNodesHearEachOther(t *testing.T) {
	t.Parallel()
	cluster := startCluster(t, -1)
	one, two := open(t, cluster.ClientURL()), open(t, cluster.ClientURL())
	session, member := "session."+uuid.NewString(), bus.MemberSubject(uuid.New())
	heard := map[string]chan string{}
	listen := func(name string, b *bus.Bus, subject string) func() {
		events := make(chan string, 8)
		heard[name] = events
		stop, err := b.Subscribe(subject, func(data []byte) { events <- string(data) })
		require.NoError(t, err)
		return stop
	}
	listen("one", one, member)
	listen("one again", one, member)
	stop := listen("two", two, member)
	listen("all of one", one, "session.*")
	listen("all of two", two, "session.*")
	listen("fence of one", one, "fence")
	listen("fence of two", two, "fence")
	settle := func() { // what was said before has been heard
		for _, b := range []*bus.Bus{one, two} {
			now := uuid.NewString()
			b.Publish("fence", []byte(now))
			for _, name := range []string{"fence of one", "fence of two"} {
				for receive(t, heard[name]) != now {
				}
			}
		}
	}
	require.Eventually(t, func() bool { // the cluster knows who listens
		one.Publish("fence", []byte("does two listen?"))
		select {
		case <-heard["fence of two"]:
			return true
		case <-time.After(time.Millisecond):
			return false
		}
	}, 5*time.Second, time.Millisecond)
	settle()
	for _, b := range []*bus.Bus{one, two} {
		b.Publish(member, []byte("to a member"))
		b.Publish(session, []byte("to a session"))
		settle()
		for name, want := range map[string]string{
			"one": "to a member", "one again": "to a member", "two": "to a member",
			"all of one": "to a session", "all of two": "to a session",
		} {
			require.Equal(t, want, receive(t, heard[name]), name)
			require.Empty(t, heard[name], name)
		}
	}
	stop()
	one.Publish(member, []byte("not for two"))
	settle()
	require.Empty(t, heard["two"])
}

func TestAfterACutTheBusComesBackAndSaysSo(t *testing.T) {
	t.Parallel()
	cluster := startCluster(t, -1)
	b := open(t, cluster.ClientURL())
	back := make(chan string, 1)
	b.OnGap(func() { back <- "back" })
	port := cluster.Addr().(*net.TCPAddr).Port
	cluster.Shutdown()
	cluster.WaitForShutdown()
	require.Eventually(t, func() bool { return !b.Ready() }, 5*time.Second, time.Millisecond)
	b.Publish("x", []byte("into the void")) // neither blocks nor panics
	startCluster(t, port)
	require.Equal(t, "back", receive(t, back))
	require.True(t, b.Ready())
}

func startCluster(t *testing.T, port int) *server.Server {
	t.Helper()
	cluster, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true})
	require.NoError(t, err)
	cluster.Start()
	require.True(t, cluster.ReadyForConnections(5*time.Second))
	t.Cleanup(cluster.Shutdown)
	return cluster
}

func TestNoServerIsAClearError(t *testing.T) {
	t.Parallel()
	_, err := bus.Open("nats://127.0.0.1:1")
	require.ErrorContains(t, err, "NATS does not answer")
}
