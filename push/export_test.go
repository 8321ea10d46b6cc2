package push

import (
	"context"
	"net"
	"net/http"
)

// NewClientWithDial returns the HTTP client of pushes with the given dial function.
func NewClientWithDial(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	client := newClient(Options{AllowPrivate: true})
	client.Transport.(*http.Transport).DialContext = dial
	return client
}
