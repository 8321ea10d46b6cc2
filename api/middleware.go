package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"heartward/api/export"
	"heartward/api/media"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

// observe sets the id, the time limit and the client address of each request, logs and
// counts its response, and responds to a panic with a 500 without details.
func observe(deps Deps, timeout func(path string) time.Duration) fiber.Handler {
	logFirst := logFirstClient()
	return func(c fiber.Ctx) (err error) {
		began := time.Now()
		ctx := web.WithClient(setRequestID(c), deps.Proxies.ClientAddress(c))
		ctx = web.WithPlace(ctx, deps.Proxies.Place(c))
		logFirst(ctx, c)
		if c.Path() != "/ws" { // a socket has no time limit
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
			recordResponse(ctx, c, deps, time.Since(began))
		}()
		if err = c.Next(); err != nil {
			err = onError(c, err)
		}
		return err
	}
}

// headAsGet handles a HEAD request for an operation or a file by its GET route: fasthttp sends no body in response to HEAD.
// Uploads have a HEAD of their own, and a download of the export ends with its one GET.
func headAsGet(c fiber.Ctx) error {
	path := c.Path()
	isOperation := strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/files/")
	if c.Method() != fiber.MethodHead || !isOperation || strings.HasPrefix(path, media.Root+"/") || strings.HasPrefix(path, export.DownloadPath) {
		return c.Next()
	}
	c.Method(fiber.MethodGet)
	return c.RestartRouting()
}

// setRequestID sets the id of the request, which is in the response and in the log.
func setRequestID(c fiber.Ctx) context.Context {
	id := uuid.Must(uuid.NewV7()).String()
	c.Set("X-Request-Id", id)
	return web.WithRequestID(c.Context(), id)
}

// recordResponse logs and counts the response.
func recordResponse(ctx context.Context, c fiber.Ctx, deps Deps, took time.Duration) {
	status := c.Response().StatusCode()
	deps.Metrics.Request(c.Method(), c.Route().Path, status, took)
	level := slog.LevelDebug
	if status >= 500 {
		level = slog.LevelWarn
	}
	slog.Log(ctx, level, "response", "method", c.Method(), "path", loggedPath(c.Path()), "status", status, "took", took.Round(time.Microsecond))
}

// secretPaths are prefixes of paths with a token, which must not be logged.
var secretPaths = []string{export.DownloadPath, mail.UnsubscribePath, referrals.OptOutPath}

// loggedPath returns path without a token.
func loggedPath(path string) string {
	for _, secret := range secretPaths {
		if strings.HasPrefix(path, secret) {
			return secret + "…"
		}
	}
	return path
}

// onUnreadable responds to a request that cannot be parsed. The parser's error is not
// sent to the client.
func onUnreadable(site *url.URL) fiber.ErrorHandler {
	headers := securityHeaders(site)
	return func(c fiber.Ctx, err error) error {
		ctx := setRequestID(c)
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

// refuseUnknownMethods responds with 501 to methods that the router does not know, which
// never reach the middleware. It closes the connection, because nothing reads the body.
func refuseUnknownMethods(app *fiber.App, site *url.URL) {
	headers, route := securityHeaders(site), app.Server().Handler
	app.Server().Handler = func(request *fasthttp.RequestCtx) {
		if slices.Contains(app.Config().RequestMethods, string(request.Method())) {
			route(request)
			return
		}
		c := app.AcquireCtx(request)
		defer app.ReleaseCtx(c)
		c.SetContext(setRequestID(c))
		headers(c)
		request.SetConnectionClose()
		problem := web.NewProblem(c.Context(), fault.New(fault.Invalid, "This method is not supported."))
		problem.Status, problem.Title = fiber.StatusNotImplemented, "Not Implemented"
		_ = c.Status(problem.Status).JSON(problem, "application/problem+json")
	}
}

// onError responds with problem+json to errors outside of the operations.
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
