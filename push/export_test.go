package push

import (
	"context"
	"net"
	"net/http"
)

// NewClientOver returns the HTTP client of pushes with another dial function.
func NewClientOver(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	client := newClient(Options{AllowPrivate: true})
	client.Transport.(*http.Transport).DialContext = dial
	return client
}
