package live_test

import (
	"bytes"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

// heap returns the bytes in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// exchange sends a message and waits until the recipient receives it.
func exchange(from, reader *client, to web.Actor) {
	from.t.Helper()
	from.send("%s", sendFrame(to, "are you there?"))
	require.Equal(from.t, "are you there?", reader.want("new_message")["content"])
	from.want("ack")
}

// Two hundred sockets that never read are closed as too slow, use little memory and do not
// delay messages of others. scripts/bench live measures the delay.
func TestSend_StalledReadersDoNotDelayOthers(t *testing.T) {
	const count = 200
	w := newEnv(t)
	n := w.node(func(d *live.Deps) { d.Limits.SocketsPerMember, d.Limits.SocketsPerAddress = count, 2*count })
	n.listener.sendBuffer.Store(4 << 10) // otherwise the kernel buffers megabytes for each socket
	a, b := w.pair()
	stalled := w.member()
	dialer := websocket.Dialer{NetDial: func(network, address string) (net.Conn, error) {
		conn, err := net.Dial(network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return conn, err
	}}
	for range count {
		conn, _, err := dialer.Dial("ws://"+n.address+"/ws", n.header(stalled))
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
	}
	sender, peer := n.connect(t, a), n.connect(t, b)
	require.Eventually(t, func() bool { return n.hub.Sockets() == count+2 }, waitTimeout, time.Millisecond)
	before, most := heap(), uint64(0)
	frame := []byte(`{"type":"new_message","content":"` + strings.Repeat("x", 8<<10) + `"}`)
	for sent := 0; n.hub.Sockets()-n.hub.Dropped() > 2; sent++ {
		require.Less(t, sent, 10_000, "the sockets are not dropped after 80 MB")
		w.bus.Publish(bus.MemberSubject(stalled.ID), frame)
		exchange(sender, peer, b)
		if sent%20 == 0 {
			most = max(most, heap())
		}
	}
	require.Less(t, int64(most)-int64(before), int64(100<<20))
	require.Eventually(t, func() bool { return n.hub.Sockets() == 2 }, waitTimeout, 10*time.Millisecond)
}

// A client that sends ten thousand frames at once gets an error and is closed. It uses
// little memory and does not delay messages of others.
func TestCountFrame_ClosesFloodingClient(t *testing.T) {
	const count = 10_000
	w := newEnv(t)
	n := w.node(func(d *live.Deps) { d.Limits = live.DefaultLimits(1) })
	a, b := w.pair()
	sender, peer := n.connect(t, a), n.connect(t, b)
	for kind, frame := range map[string][]byte{
		"text": masked(websocket.TextMessage, `{"type":"get_online_users"}`),
		"ping": masked(websocket.PingMessage, ""), // control frames count as well
	} {
		flooder := n.connect(t, w.member())
		before := heap()
		flood := sync.WaitGroup{}
		flood.Go(func() { // fails when the server closes the connection
			_, _ = flooder.conn.NetConn().Write(bytes.Repeat(frame, count))
		})
		for range 20 {
			exchange(sender, peer, b)
		}
		require.Equal(t, "rate_limited", flooder.want("error")["kind"], kind)
		require.Less(t, int64(heap())-int64(before), int64(16<<20), kind)
		require.Equal(t, live.CloseFlood, flooder.wantClose(), kind)
		require.Eventually(t, func() bool { return n.hub.Sockets() == 2 }, waitTimeout, time.Millisecond)
		flood.Wait()
	}
}

// masked returns a short frame as a client sends it.
func masked(kind int, text string) []byte {
	return append([]byte{0x80 | byte(kind), 0x80 | byte(len(text)), 0, 0, 0, 0}, text...)
}
