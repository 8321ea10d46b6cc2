package api

import (
	"bytes"
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v3"

	"heartward/api/platform/web"
)

// Proxies are the proxies in front of the server.
type Proxies struct {
	Networks []netip.Prefix // the headers of other peers are ignored
	Header   string         // the header with the client's address; "" for X-Forwarded-For
	// PlaceHeader is the header with the client's city, country or Fly region; "" for none.
	PlaceHeader string
}

// ClientAddress returns the key of rate limits: an IPv4 address, or the /64 of an IPv6
// address, within which a client can use any address.
func (p Proxies) ClientAddress(c fiber.Ctx) string {
	address := p.remoteAddress(c)
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}

// remoteAddress returns the address of the connection or, from a proxy, the one in its
// header.
func (p Proxies) remoteAddress(c fiber.Ctx) string {
	peer := c.RequestCtx().RemoteIP().String()
	if !within(peer, p.Networks) {
		return peer
	}
	if p.Header == "" || strings.EqualFold(p.Header, fiber.HeaderXForwardedFor) {
		return p.lastForwarded(c, peer)
	}
	lines := c.Request().Header.PeekAll(p.Header)
	if len(lines) != 1 {
		return peer
	}
	address, err := netip.ParseAddr(strings.TrimSpace(string(lines[0])))
	if err != nil {
		return peer
	}
	return address.String()
}

// lastForwarded returns the last address in X-Forwarded-For that is not a proxy. Earlier
// hops are client-controlled.
func (p Proxies) lastForwarded(c fiber.Ctx, peer string) string {
	// Some proxies add a header line instead of extending the existing one.
	lines := c.Request().Header.PeekAll(fiber.HeaderXForwardedFor)
	hops := strings.Split(string(bytes.Join(lines, []byte(","))), ",")
	address := peer
	for i := len(hops) - 1; i >= 0; i-- {
		hop := strings.TrimSpace(hops[i])
		if _, err := netip.ParseAddr(hop); err != nil {
			break
		}
		address = strings.Clone(hop)
		if !within(hop, p.Networks) {
			break
		}
	}
	return address
}

func within(address string, networks []netip.Prefix) bool {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return false
	}
	for _, network := range networks {
		if network.Contains(ip.Unmap()) {
			return true
		}
	}
	return false
}

// logFirstClient returns a function that logs the networks of the first client and of its
// connection, so that the operator sees whether the settings fit the proxies. Health checks
// are not clients, because the platform sends them past the proxies.
func logFirstClient() func(context.Context, fiber.Ctx) {
	var once sync.Once
	return func(ctx context.Context, c fiber.Ctx) {
		if c.Path() == "/healthz" || c.Path() == "/readyz" {
			return
		}
		once.Do(func() {
			slog.InfoContext(ctx, "first client", "client", web.CoarseClient(ctx),
				"connection", web.CoarseAddress(c.RequestCtx().RemoteIP().String()))
		})
	}
}
