package live

import (
	"strings"
	"sync"
	"time"

	"github.com/gofiber/contrib/v3/websocket"
	"github.com/gofiber/fiber/v3"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// handshake is the result of a successful handshake.
type handshake struct {
	actor     web.Actor
	address   string
	startedAt time.Duration // clock time before the session was read
}

const handshakeKey = "live.handshake"

// Handler upgrades a signed-in member's request to a socket. A request from
// another site, and one of a restricted member, is refused with 403, one without a session
// with 401.
func (h *Hub) Handler() fiber.Handler {
	upgrade := websocket.New(func(c *websocket.Conn) {
		from, _ := c.Locals(handshakeKey).(handshake)
		h.serve(c.Conn, from)
	}, websocket.Config{
		// The buffers are small, because most sockets are idle. Frames may be larger.
		ReadBufferSize: 512, WriteBufferSize: 2048, WriteBufferPool: &sync.Pool{},
	})
	return func(c fiber.Ctx) error {
		if !websocket.IsWebSocketUpgrade(c) {
			return fiber.ErrUpgradeRequired
		}
		if !h.originAllowed(c.Get(fiber.HeaderOrigin), string(c.Request().Host())) {
			err := fault.New(fault.Forbidden, "This page may not open a connection.")
			web.LogSecurity(c.Context(), web.EventCrossSite, err, "method", c.Method(), "path", c.Path())
			return refuse(c, err)
		}
		token := strings.Clone(c.Cookies(h.deps.Cookie))
		if token == "" {
			return refuse(c, fault.New(fault.Unauthenticated, "Please sign in."))
		}
		startedAt := h.clock()
		actor, err := h.deps.Authenticate(c.Context(), token)
		if err == nil && actor.Restricted {
			err = web.ErrRestricted(actor)
		}
		if err != nil {
			return refuse(c, err)
		}
		c.Locals(handshakeKey, handshake{actor: actor, address: h.clientAddress(c), startedAt: startedAt})
		return upgrade(c)
	}
}

func (h *Hub) clientAddress(c fiber.Ctx) string {
	if h.deps.Client != nil {
		return strings.Clone(h.deps.Client(c))
	}
	return strings.Clone(c.IP())
}

// originAllowed reports whether the Origin header is the configured site or the
// request's own host. Browsers send the cookie whichever page opens the socket, so
// this check prevents cross-site sockets.
func (h *Hub) originAllowed(origin, host string) bool {
	if origin == "" {
		return h.deps.AllowNoOrigin
	}
	scheme := "http"
	if strings.HasPrefix(h.deps.Origin, "https:") {
		scheme = "https"
	}
	return origin == h.deps.Origin || origin == scheme+"://"+host
}

func refuse(c fiber.Ctx, err error) error {
	f := fault.From(err)
	if f.RetryAfter > 0 {
		c.Set(fiber.HeaderRetryAfter, web.RetryAfter(f))
	}
	return c.Status(web.StatusOf(f.Kind)).JSON(web.NewProblem(c.Context(), f), "application/problem+json")
}
