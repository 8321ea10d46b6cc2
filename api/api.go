// Package api is the server that members and admins talk to: every feature's
// operations, the socket, and the built app.
package api

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v3"

	"heartward/api/activity"
	"heartward/api/auth"
	"heartward/api/dates"
	"heartward/api/discovery"
	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/moderation"
	"heartward/api/notifications"
	"heartward/api/platform/mail"
	"heartward/api/platform/obs"
	"heartward/api/platform/web"
	"heartward/api/referrals"
	"heartward/api/verification"
)

// Deps are the parts that New puts together. All are needed, but Mailbox (nil:
// there is a mail server), Hub, JobsUI and App, which the OpenAPI document does not need.
type Deps struct {
	Auth          *auth.Service
	Members       *members.Service
	Discovery     *discovery.Service
	Matching      *matching.Service
	Media         *media.Service
	Messaging     *messaging.Service
	Dates         *dates.Service
	Notifications *notifications.Service
	Moderation    *moderation.Service
	Verification  *verification.Service
	Activity      *activity.Service
	Referrals     *referrals.Service
	Hub           *live.Hub
	JobsUI        http.Handler
	Mailbox       *mail.Folder
	App           *Static

	PublicURL      *url.URL
	TrustedProxies []netip.Prefix
	Metrics        *obs.Metrics
	Ready          func(context.Context) error // nil when PostgreSQL and the bus answer
	Version        string
}

// Server is the assembled HTTP side.
type Server struct {
	Fiber *fiber.App
	API   huma.API
}

// New assembles the server; it listens to nothing yet.
func New(deps Deps) *Server {
	in := newBodies()
	app := fiber.New(fiber.Config{
		AppName: "Heartward", StreamRequestBody: true, BodyLimit: maxForm, ErrorHandler: onUnreadable(deps.PublicURL),
		ReadTimeout: 60 * time.Second, WriteTimeout: 60 * time.Second, IdleTimeout: 75 * time.Second, ReadBufferSize: 16 << 10,
		CaseSensitive: true, DisablePreParseMultipartForm: true,
	})
	app.Server().HeaderReceived = in.start
	headers := securityHeaders(deps.PublicURL)
	app.Use(observe(deps, in.timeout), func(c fiber.Ctx) error { headers(c); return c.Next() }, in.limit, sameSite(deps.PublicURL))
	mountOperations(app, deps)
	api := newAPI(app, deps)
	in.learn(api.OpenAPI())
	mountRest(app, api, deps)
	return &Server{Fiber: app, API: api}
}

// newAPI mounts every feature's operations. The list is the map of the product.
func newAPI(app *fiber.App, deps Deps) huma.API {
	web.Prepare()
	config := huma.DefaultConfig("Heartward", deps.Version)
	config.Info.Description = "Dating with intention. Always free. Errors are problem+json (RFC 9457); lists are " +
		"arrays of at most 50, with the next page in the Link header; x-who says who may call."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil // no $schema links in bodies
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"session": {Type: "apiKey", In: "cookie", Name: deps.Auth.CookieName()},
	}
	api := humafiber.New(app, config)
	api.UseMiddleware(deps.Auth.Middleware(api), smallForms)

	auth.Register(api, deps.Auth)
	members.Register(api, deps.Members)
	discovery.Register(api, deps.Discovery)
	matching.Register(api, deps.Matching)
	media.Register(api, deps.Media)
	messaging.Register(api, deps.Messaging)
	dates.Register(api, deps.Dates)
	notifications.Register(api, deps.Notifications)
	moderation.Register(api, deps.Moderation)
	verification.Register(api, deps.Verification)
	activity.Register(api, deps.Activity)
	referrals.Register(api, deps.Referrals)
	return api
}

// schemaName calls the body of a call after the call: SignUp, not SignUpInputBody.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	return strings.TrimSuffix(strings.TrimSuffix(name, "InputBody"), "OutputBody")
}
