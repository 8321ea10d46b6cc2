package live_test

import (
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/platform/bus"
)

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
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most := heap(), uint64(0)
	frame := []byte(`{"type":"new_message","content":"` + strings.Repeat("x", 8<<10) + `"}`)
	begun := time.Now()
	for sent := 0; n.hub.Sockets()-n.hub.Dropped() > 2; sent++ {
		require.Less(t, sent, 10_000, "80 MB, and still they are not dropped")
		w.bus.Publish(bus.MemberSubject(deaf.ID), frame)
		if sent%20 == 0 {
			most = max(most, heap())
			talker.send("%s", sendFrame(b, "are you there?"))
			talker.want("ack")
			require.Equal(t, "are you there?", peer.want("new_message")["content"])
		}
	}
	require.Less(t, time.Since(begun), 15*time.Second)
	require.Less(t, int64(most)-int64(before), int64(100<<20))
	require.Eventually(t, func() bool { return n.hub.Sockets() == 2 }, patience, 10*time.Millisecond)
}
