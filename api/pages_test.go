package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/files"
	"heartward/api/platform/testkit"
)

var chunk = strings.Repeat("export const love = 1;\n", 200)

// newPages returns a server that serves dist and has no database. Servers with the same
// store, which may be nil, share their builds.
func newPages(t *testing.T, store *files.Store, dist fstest.MapFS) *fiber.App {
	t.Helper()
	app, err := api.NewStatic(dist, []string{"/", "/matches", "/messages/:id"}, store)
	require.NoError(t, err)
	require.True(t, app.Publish(t.Context()))
	deps := newDepsWithoutDatabase(t, "https://heartward.test")
	deps.App = app
	server, err := api.New(deps)
	require.NoError(t, err)
	return server.Fiber
}

func builtApp() fstest.MapFS {
	return fstest.MapFS{
		".gitkeep": {}, "index.html": {Data: []byte("<!doctype html><title>Heartward</title>")},
		"sw.js": {Data: []byte("self")}, "manifest.webmanifest": {Data: []byte("{}")},
		"assets/chunk-abc.js": {Data: []byte(chunk)}, "assets/chunk-abc.js.br": {Data: withBrotli(chunk)},
		"assets/chunk-abc.js.gz": {Data: withGzip(chunk)},
	}
}

func get(t *testing.T, app *fiber.App, path string, headers ...string) httpResponse {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := app.Test(request, fiber.TestConfig{Timeout: testkit.Timeout, FailOnTimeout: true})
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return httpResponse{response.StatusCode, response.Header.Get("Content-Type"), string(text), response.Header}
}

func TestPages_StatusAndTypeByPath(t *testing.T) {
	t.Parallel()
	app := newPages(t, nil, builtApp())
	for path, want := range map[string]struct {
		status      int
		kind, cache string
	}{
		"/":                       {200, "text/html; charset=utf-8", "no-cache"},
		"/messages/0199-some-id":  {200, "text/html; charset=utf-8", "no-cache"},
		"/messages/0199-some-id/": {200, "text/html; charset=utf-8", "no-cache"},
		"/Matches":                {200, "text/html; charset=utf-8", "no-cache"}, // like the app's router
		"/apiary":                 {404, "text/html; charset=utf-8", "no-cache"},
		"/matches/none":           {404, "text/html; charset=utf-8", "no-cache"},
		"/messages/some/more":     {404, "text/html; charset=utf-8", "no-cache"},
		"/wp-login":               {404, "text/html; charset=utf-8", "no-cache"},
		"/sw.js":                  {200, "text/javascript; charset=utf-8", "no-cache"},
		"/manifest.webmanifest":   {200, "application/manifest+json", "no-cache"},
		"/assets/chunk-abc.js":    {200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		"/docs":                   {200, "text/html; charset=utf-8", ""},
		"/openapi.json":           {200, "application/json; charset=utf-8", ""},
		"/healthz":                {200, "text/plain; charset=utf-8", ""},
		"/api/none":               {404, "application/problem+json", "no-store"},
		"/assets/gone.js":         {404, "application/problem+json", ""},
		"/favicon.png":            {404, "application/problem+json", ""},
		"/.gitkeep":               {404, "application/problem+json", ""},
		"/ws":                     {426, "application/problem+json", ""},
		"/files/none":             {404, "application/problem+json", "no-store"},
		"/dev/mailbox":            {404, "application/problem+json", ""},
		"/docs/none":              {404, "application/problem+json", ""},
		"/openapi.yaml":           {404, "application/problem+json", ""},
		"/metrics":                {404, "application/problem+json", ""},
	} {
		got := get(t, app, path)
		require.Equal(t, want.status, got.status, path)
		require.Equal(t, want.kind, got.contentType, path)
		require.Equal(t, want.cache, got.header.Get("Cache-Control"), path)
		require.NotEmpty(t, got.header.Get("X-Request-Id"), path)
		require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"), path)
		require.Equal(t, "max-age=63072000; includeSubDomains", got.header.Get("Strict-Transport-Security"), path)
		require.Len(t, got.header.Values("Content-Security-Policy"), 1, path)
	}
}

// An app that is installed from a page opened by an invitation link starts with its code.
func TestPages_ManifestStartsWithTheCodeOfAnInvitation(t *testing.T) {
	t.Parallel()
	app := newPages(t, nil, builtApp())
	for query, start := range map[string]string{
		"?ref=ABCD2345": `{"start_url":"/?ref=ABCD2345"}`, "?ref=": "{}", "?ref=a": "{}", "?ref=%22%7D": "{}", "?ref=https://evil.test": "{}",
		"?other=ABCD2345": "{}",
	} {
		got := get(t, app, "/manifest.webmanifest"+query)
		require.Equal(t, http.StatusOK, got.status)
		require.Equal(t, "application/manifest+json", got.contentType)
		require.Equal(t, "no-cache", got.header.Get("Cache-Control"))
		require.JSONEq(t, start, got.body, query)
	}
}

func TestPages_UnknownRoutesHaveStatus404(t *testing.T) {
	t.Parallel()
	app := newPages(t, nil, builtApp())
	home := get(t, app, "/")
	got := get(t, app, "/nothing-here", "If-None-Match", home.header.Get("ETag"))
	require.Equal(t, http.StatusNotFound, got.status)
	require.Equal(t, home.body, got.body)
}

func TestBodies_RefuseOtherTypesAndSizes(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for _, row := range []struct {
		kind, body string
		status     int
	}{
		{"text/plain", `{"bio":"x"}`, http.StatusUnsupportedMediaType},
		{"application/x-www-form-urlencoded", "bio=x", http.StatusUnsupportedMediaType},
		{"", `{"bio":"x"}`, http.StatusUnsupportedMediaType},
		{"application/json; charset=utf-8", `{"bio":"x"}`, http.StatusOK},
		{"application/json", `{"bio":"` + strings.Repeat("x", 65<<10) + `"}`, http.StatusRequestEntityTooLarge},
	} {
		got := s.send(s.viewer, http.MethodPatch, "/api/users/me", row.kind, row.body)
		require.Equal(t, row.status, got.status, "%s of %d bytes: %.200s", row.kind, len(row.body), got.body)
		if row.status != http.StatusOK {
			require.Equal(t, "application/problem+json", got.contentType)
			require.Contains(t, got.body, `"requestId"`)
		}
	}
}
