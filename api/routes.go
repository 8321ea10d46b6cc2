package api

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v3"
	"github.com/valyala/fasthttp"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// isServerPath reports whether the path is one of own, below one, or a format of one, such as /openapi.json. Unknown ones
// get a 404 and never the app's index.html. The service worker has the same rule.
func isServerPath(requested string, own []string) bool {
	return slices.ContainsFunc(own, func(path string) bool {
		rest, found := strings.CutPrefix(requested, path)
		return found && (rest == "" || strings.ContainsAny(rest[:1], "/.-"))
	})
}

// mountHealthChecks mounts the health checks.
func mountHealthChecks(app *fiber.App, deps Deps) {
	app.Get("/healthz", func(c fiber.Ctx) error { return c.SendString("ok\n") })
	app.Get("/readyz", func(c fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.Context(), 2*time.Second)
		defer cancel()
		if err := deps.Ready(ctx); err != nil {
			slog.WarnContext(ctx, "not ready", "error", err)
			return refuse(c, readinessError(err))
		}
		return c.SendString("ready\n")
	})
}

// readinessError returns the error of the readiness check. The text of a fault is safe to
// show.
func readinessError(err error) *fault.Error {
	if known := fault.From(err); known.Kind == fault.Unavailable {
		return known
	}
	return fault.Wrap(fault.Unavailable, "Not ready.", err)
}

// mountOtherRoutes mounts the routes that are not operations of a feature: the socket, the
// documentation, and the app for all other paths.
func mountOtherRoutes(app *fiber.App, api huma.API, deps Deps) {
	app.Get("/ws", deps.Hub.Handler())
	mountDocuments(app, api)
	mountUnsubscribe(app, deps.Notifications)
	mountOptOut(app, deps.Referrals)
	mountLegacyWall(app, deps.Graduation, deps.App, deps.PublicURL)
	mountSafety(app, deps.Moderation, deps.App, deps.PublicURL, *deps.SafetyTexts)
	mountCommunity(app, deps)
	mountNear(app, deps)
	mountSitemaps(app, deps)
	pages := &landing{deps: deps}
	mountSite(app, deps, pages)
	if deps.Mailbox != nil {
		app.Get(mailboxPath, deps.Mailbox.authorize, deps.Mailbox.show)
	}
	first := newFirstScreen(deps.App, func(ctx *fasthttp.RequestCtx) { app.Server().Handler(ctx) }, pages)
	app.Use(func(c fiber.Ctx) error {
		isRead := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
		if !isRead || (isServerPath(path.Clean(c.Path()), deps.ServerPaths) && c.Path() != "/sw.js") {
			return fiber.ErrNotFound
		}
		if served, err := first.serve(c); served || err != nil {
			return err
		}
		return deps.App.serve(c)
	})
}

var (
	//go:embed pages/docs.html
	docsHTML string
	//go:embed pages/mailbox.html
	mailboxHTML string
	//go:embed pages/unsubscribe.html
	unsubscribeHTML string
	//go:embed pages/optout.html
	optOutHTML string
	//go:embed pages/pages.css
	pagesCSS string

	docsPage = template.Must(template.New("docs").Parse(docsHTML))
)

// mountDocuments mounts the OpenAPI document and the documentation made from it. Both are made at their first request:
// making the document takes 20 ms, and most servers are never asked for it.
func mountDocuments(app *fiber.App, api huma.API) {
	document := sync.OnceValues(func() ([]byte, error) { return json.Marshal(api.OpenAPI()) })
	page := sync.OnceValues(func() ([]byte, error) {
		var page bytes.Buffer
		err := docsPage.Execute(&page, newDocs(api.OpenAPI()))
		return page.Bytes(), err
	})
	app.Get("/openapi.json", func(c fiber.Ctx) error {
		content, err := document()
		if err != nil {
			return err
		}
		return c.Type("json").Send(content)
	})
	app.Get("/docs", func(c fiber.Ctx) error {
		content, err := page()
		if err != nil {
			return err
		}
		c.Set("Content-Security-Policy", docsPolicy)
		return c.Type("html", "utf-8").Send(content)
	})
	app.Get("/docs/pages.css", func(c fiber.Ctx) error { return c.Type("css", "utf-8").SendString(pagesCSS) })
}

// docs is the content of the documentation page.
type docs struct {
	Title, Description, Version string
	Groups                      []docsGroup
}

type docsGroup struct {
	Name       string
	Operations []docsOperation
}

type docsOperation struct {
	Method, Path, Summary, Description string
	Access                             web.Access
	Inputs                             []docsField
	Responses                          []string
}

type docsField struct{ Name, Where, Type, Doc string }
