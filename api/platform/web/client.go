package web

import "context"

type clientKey struct{}

// WithClient returns a context that carries the client's address. The middleware
// that knows the trusted proxies calls it.
func WithClient(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, clientKey{}, address)
}

// ClientOf returns the address of the client, for limits, and "" outside of a
// request.
func ClientOf(ctx context.Context) string {
	address, _ := ctx.Value(clientKey{}).(string)
	return address
}
