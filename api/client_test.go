package api_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"

	"heartward/api"
)

func TestClientAddress_TrustsOnlyConfiguredProxies(t *testing.T) {
	t.Parallel()
	const self = "0.0.0.0" // the peer address of the test transport
	proxies := []netip.Prefix{netip.MustParsePrefix(self + "/32"), netip.MustParsePrefix("10.0.0.0/8")}
	for _, row := range []struct {
		trusted   []netip.Prefix
		forwarded []string
		want      string
	}{
		{nil, []string{"203.0.113.9"}, self},
		{proxies, nil, self},
		{proxies, []string{"203.0.113.9"}, "203.0.113.9"},
		{proxies, []string{"198.51.100.1, 203.0.113.9, 10.1.1.1"}, "203.0.113.9"},
		{proxies, []string{"198.51.100.1", "203.0.113.9"}, "203.0.113.9"},
		{proxies, []string{"198.51.100.1, nonsense"}, self},
		{proxies, []string{"203.0.113.9, nonsense, 10.1.1.1"}, "10.1.1.1"},
		{proxies, []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{proxies, []string{"2001:db8:1:2:aaaa::1"}, "2001:db8:1:2::/64"},
		{proxies, []string{"2001:db8:1:2:bbbb::7"}, "2001:db8:1:2::/64"}, // the same /64
		{proxies, []string{"2001:db8:1:3::1"}, "2001:db8:1:3::/64"},
	} {
		app := fiber.New()
		address := api.Proxies{Networks: row.trusted}.ClientAddress
		app.Get("/", func(c fiber.Ctx) error { return c.SendString(address(c)) })
		var headers []string
		for _, line := range row.forwarded {
			headers = append(headers, "X-Forwarded-For", line)
		}
		require.Equal(t, row.want, get(t, app, "/", headers...).body, "%v", row.forwarded)
	}
}

// On Fly, X-Forwarded-For ends with the public address of the app, which is the same for
// all clients: with it, one visitor could use up the limits of everyone.
func TestClientAddress_HeaderOfFly(t *testing.T) {
	t.Parallel()
	fly := api.Proxies{Networks: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32")}, Header: "Fly-Client-IP"}
	const app = "66.241.124.10"
	for _, row := range []struct {
		proxies api.Proxies
		headers []string
		want    string
	}{
		{fly, []string{"X-Forwarded-For", "203.0.113.1, " + app, "Fly-Client-IP", "203.0.113.1"}, "203.0.113.1"},
		{fly, []string{"X-Forwarded-For", "203.0.113.2, " + app, "Fly-Client-IP", "203.0.113.2"}, "203.0.113.2"},
		{fly, []string{"X-Forwarded-For", "198.51.100.9, 203.0.113.2, " + app, "Fly-Client-IP", "203.0.113.2"}, "203.0.113.2"},
		{fly, []string{"Fly-Client-IP", "2001:db8:1:2::7"}, "2001:db8:1:2::/64"},
		{fly, []string{"Fly-Client-IP", "::ffff:203.0.113.3"}, "203.0.113.3"},
		{fly, []string{"X-Forwarded-For", "203.0.113.1"}, "0.0.0.0"}, // a health check
		{fly, []string{"Fly-Client-IP", "nonsense"}, "0.0.0.0"},
		{fly, []string{"Fly-Client-IP", "203.0.113.1, 203.0.113.2"}, "0.0.0.0"},
		{fly, []string{"Fly-Client-IP", "203.0.113.1", "Fly-Client-IP", "203.0.113.2"}, "0.0.0.0"},
		{api.Proxies{Networks: fly.Networks}, []string{"X-Forwarded-For", "203.0.113.1, " + app, "Fly-Client-IP", "203.0.113.1"}, app},
		{api.Proxies{Header: "Fly-Client-IP"}, []string{"Fly-Client-IP", "203.0.113.1"}, "0.0.0.0"}, // not from the proxy
	} {
		server := fiber.New()
		server.Get("/", func(c fiber.Ctx) error { return c.SendString(row.proxies.ClientAddress(c)) })
		require.Equal(t, row.want, get(t, server, "/", row.headers...).body, "%v", row.headers)
	}
}

func TestServer_LogsFirstClient(t *testing.T) {
	lines := captureLog(t, "info")
	deps := newDepsWithoutDatabase(t, "https://heartward.test")
	deps.Proxies = api.Proxies{Networks: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32")}, Header: "Fly-Client-IP"}
	server, err := api.New(deps)
	require.NoError(t, err)
	get(t, server.Fiber, "/healthz", "Fly-Client-IP", "198.51.100.1")
	require.NotContains(t, lines.String(), "first client", "a health check is not a client")
	for _, address := range []string{"203.0.113.77", "203.0.113.78"} {
		require.Equal(t, http.StatusOK, get(t, server.Fiber, "/docs", "Fly-Client-IP", address).status)
	}
	require.Equal(t, 1, strings.Count(lines.String(), "first client"), lines.String())
	require.Contains(t, lines.String(), "client=203.0.113.0/24 connection=0.0.0.0/24")
}
