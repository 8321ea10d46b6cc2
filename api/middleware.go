package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"

	"heartward/api/dates"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// observe gives each request its id, its time limit and its client's address,
// logs and counts the answer, and turns a panic into a 500 that tells nothing.
func observe(deps Deps, timeout func(path string) time.Duration) fiber.Handler {
	return func(c fiber.Ctx) (err error) {
		began := time.Now()
		ctx := web.WithClient(identify(c), clientAddress(c, deps.TrustedProxies))
		if c.Path() != "/ws" { // a socket outlives every limit
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, timeout(c.Path()))
			defer cancel()
		}
		c.SetContext(ctx)
		defer func() {
			if r := recover(); r != nil {
				slog.ErrorContext(ctx, "panic", "error", fmt.Sprint(r), "stack", string(debug.Stack()))
				err = onError(c, fmt.Errorf("panic: %v", r))
			}
			finish(ctx, c, deps, time.Since(began))
		}()
		if err = c.Next(); err != nil {
			err = onError(c, err)
		}
		return err
	}
}

// identify gives the request the id under which answer and log can be found.
func identify(c fiber.Ctx) context.Context {
	id := uuid.Must(uuid.NewV7()).String()
	c.Set("X-Request-Id", id)
	return web.WithRequestID(c.Context(), id)
}

func finish(ctx context.Context, c fiber.Ctx, deps Deps, took time.Duration) {
	status := c.Response().StatusCode()
	deps.Metrics.Request(c.Method(), c.Route().Path, status, took)
	level := slog.LevelDebug
	if status >= 500 {
		level = slog.LevelWarn
	}
	slog.Log(ctx, level, "answered", "method", c.Method(), "path", loggedPath(c.Path()), "status", status, "took", took.Round(time.Microsecond))
}

// secretPaths are followed by a token that opens what lies there. It is no more
// for the log than a password is.
var secretPaths = []string{dates.SharedPath, "/api/shared-dates/"}

// loggedPath is path as the log may have it.
func loggedPath(path string) string {
	for _, secret := range secretPaths {
		if strings.HasPrefix(path, secret) {
			return secret + "…"
		}
	}
	return path
}

// clientAddress is what limits are counted for: the caller's IPv4 address, or
// the /64 of an IPv6 one, within which a caller may take any of 2^64 addresses.
func clientAddress(c fiber.Ctx, trusted []netip.Prefix) string {
	address := callerAddress(c, trusted)
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}

// callerAddress is the connection's, or behind proxies of ours the last one in
// X-Forwarded-For that is none of them: what stands before it is hearsay.
func callerAddress(c fiber.Ctx, trusted []netip.Prefix) string {
	address := c.RequestCtx().RemoteIP().String()
	if !within(address, trusted) {
		return address
	}
	// Some proxies add a line of their own instead of lengthening the first.
	lines := c.Request().Header.PeekAll(fiber.HeaderXForwardedFor)
	hops := strings.Split(string(bytes.Join(lines, []byte(","))), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop := strings.TrimSpace(hops[i])
		if _, err := netip.ParseAddr(hop); err != nil {
			break
		}
		address = strings.Clone(hop)
		if !within(hop, trusted) {
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

// onUnreadable answers what never got to a handler since it could not be read
// as a request. What the reader says of it is not for the other side.
func onUnreadable(site *url.URL) fiber.ErrorHandler {
	headers := securityHeaders(site)
	return func(c fiber.Ctx, err error) error {
		ctx := identify(c)
		c.SetContext(ctx)
		headers(c)
		slog.DebugContext(ctx, "unreadable request", "error", err)
		var fe *fiber.Error
		if !errors.As(err, &fe) || fe.Code >= 500 || fe.Code == fiber.StatusBadRequest {
			fe = &fiber.Error{Code: fiber.StatusBadRequest, Message: "This is not a request we can read"}
		}
		return onError(c, fe)
	}
}

// onError answers what no operation has answered, as the same problem+json.
func onError(c fiber.Ctx, err error) error {
	var f *fault.Error
	var fe *fiber.Error
	switch {
	case errors.As(err, &f):
	case errors.As(err, &fe) && fe.Code == fiber.StatusNotFound:
		f = fault.New(fault.NotFound, "There is nothing at this address.")
	case errors.As(err, &fe) && fe.Code == fiber.StatusRequestEntityTooLarge:
		f = errTooLarge
	case errors.As(err, &fe) && fe.Code < 500:
		problem := web.NewProblem(c.Context(), fault.New(fault.Invalid, fe.Message+"."))
		problem.Status, problem.Title = fe.Code, fe.Message
		return c.Status(fe.Code).JSON(problem, "application/problem+json")
	default:
		slog.ErrorContext(c.Context(), "call failed", "error", err)
		f = fault.From(err)
	}
	return refuse(c, f)
}

func refuse(c fiber.Ctx, f *fault.Error) error {
	problem := web.NewProblem(c.Context(), f)
	if f.RetryAfter > 0 {
		c.Set(fiber.HeaderRetryAfter, web.RetryAfter(f))
	}
	return c.Status(problem.Status).JSON(problem, "application/problem+json")
}

// ClientAddress tells the caller's address as observe does, for the socket.
func ClientAddress(trusted []netip.Prefix) func(fiber.Ctx) string {
	return func(c fiber.Ctx) string { return clientAddress(c, trusted) }
}
