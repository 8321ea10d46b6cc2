package web

import "context"

type clientKey struct{}

// WithClient is for the middleware that knows which proxies to trust.
func WithClient(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, clientKey{}, address)
}

// ClientOf is the address the call came from, for limits; empty outside a request.
func ClientOf(ctx context.Context) string {
	address, _ := ctx.Value(clientKey{}).(string)
	return address
}
