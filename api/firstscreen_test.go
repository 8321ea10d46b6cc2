package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

const screenIndex = `<!doctype html><head><title>Heartward</title><script src="/boot.js" data-chunks='{"/":["/assets/deck.js"],` +
	`"/discover":["/assets/grid.js"],"/messages/:id":["/assets/thread.js"]}'></script></head>`

// newScreens returns an env whose app has the document screenIndex.
func newScreens(t *testing.T) *env {
	t.Helper()
	pool := pgtest.New(t)
	s := &env{DB: testkit.DB{TB: t, Pool: pool}}
	deps, store, mails := newDeps(t, "http://heartward.test", pool)
	s.search, s.store, s.mails, s.mailbox = deps.Discovery, store, mails, deps.Mailbox.Path()
	var err error
	routes := []string{"/", "/discover", "/matches", "/messages/:id", "/settings", "/profile"}
	deps.App, err = api.NewStatic(fstest.MapFS{"index.html": {Data: []byte(screenIndex)}}, routes, nil)
	require.NoError(t, err)
	s.server, err = api.New(deps)
	require.NoError(t, err)
	s.listen()
	s.viewer = s.signUp("viewer")
	return s
}

type responseInPage struct {
	Address string
	Headers map[string]string
	Body    json.RawMessage
}

var pageScript = regexp.MustCompile(`<script type="application/json" id="hw-responses">([^<]*)</script>`)

// responsesIn returns the responses in a document by address, nil for a document without them.
func responsesIn(t *testing.T, document httpResponse) map[string]responseInPage {
	t.Helper()
	require.Equal(t, http.StatusOK, document.status)
	script := pageScript.FindStringSubmatch(document.body)
	if script == nil {
		return nil
	}
	require.Equal(t, "no-store", document.header.Get("Cache-Control"))
	require.Empty(t, document.header.Get("ETag"))
	var list []responseInPage
	require.NoError(t, json.Unmarshal([]byte(script[1]), &list))
	byAddress := map[string]responseInPage{}
	for _, one := range list {
		byAddress[one.Address] = one
	}
	return byAddress
}

func TestDocument_HasTheResponsesThatItsScreenRequests(t *testing.T) {
	t.Parallel()
	s := newScreens(t)
	s.signUp("ann")
	s.json(s.viewer, http.MethodPatch, "/api/users/me", map[string]any{"bio": "</script><script>alert(1)</script>"})
	s.refreshSearch() // or ann may join the index between a document and the request it is compared with
	for path, addresses := range map[string][]string{
		"/":           {"/api/auth/session", "/api/matches/for-you?limit=12"},
		"/discover":   {"/api/auth/session", "/api/discover?limit=12"},
		"/matches":    {"/api/auth/session", "/api/matches"},
		"/messages/a": {"/api/auth/session"},
		"/settings":   {"/api/auth/session"},
	} {
		document := s.send(s.viewer, http.MethodGet, path, "", "")
		require.NotContains(t, document.body, "<script>alert", path)
		responses := responsesIn(t, document)
		require.ElementsMatch(t, addresses, slices.Collect(maps.Keys(responses)), path)
		for _, address := range addresses {
			own := s.send(s.viewer, http.MethodGet, address, "", "")
			require.JSONEq(t, own.body, string(responses[address].Body), address)
			require.Equal(t, own.header.Get("Link"), responses[address].Headers["Link"], address)
			require.Equal(t, own.contentType, responses[address].Headers["Content-Type"], address)
		}
	}
}

func TestDocument_StartsTheDownloadsOfItsScreen(t *testing.T) {
	t.Parallel()
	s := newScreens(t)
	visitor := s.send("", http.MethodGet, "/discover", "", "").body
	require.Contains(t, visitor, `<link rel="modulepreload" href="/assets/grid.js" />`)
	require.Contains(t, s.send(s.viewer, http.MethodGet, "/", "", "").body, `<link rel="modulepreload" href="/assets/deck.js" />`)
	require.Contains(t, s.send(s.viewer, http.MethodGet, "/messages/a", "", "").body, `<link rel="modulepreload" href="/assets/thread.js" />`)
}

func TestDocument_WithoutAClearSessionIsThatOfTheBuild(t *testing.T) {
	t.Parallel()
	s := newScreens(t)
	visitor := responsesIn(t, s.send("", http.MethodGet, "/settings", "", ""))
	require.Contains(t, string(visitor["/api/auth/session"].Body), `"member":null`)
	require.Len(t, visitor, 1)

	require.Equal(t, http.StatusNoContent, s.send(s.viewer, http.MethodPost, "/api/auth/logout", "application/json", "{}").status)
	ended := s.send(s.viewer, http.MethodGet, "/", "", "")
	require.Equal(t, screenIndex, ended.body, "the response to the page's own request tells why the session ended")
	require.NotEmpty(t, ended.header.Get("ETag"))
	require.Equal(t, screenIndex, s.send("", http.MethodGet, "/index.html", "", "").body, "the worker stores this one")
	require.Equal(t, http.StatusNotFound, s.send("", http.MethodGet, "/no/such/screen", "", "").status)

	s.Pool.Close()
	require.Equal(t, screenIndex, s.send(s.viewer, http.MethodGet, "/", "", "").body, "without a database")
}
