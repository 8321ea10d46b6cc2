package push

import (
	"context"
	"net"
	"net/http"
)

// NewClientOver is the client that pushes go through, on a connection of a test's own.
func NewClientOver(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	client := newClient(Options{AllowPrivate: true})
	client.Transport.(*http.Transport).DialContext = dial
	return client
}
