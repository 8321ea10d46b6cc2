package api_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"

	"heartward/api"
)

func TestPlace(t *testing.T) {
	t.Parallel()
	proxy := []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32")} // the peer of the test transport
	for _, row := range []struct {
		proxies api.Proxies
		headers []string
		want    string
	}{
		{api.Proxies{Networks: proxy, PlaceHeader: "Fly-Region"}, []string{"Fly-Region", "ams"}, "Amsterdam"},
		{api.Proxies{Networks: proxy, PlaceHeader: "Fly-Region"}, []string{"Fly-Region", "ams", "Fly-Region", "lhr"}, ""},
		{api.Proxies{Networks: proxy, PlaceHeader: "Fly-Region"}, nil, ""},
		{api.Proxies{Networks: proxy}, []string{"Fly-Region", "ams"}, ""},
		{api.Proxies{PlaceHeader: "Fly-Region"}, []string{"Fly-Region", "ams"}, ""}, // not from the proxy
		{api.Proxies{Networks: proxy, PlaceHeader: "CF-IPCity"}, []string{"CF-IPCity", " São Paulo "}, "São Paulo"},
		{api.Proxies{Networks: proxy, PlaceHeader: "CF-IPCity"}, []string{"CF-IPCity", "St. John's"}, "St. John's"},
		{api.Proxies{Networks: proxy, PlaceHeader: "CF-IPCity"}, []string{"CF-IPCity", "evil.test/now"}, ""},
		{api.Proxies{Networks: proxy, PlaceHeader: "CF-IPCity"}, []string{"CF-IPCity", "evil.test"}, ""},
		{api.Proxies{Networks: proxy, PlaceHeader: "CF-IPCity"}, []string{"CF-IPCity", "\xff\xfe"}, ""},
		{api.Proxies{Networks: proxy, PlaceHeader: "CF-IPCity"}, []string{"CF-IPCity", strings.Repeat("a", 65)}, ""},
	} {
		server := fiber.New()
		server.Get("/", func(c fiber.Ctx) error { return c.SendString(row.proxies.Place(c)) })
		require.Equal(t, row.want, get(t, server, "/", row.headers...).body, "%v", row.headers)
	}
}
