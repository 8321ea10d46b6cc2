package live

import (
	"encoding/binary"
	"net"
	"sync"
	"syscall"

	"github.com/fasthttp/websocket"
)

// maxNow is the longest text that is written at once.
const maxNow = 4 << 10

// frames are the buffers of what is written at once.
var frames = sync.Pool{New: func() any { return new([maxNow + 4]byte) }}

// direct gives the kernel frames without a wait, past the goroutine that
// writes: most sockets are idle when something comes for them, and waking that
// goroutine takes longer than the write. Nil where the connection is not plain
// TCP; then that goroutine writes everything.
type direct struct{ syscall.RawConn }

func newDirect(conn *websocket.Conn) direct {
	inner := conn.NetConn()
	if hijacked, ok := inner.(interface{ UnsafeConn() net.Conn }); ok { // fasthttp's wrapper
		inner = hijacked.UnsafeConn()
	}
	if tcp, ok := inner.(*net.TCPConn); ok {
		if raw, err := tcp.SyscallConn(); err == nil {
			return direct{raw}
		}
	}
	return direct{}
}

// write hands over a text frame, and answers with what the kernel did not take
// of it: nothing, the whole frame, or its end. The caller must be the only one
// who writes.
func (d direct) write(text []byte) (rest []byte, begun bool) {
	if d.RawConn == nil || len(text) > maxNow {
		return text, false
	}
	buffer := frames.Get().(*[maxNow + 4]byte)
	defer frames.Put(buffer)
	frame := appendFrame(buffer[:0], text)
	n := 0
	err := d.Write(func(fd uintptr) bool {
		n, _ = syscall.Write(int(fd), frame) // -1 when it is full or broken; whoever writes next finds out which
		return true                          // whatever came of it: do not wait
	})
	switch {
	case err != nil || n <= 0:
		return text, false
	case n == len(frame):
		return nil, true
	}
	return append([]byte(nil), frame[n:]...), true
}

// appendFrame appends a text as a server sends it: whole, and not masked
// (RFC 6455, 5.2).
func appendFrame(to, text []byte) []byte {
	const finalText, length16 = 0x80 | websocket.TextMessage, 126
	if len(text) < length16 {
		to = append(to, finalText, byte(len(text)))
	} else {
		to = binary.BigEndian.AppendUint16(append(to, finalText, length16), uint16(len(text)))
	}
	return append(to, text...)
}
