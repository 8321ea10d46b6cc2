// Package api assembles the HTTP server: the operations of all features, the socket
// and the built app.
package api

import (
	"context"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v3"

	"heartward/api/live"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/obs"
	"heartward/api/platform/web"
)

// check returns an error that names the services that are nil.
func (s Services) check() error {
	services := nilcheck.Deps{}
	for _, f := range s.features() {
		services[f.name] = f.service
	}
	return nilcheck.Check("api.New", services)
}

// zero returns services whose operations can be described, but not called.
func zero() Services {
	var all Services
	fields := reflect.ValueOf(&all).Elem()
	for i := range fields.NumField() {
		fields.Field(i).Set(reflect.New(fields.Field(i).Type().Elem()))
	}
	return all
}

// Deps are the dependencies of New. All are required except Mailbox, Proxies and
// Version.
type Deps struct {
	Services
	Hub         *live.Hub
	Mailbox     *Mailbox // nil if a mail server is configured
	App         *Static
	ServerPaths []string // paths that are not the app's, also below them

	SafetyTexts *SafetyTexts
	RulesTexts  *RulesTexts
	Operator    *Operator
	PublicURL   *url.URL
	Proxies     Proxies
	Metrics     *obs.Metrics
	Ready       func(context.Context) error // returns an error while the process cannot serve
	Version     string
}

// Server is the HTTP server.
type Server struct {
	Fiber *fiber.App
	API   huma.API
}

// New assembles the server without listening. It returns an error when a dependency
// is nil.
func New(deps Deps) (*Server, error) {
	if err := deps.Services.check(); err != nil {
		return nil, err
	}
	if err := nilcheck.Check("api.New", nilcheck.Deps{
		"Hub": deps.Hub, "App": deps.App, "ServerPaths": deps.ServerPaths, "SafetyTexts": deps.SafetyTexts, "RulesTexts": deps.RulesTexts, "Operator": deps.Operator, "PublicURL": deps.PublicURL, "Metrics": deps.Metrics, "Ready": deps.Ready,
	}); err != nil {
		return nil, err
	}
	limits := timeouts{}
	app := fiber.New(fiber.Config{
		AppName: "Heartward", StreamRequestBody: true, BodyLimit: maxAny, ErrorHandler: onUnreadable(deps.PublicURL),
		ReadTimeout: 60 * time.Second, WriteTimeout: 60 * time.Second, IdleTimeout: 75 * time.Second, ReadBufferSize: 16 << 10,
		CaseSensitive: true, DisablePreParseMultipartForm: true,
	})
	app.Server().HeaderReceived = requestConfig
	refuseUnknownMethods(app, deps.PublicURL)
	headers := securityHeaders(deps.PublicURL)
	app.Use(headAsGet)
	app.Use(compressBodies, observe(deps, limits.forPath), func(c fiber.Ctx) error { headers(c); return c.Next() }, limitBody, sameSite(deps.PublicURL))
	mountHealthChecks(app, deps)
	api := newAPI(app, deps.Services, deps.Version)
	limits.load(api.OpenAPI())
	mountOtherRoutes(app, api, deps)
	return &Server{Fiber: app, API: api}, nil
}

// Describe returns the OpenAPI document with the given version. It registers the
// operations of zero services, because only their types matter.
func Describe(version string) *huma.OpenAPI {
	return newAPI(fiber.New(), zero(), version).OpenAPI()
}

// newAPI registers the operations of every feature.
func newAPI(app *fiber.App, services Services, version string) huma.API {
	web.Prepare()
	config := huma.DefaultConfig("Heartward", version)
	config.Info.Description = "Dating with intention. Always free. Errors are problem+json (RFC 9457); lists are " +
		"arrays of at most 50, with the next page in the Link header; x-access names the clients that may call an operation."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil // no $schema links in bodies
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"session": {Type: "apiKey", In: "cookie", Name: services.Auth.CookieName()},
	}
	api := humafiber.New(app, config)
	api.UseMiddleware(headerLines, services.Auth.Middleware(api))

	for _, f := range services.features() {
		f.register(api)
	}
	return api
}

// schemaName returns the name of a schema without the suffix that Huma adds to bodies:
// SignUp instead of SignUpInputBody.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	return strings.TrimSuffix(strings.TrimSuffix(name, "InputBody"), "OutputBody")
}
