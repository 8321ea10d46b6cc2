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

func TestAfterACutTheBusComesBackAndSaysSo(t *testing.T) {
	t.Parallel()
	cluster := startCluster(t, -1)
	b := open(t, cluster.ClientURL())
	back := make(chan string, 1)
	b.OnReconnect(func() { back <- "back" })
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
