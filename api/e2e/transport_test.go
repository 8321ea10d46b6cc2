package e2e_test

import (
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// listen listens at 0.0.0.0, which connects to this machine without being a loopback address.
func listen(t *testing.T) (net.Listener, int) {
	t.Helper()
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	return listener, listener.Addr().(*net.TCPAddr).Port
}

// The server has no TLS, as if an attacker on the path had removed it.
func TestDatabase_RequiresTLSToOtherMachines(t *testing.T) {
	t.Parallel()
	listener, port := listen(t)
	received := make(chan []byte, 1)
	var connections atomic.Int32
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			request := make([]byte, 8) // SSLRequest
			_, _ = io.ReadFull(conn, request)
			_, _ = conn.Write([]byte("N"))
			rest, _ := io.ReadAll(conn)
			_ = conn.Close()
			select {
			case received <- rest:
			default:
			}
		}
	}()
	p := newInstance(t)
	for _, mode := range []string{"", "?sslmode=prefer", "?sslmode=allow", "?sslmode=disable"} {
		address := fmt.Sprintf("DATABASE_URL=postgres://ada:hunter2@0.0.0.0:%d/x%s", port, mode)
		for _, command := range []string{"serve", "migrate"} {
			p.requireRefused([]string{address}, "DATABASE_URL: the connection to 0.0.0.0 would not be encrypted", command)
		}
	}
	require.Zero(t, connections.Load(), "refused before connecting")
	address := fmt.Sprintf("DATABASE_URL=postgres://ada:hunter2@0.0.0.0:%d/x?sslmode=require", port)
	p.requireRefused([]string{address}, "DATABASE_URL: PostgreSQL does not answer", "migrate")
	require.Empty(t, <-received, "nothing is sent after the server has refused TLS")
}
