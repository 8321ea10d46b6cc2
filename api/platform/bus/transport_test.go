package bus_test

import (
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// The server offers no TLS, as if an attacker on the path had removed it.
func TestOpen_SendsNothingToServerWithoutTLS(t *testing.T) {
	t.Parallel()
	for scheme, sends := range map[string]bool{"tls": false, "nats": true} {
		listener, err := net.Listen("tcp", "127.0.0.1:0") // of this row: the bus connects again and again
		require.NoError(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		received := make(chan string, 1)
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			_, _ = fmt.Fprint(conn, `INFO {"server_id":"x","version":"2.10.0","proto":1,"max_payload":1048576}`+"\r\n")
			if sends {
				text := make([]byte, len("CONNECT"))
				_, _ = io.ReadFull(conn, text)
				received <- string(text)
				return
			}
			text, _ := io.ReadAll(conn)
			received <- string(text)
		}()
		open(t, scheme+"://ada:hunter2@"+listener.Addr().String(), pgtest.New(t))
		if got := <-received; sends {
			require.Equal(t, "CONNECT", got, "the password follows")
		} else {
			require.Empty(t, got)
		}
	}
}
