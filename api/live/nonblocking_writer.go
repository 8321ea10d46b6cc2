package live

import (
	"encoding/binary"
	"net"
	"sync"
	"syscall"

	"github.com/fasthttp/websocket"
)

// maxNonBlocking is the longest text that is written without blocking, in bytes.
const maxNonBlocking = 4 << 10

// frameBuffers are buffers for a text and its header.
var frameBuffers = sync.Pool{New: func() any { return new([maxNonBlocking + 4]byte) }}

// nonBlockingWriter writes frames to the kernel without blocking and without
// starting the writing goroutine: most sockets are idle when an event arrives, and
// waking that goroutine takes longer than the write. The zero value is for connections
// that are not plain TCP; it writes nothing.
type nonBlockingWriter struct{ syscall.RawConn }

func newNonBlockingWriter(conn *websocket.Conn) nonBlockingWriter {
	inner := conn.NetConn()
	if hijacked, ok := inner.(interface{ UnsafeConn() net.Conn }); ok { // fasthttp's wrapper
		inner = hijacked.UnsafeConn()
	}
	if tcp, ok := inner.(*net.TCPConn); ok {
		if raw, err := tcp.SyscallConn(); err == nil {
			return nonBlockingWriter{raw}
		}
	}
	return nonBlockingWriter{}
}

// write writes a text frame as far as the kernel accepts it. rest is what the caller must
// still write: nothing, the whole text if begun is false, or the remainder of the frame
// if begun is true. No other goroutine may write to the connection meanwhile.
func (w nonBlockingWriter) write(text []byte) (rest []byte, begun bool) {
	if w.RawConn == nil || len(text) > maxNonBlocking {
		return text, false
	}
	buffer := frameBuffers.Get().(*[maxNonBlocking + 4]byte)
	defer frameBuffers.Put(buffer)
	frame := appendFrame(buffer[:0], text)
	n := 0
	err := w.Write(func(fd uintptr) bool {
		n, _ = syscall.Write(int(fd), frame) // -1 when the buffer is full or the connection broken; the next write reports which
		return true                          // do not wait until the descriptor is writable
	})
	switch {
	case err != nil || n <= 0:
		return text, false
	case n == len(frame):
		return nil, true
	}
	return append([]byte(nil), frame[n:]...), true
}

// appendFrame appends an unmasked, unfragmented text frame (RFC 6455, section
// 5.2).
func appendFrame(to, text []byte) []byte {
	const finalText, length16 = 0x80 | websocket.TextMessage, 126
	if len(text) < length16 {
		to = append(to, finalText, byte(len(text)))
	} else {
		to = binary.BigEndian.AppendUint16(append(to, finalText, length16), uint16(len(text)))
	}
	return append(to, text...)
}
