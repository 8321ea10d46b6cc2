package live_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

// With a small send buffer the kernel accepts frames partially, and pings are written
// between them. A client that reads later gets all frames in order.
func TestSend_FramesArriveWholeThroughASmallBuffer(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(func(d *live.Deps) { d.Timing.Ping = 50 * time.Millisecond })
	n.listener.sendBuffer.Store(4 << 10)
	actor := w.member()
	c := n.connectWithSmallBuffers(t, actor)
	for round := range 20 {
		var sent []string
		for i := range 40 { // more than the kernel buffers, and too little to be closed as too slow
			length := []int{1, 60, 110, 600, 4000, 4096, 4097, 6000}[rand.IntN(8)]
			text := fmt.Sprintf("%d %d %s", round, i, strings.Repeat(string(rune('a'+i%26)), length))
			sent = append(sent, text)
			w.bus.Publish(bus.MemberSubject(actor.ID), fmt.Appendf(nil, `{"type":"event","text":%q}`, text))
		}
		for _, text := range sent {
			require.Equal(t, text, c.want("event")["text"])
		}
	}
}

// A client that is closed as too slow receives the close code, even if the kernel had
// accepted only the beginning of a frame.
func TestSend_CloseOfASlowClientFollowsAWholeFrame(t *testing.T) {
	w := newEnv(t)
	n := w.node(nil)
	n.listener.sendBuffer.Store(4 << 10)
	actor := w.member()
	for range 3 {
		c := n.connectWithSmallBuffers(t, actor)
		for i := range 300 {
			w.bus.Publish(bus.MemberSubject(actor.ID), fmt.Appendf(nil, `{"type":"event","n":%d,"text":%q}`, i, strings.Repeat("x", 3000)))
		}
		require.Equal(t, live.CloseTooSlow, c.wantClose())
	}
}

// connectWithSmallBuffers opens a socket with small kernel buffers.
func (n *node) connectWithSmallBuffers(t *testing.T, actor web.Actor) *client {
	t.Helper()
	dialer := websocket.Dialer{NetDial: func(network, address string) (net.Conn, error) {
		return (&net.Dialer{Control: smallSegments}).Dial(network, address)
	}}
	conn, _, err := dialer.Dial("ws://"+n.address+"/ws", n.header(actor))
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	c := &client{t: t, conn: conn}
	c.want("identified")
	return c
}

// smallSegments makes the kernel send small segments, so that it accepts the
// beginning of a frame when its buffer is nearly full.
func smallSegments(_, _ string, conn syscall.RawConn) (err error) {
	set := func(fd uintptr) {
		err = errors.Join(
			syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10),
			syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 256),
		)
	}
	return errors.Join(conn.Control(set), err)
}
