package api_test

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
)

var (
	kebab  = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	pascal = regexp.MustCompile(`^([A-Z][a-z]+)+$`)
)

func TestDocs_ListEveryOperation(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	page := s.send("", http.MethodGet, "/docs", "", "")
	require.NotContains(t, page.body, "<script")
	require.NotContains(t, page.body, "style=")
	policy := page.header.Get("Content-Security-Policy")
	require.NotContains(t, policy, "script-src")
	require.Contains(t, policy, "default-src 'none'")
	require.Equal(t, "text/css; charset=utf-8", s.send("", http.MethodGet, "/docs/pages.css", "", "").contentType)

	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Access      string `json:"x-access"`
		} `json:"paths"`
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal([]byte(s.send("", http.MethodGet, "/openapi.json", "", "").body), &document))
	operations := s.operations()
	require.Greater(t, len(operations), 30)
	ids := map[string]bool{}
	for _, op := range operations {
		entry := document.Paths[op.path][strings.ToLower(op.method)]
		require.Equal(t, string(op.access), entry.Access, "%s %s", op.method, op.path)
		require.Regexp(t, kebab, entry.OperationID)
		require.False(t, ids[entry.OperationID], "two operations are called %s", entry.OperationID)
		ids[entry.OperationID] = true
		require.Contains(t, page.body, `<b class="`+op.method+`">`+op.method+`</b> <code>`+op.path+`</code>`)
		require.Contains(t, page.body, html.EscapeString(op.Summary))
	}
	for name := range document.Components.Schemas {
		require.Regexp(t, pascal, name)
		require.NotRegexp(t, "(Body|Struct|Input|Output)$", name)
	}
}

func TestMailbox_ShowsMails(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	require.NoError(t, s.mails.Send(t.Context(), mail.Message{To: "a@example.test", Subject: "<b>One</b>", Text: "<script>alert(1)</script>"}))
	page := s.send("", http.MethodGet, s.mailbox+"&to=a@example.test", "", "")
	require.Equal(t, "text/html; charset=utf-8", page.contentType)
	require.Contains(t, page.body, "&lt;script&gt;alert(1)")
	require.NotContains(t, page.body, "<script")
	require.NotContains(t, page.body, s.emails[0])
	_, token, _ := strings.Cut(s.mailbox, "=")
	require.Contains(t, page.body, `name="token" value="`+token+`"`, "the form keeps the token")
	require.Contains(t, s.send("", http.MethodGet, s.mailbox, "", "").body, s.emails[0])

	for path, accept := range map[string]string{s.mailbox + "&to=a@example.test": "application/json", s.mailbox + "&format=json&to=a@example.test": ""} {
		got := s.sendWith("", http.MethodGet, path, "", "Accept", accept)
		var mails []struct{ To, Subject string }
		require.NoError(t, json.Unmarshal([]byte(got.body), &mails), got.body)
		require.Len(t, mails, 1)
		require.Equal(t, "<b>One</b>", mails[0].Subject)
		require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	}
	require.Equal(t, "[]", strings.TrimSpace(s.send("", http.MethodGet, s.mailbox+"&format=json&to=nobody@example.test", "", "").body))
	require.Equal(t, http.StatusNotFound, get(t, newPages(t, nil, builtApp()), "/dev/mailbox").status, "there is no mailbox with a mail server")
}

func TestServerPaths_UnknownPathsAreNotFound(t *testing.T) {
	t.Parallel()
	app := newPages(t, nil, builtApp())
	for _, path := range []string{
		"/api", "/api/", "/api/none", "/ws/x", "/files", "/files/x", "/dev", "/dev/x", "/docs/x", "/openapi",
		"/openapi.yaml", "/openapi/x", "/healthz/x", "/readyz/x", "/metrics", "/metrics/x", "/sw.js/x",
		"/assets/../api/none", "/assets/none.js", "/assets/..%2fnone.js", "/index.html.map", "/.env",
	} {
		got := get(t, app, path, "Accept", "text/html")
		require.Equal(t, http.StatusNotFound, got.status, path)
		require.Equal(t, "application/problem+json", got.contentType, path)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, "TRACE"} {
		request, err := http.NewRequest(method, "http://heartward.test/matches", nil)
		require.NoError(t, err)
		response, err := app.Test(request)
		require.NoError(t, err)
		require.Equal(t, http.StatusNotFound, response.StatusCode, method)
		require.NoError(t, response.Body.Close())
	}
}

func TestHealth_AliveWhileNotReady(t *testing.T) {
	t.Parallel()
	var notReady error
	deps := newDepsWithoutDatabase(t, "http://heartward.test")
	deps.Ready = func(context.Context) error { return notReady }
	server, err := api.New(deps)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, get(t, server.Fiber, "/readyz").status)
	notReady = os.ErrDeadlineExceeded
	got := get(t, server.Fiber, "/readyz")
	require.Equal(t, http.StatusServiceUnavailable, got.status)
	require.Equal(t, "application/problem+json", got.contentType)
	require.NotContains(t, got.body, notReady.Error())
	require.Equal(t, http.StatusOK, get(t, server.Fiber, "/healthz").status)
	notReady = fault.Wrap(fault.Unavailable, "The search index is being loaded.", os.ErrDeadlineExceeded)
	got = get(t, server.Fiber, "/readyz")
	require.Contains(t, got.body, "The search index is being loaded.")
	require.NotContains(t, got.body, os.ErrDeadlineExceeded.Error())
}
