package web

import (
	"context"
	"net/netip"
)

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

// NetworkOf returns the network of the client, for limits.Daily: the IPv4 address, or the /56 of an
// IPv6 address, which is what a provider gives to a home. It returns "" outside of a request.
func NetworkOf(ctx context.Context) string {
	client := ClientOf(ctx)
	prefix, err := netip.ParsePrefix(client)
	if err != nil || prefix.Bits() < 56 {
		return client
	}
	return netip.PrefixFrom(prefix.Addr(), 56).Masked().String()
}

type placeKey struct{}

// WithPlace returns a context that carries the client's place.
func WithPlace(ctx context.Context, place string) context.Context {
	return context.WithValue(ctx, placeKey{}, place)
}

// PlaceOf returns the city or country of the client as the proxy knows it, at most 64 characters,
// and "" when it is not known.
func PlaceOf(ctx context.Context) string {
	place, _ := ctx.Value(placeKey{}).(string)
	return place
}

// CoarseClient returns CoarseAddress of the client, and "" outside of a request.
func CoarseClient(ctx context.Context) string { return CoarseAddress(ClientOf(ctx)) }

// CoarseAddress returns the network of an address for the log: the /24 of an IPv4 address or
// the /48 of an IPv6 address or network, and "" for other texts.
func CoarseAddress(address string) string {
	prefix, err := netip.ParsePrefix(address)
	if ip, ipErr := netip.ParseAddr(address); ipErr == nil {
		prefix, err = netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	if err != nil {
		return ""
	}
	bits := 48
	if prefix.Addr().Is4() {
		bits = 24
	}
	return netip.PrefixFrom(prefix.Addr(), bits).Masked().String()
}
