package live_test

import (
	"bytes"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

// heap is what is in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// exchange is how long a message takes until its reader has it.
func exchange(from, reader *client, to web.Actor) time.Duration {
	from.t.Helper()
	begun := time.Now()
	from.send("%s", sendFrame(to, "are you there?"))
	require.Equal(from.t, "are you there?", reader.want("new_message")["content"])
	took := time.Since(begun)
	from.want("ack")
	return took
}

func p99(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)*99/100].Round(10 * time.Microsecond)
}

// Two hundred who never read are closed, cost little memory, and hold up nobody.
func TestReadersThatNeverReadHoldUpNobody(t *testing.T) {
	const many = 200
	w := newWorld(t)
	n := w.node(func(d *live.Deps) { d.Limits.SocketsPerMember, d.Limits.SocketsPerAddress = many, 2*many })
	n.listener.sendBuffer.Store(4 << 10) // the kernel would keep megabytes for each
	a, b := w.pair()
	deaf := w.member()
	dialer := websocket.Dialer{NetDial: func(network, address string) (net.Conn, error) {
		conn, err := net.Dial(network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return conn, err
	}}
	for range many {
		conn, _, err := dialer.Dial("ws://"+n.address+"/ws", n.header(deaf))
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
	}
	talker, peer := n.connect(t, a), n.connect(t, b)
	require.Eventually(t, func() bool { return n.hub.Sockets() == many+2 }, patience, time.Millisecond)
	var quiet, meanwhile []time.Duration
	for range 100 {
		quiet = append(quiet, exchange(talker, peer, b))
	}
	before, most := heap(), uint64(0)
	frame := []byte(`{"type":"new_message","content":"` + strings.Repeat("x", 8<<10) + `"}`)
	begun := time.Now()
	for sent := 0; n.hub.Sockets()-n.hub.Dropped() > 2; sent++ {
		require.Less(t, sent, 10_000, "80 MB, and still they are not dropped")
		w.bus.Publish(bus.MemberSubject(deaf.ID), frame)
		for range 3 {
			meanwhile = append(meanwhile, exchange(talker, peer, b))
		}
		if sent%20 == 0 {
			most = max(most, heap())
		}
	}
	t.Logf("the p99 of %d messages of others was %v, that of %d without deaf ones %v", len(meanwhile), p99(meanwhile), len(quiet), p99(quiet))
	require.Less(t, p99(meanwhile), 2*time.Second) // of a busy machine, with the race detector
	require.Less(t, time.Since(begun), 15*time.Second)
	require.Less(t, int64(most)-int64(before), int64(100<<20))
	require.Eventually(t, func() bool { return n.hub.Sockets() == 2 }, patience, 10*time.Millisecond)
}

// Ten thousand frames within a second, against the limits of the product: told,
// then cut, at little cost in memory, and nobody else waits.
func TestAFloodIsToldAndThenCut(t *testing.T) {
	const many = 10_000
	w := newWorld(t)
	n := w.node(func(d *live.Deps) { d.Limits = live.DefaultLimits(1) })
	a, b := w.pair()
	talker, peer := n.connect(t, a), n.connect(t, b)
	for kind, frame := range map[string][]byte{
		"text": masked(websocket.TextMessage, `{"type":"get_online_users"}`),
		"ping": masked(websocket.PingMessage, ""), // control frames count as well
	} {
		flooder := n.connect(t, w.member())
		var quiet, meanwhile []time.Duration
		for range 20 {
			quiet = append(quiet, exchange(talker, peer, b))
		}
		before := heap()
		flood := make(chan time.Duration, 1)
		go func() {
			begun := time.Now()
			_, _ = flooder.conn.NetConn().Write(bytes.Repeat(frame, many)) // fails when it is cut in the midst of it
			flood <- time.Since(begun)
		}()
		for range 20 {
			meanwhile = append(meanwhile, exchange(talker, peer, b))
		}
		require.Equal(t, "rate_limited", flooder.want("error")["kind"], kind)
		require.Less(t, int64(heap())-int64(before), int64(16<<20), kind)
		require.Equal(t, live.CloseFlood, flooder.wantClose(), kind)
		require.Eventually(t, func() bool { return n.hub.Sockets() == 2 }, patience, time.Millisecond)
		t.Logf("%d frames of %s within %v; the slowest of others' messages took %v, without it %v",
			many, kind, <-flood, slices.Max(meanwhile), slices.Max(quiet))
		require.Less(t, slices.Max(meanwhile), 2*time.Second, kind)
	}
}

// masked is a short frame as a client sends it.
func masked(kind int, text string) []byte {
	return append([]byte{0x80 | byte(kind), 0x80 | byte(len(text)), 0, 0, 0, 0}, text...)
}
