package api

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"log/slog"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/adaptor"

	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/web"
)

// serverPaths never fall to the app's index.html: what is not found below them
// is not found.
var serverPaths = []string{
	"/api", "/ws", "/files", "/dev", "/docs", "/openapi", "/healthz", "/readyz", "/metrics", "/riverui", "/sw.js",
}

func isServerPath(asked string) bool {
	for _, own := range serverPaths {
		if asked == own || strings.HasPrefix(asked, own+"/") || (own == "/openapi" && strings.HasPrefix(asked, own)) {
			return true
		}
	}
	return false
}

// mountOperations mounts what operators ask: is it alive, is it ready.
func mountOperations(app *fiber.App, deps Deps) {
	app.Get("/healthz", func(c fiber.Ctx) error { return c.SendString("ok\n") })
	app.Get("/readyz", func(c fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.Context(), 2*time.Second)
		defer cancel()
		if err := deps.Ready(ctx); err != nil {
			slog.WarnContext(ctx, "not ready", "error", err)
			return refuse(c, notReady(err))
		}
		return c.SendString("ready\n")
	})
}

// notReady says what is missing where err is a fault, whose text is safe to show.
func notReady(err error) *fault.Error {
	if known := fault.From(err); known.Kind == fault.Unavailable {
		return known
	}
	return fault.Wrap(fault.Unavailable, "Not ready.", err)
}

// mountRest mounts what is no operation: the socket, the documents, River's
// pages, and the app for every other path.
func mountRest(app *fiber.App, api huma.API, deps Deps) {
	app.Get("/ws", deps.Hub.Handler())
	mountDocuments(app, api)
	if deps.Mailbox != nil {
		app.Get("/dev/mailbox", fromHere(deps.PublicURL), mailbox(deps.Mailbox))
	}
	app.Use("/riverui", adminsOnly(deps), ownPolicy, adaptor.HTTPHandler(deps.JobsUI))
	app.Use(func(c fiber.Ctx) error {
		get := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
		if !get || (isServerPath(path.Clean(c.Path())) && c.Path() != "/sw.js") {
			return fiber.ErrNotFound
		}
		return deps.App.serve(c)
	})
}

// adminsOnly guards pages that are no operations. To others they do not exist.
func adminsOnly(deps Deps) fiber.Handler {
	return func(c fiber.Ctx) error {
		actor, err := deps.Auth.Authenticate(c.Context(), c.Cookies(deps.Auth.CookieName()))
		if err != nil && !fault.Is(err, fault.Unauthenticated) {
			return refuse(c, fault.From(err))
		}
		if err != nil || !actor.Admin {
			return fiber.ErrNotFound
		}
		return c.Next()
	}
}

// ownPolicy makes room for headers that the next handler adds itself: of two
// policies a browser would enforce both.
func ownPolicy(c fiber.Ctx) error {
	for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"} {
		c.Response().Header.Del(name)
	}
	return c.Next()
}

var (
	//go:embed pages/docs.html
	docsHTML string
	//go:embed pages/mailbox.html
	mailboxHTML string
	//go:embed pages/pages.css
	pagesCSS string

	docsPage    = template.Must(template.New("docs").Parse(docsHTML))
	mailboxPage = template.Must(template.New("mailbox").Parse(mailboxHTML))
)

func mountDocuments(app *fiber.App, api huma.API) {
	document, err := json.Marshal(api.OpenAPI())
	if err != nil {
		panic(err) // the document is made of our own types
	}
	var page bytes.Buffer
	if err := docsPage.Execute(&page, newDocs(api.OpenAPI())); err != nil {
		panic(err)
	}
	app.Get("/openapi.json", func(c fiber.Ctx) error {
		return c.Type("json").Send(document)
	})
	app.Get("/docs", func(c fiber.Ctx) error {
		c.Set("Content-Security-Policy", docsPolicy)
		return c.Type("html", "utf-8").Send(page.Bytes())
	})
	app.Get("/docs/pages.css", func(c fiber.Ctx) error { return c.Type("css", "utf-8").SendString(pagesCSS) })
}

// fromHere lets nobody but the machine itself through once site is public: the
// mails hold codes that sign in. Who comes through a proxy comes from elsewhere.
func fromHere(site *url.URL) fiber.Handler {
	return func(c fiber.Ctx) error {
		far := !c.RequestCtx().RemoteIP().IsLoopback()
		for _, header := range []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via"} {
			far = far || c.Get(header) != ""
		}
		if far && site.Scheme == "https" {
			return fiber.ErrNotFound
		}
		return c.Next()
	}
}

// mailbox shows the mails that no mail server took. Mounted only without one.
func mailbox(folder *mail.Folder) fiber.Handler {
	const most = 200
	return func(c fiber.Ctx) error {
		mails, err := folder.List(c.Query("to"), most)
		if err != nil {
			return err
		}
		c.Set("Cache-Control", "no-store")
		if c.Query("format") == "json" || c.Accepts(fiber.MIMETextHTML, fiber.MIMEApplicationJSON) == fiber.MIMEApplicationJSON {
			return c.JSON(mails)
		}
		c.Set("Content-Security-Policy", docsPolicy)
		var page bytes.Buffer
		if err := mailboxPage.Execute(&page, map[string]any{"To": c.Query("to"), "Mails": mails}); err != nil {
			return err
		}
		return c.Type("html", "utf-8").Send(page.Bytes())
	}
}

// docs is what the page shows of the OpenAPI document.
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
	Answers                            []string
}

type docsField struct{ Name, Where, Type, Doc string }
