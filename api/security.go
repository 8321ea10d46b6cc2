package api

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v3"

	"heartward/api/dates"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// pagePolicy returns the app's Content-Security-Policy: the app loads from its own
// origin only, and Trusted Types protect against injected script.
func pagePolicy(site *url.URL) string {
	socket := "ws://" + site.Host
	if site.Scheme == "https" {
		socket = "wss://" + site.Host
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " +
		"media-src 'self' blob:; font-src 'self'; connect-src 'self' " + socket + "; worker-src 'self'; " +
		"manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'"
}

// docsPolicy is the policy of rendered pages without script.
const docsPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// securityHeaders returns a function that sets the headers of every response.
// Handlers may replace the policy.
func securityHeaders(site *url.URL) func(fiber.Ctx) {
	policy := pagePolicy(site)
	return func(c fiber.Ctx) {
		c.Set("Content-Security-Policy", policy)
		c.Set("X-Content-Type-Options", "nosniff")
		c.Set("Referrer-Policy", "no-referrer")
		c.Set("Cross-Origin-Opener-Policy", "same-origin")
		c.Set("Cross-Origin-Resource-Policy", "same-origin")
		c.Set("Permissions-Policy", "camera=(self), microphone=(self), geolocation=(), payment=(), usb=()")
		if site.Scheme == "https" {
			c.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
		}
		// A file that may be stored replaces the header.
		if strings.HasPrefix(c.Path(), "/api/") || strings.HasPrefix(c.Path(), "/files/") {
			c.Set("Cache-Control", "no-store")
		}
		if c.Path() == dates.SharedPath {
			c.Set("X-Robots-Tag", "noindex, nofollow")
		}
	}
}

var errCrossSite = fault.New(fault.Forbidden, "This request came from another site.")

// sameSite refuses writes started by a page of another origin. The cookie's SameSite=Lax
// would permit those of other subdomains. A browser always sends Sec-Fetch-Site or Origin with a write;
// other clients may send neither.
func sameSite(site *url.URL) fiber.Handler {
	own := site.Scheme + "://" + site.Host
	return func(c fiber.Ctx) error {
		switch c.Method() {
		case fiber.MethodGet, fiber.MethodHead, fiber.MethodOptions:
			return c.Next()
		}
		switch c.Get("Sec-Fetch-Site") {
		case "cross-site", "same-site":
			return refuseCrossSite(c)
		}
		if origin := c.Get(fiber.HeaderOrigin); origin != "" && origin != own && !isHost(origin, site.Scheme, c) {
			return refuseCrossSite(c)
		}
		return c.Next()
	}
}

func refuseCrossSite(c fiber.Ctx) error {
	web.LogSecurity(c.Context(), web.EventCrossSite, errCrossSite, "method", c.Method(), "path", loggedPath(c.Path()))
	return refuse(c, errCrossSite)
}

// isHost reports whether origin is the host of the request, with the scheme of the
// public URL.
func isHost(origin, scheme string, c fiber.Ctx) bool {
	return origin == scheme+"://"+string(c.Request().Host())
}
