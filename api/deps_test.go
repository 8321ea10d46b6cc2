package api_test

import (
	"context"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/live"
	"heartward/api/platform/bus"
	"heartward/api/platform/config"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/obs"
	"heartward/api/platform/pgtest"
	"heartward/api/wiring"
	"heartward/push"
	"heartward/pwa"
)

// newDeps returns the dependencies of a server, whose search follows pool until the test ends,
// its file store and its mails.
func newDeps(t *testing.T, site string, pool *pgxpool.Pool) (api.Deps, *files.Store, *mail.Folder) {
	t.Helper()
	deps, store, mails := wire(t, site, pool)
	followSearch(t, deps.Discovery)
	return deps, store, mails
}

// wire builds the shipped services, without limits.
func wire(t *testing.T, site string, pool *pgxpool.Pool) (api.Deps, *files.Store, *mail.Folder) {
	t.Helper()
	return wireWith(t, newConfig(t, site), pool, func(s api.Services) { s.Messaging.Unlimited() })
}

// wireWith builds the shipped services, and calls prepare before they start.
func wireWith(t *testing.T, config config.Config, pool *pgxpool.Pool, prepare func(api.Services)) (api.Deps, *files.Store, *mail.Folder) {
	t.Helper()
	events, err := bus.Open(bus.Options{})
	require.NoError(t, err)
	t.Cleanup(events.Close)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	mails, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	parts := wiring.Deps{Config: config, Pool: pool, Bus: events, Files: store, Mail: mails, Jobs: pgtest.Jobs(t, pool), AdminsWithoutFactor: true}
	services := wiring.New(parts)
	prepare(services)
	services.Messaging.Start()
	app, err := api.NewStatic(builtApp(), pwa.Routes(), nil)
	require.NoError(t, err)
	safety, rules := api.SafetyTexts(pwa.Safety()), api.RulesTexts(pwa.Rules())
	return api.Deps{
		Services: services, Hub: newHub(t, parts, services), Metrics: obs.NewMetrics(pool), PublicURL: parts.Config.PublicURL,
		Mailbox: api.NewMailbox(mails), Version: "test", App: app, ServerPaths: pwa.ServerPaths(), SafetyTexts: &safety, RulesTexts: &rules,
		Operator: &api.Operator{Contact: "help@heartward.test", Imprint: "Heartward, 1 Moss Street"}, Ready: pool.Ping,
	}, store, mails
}

// newConfig returns the configuration of a server at site.
func newConfig(t *testing.T, site string) config.Config {
	t.Helper()
	publicURL, err := url.Parse(site)
	require.NoError(t, err)
	public, private, err := push.NewKeys()
	require.NoError(t, err)
	return config.Config{
		PublicURL: publicURL, Secret: make([]byte, 32), RateLimitScale: 1e6,
		VAPIDPublic: public, VAPIDPrivate: private, VAPIDSubject: "a@b.test",
	}
}

// newHub returns a hub that neither renews presence nor checks sessions during a test,
// because these tests open no socket.
func newHub(t *testing.T, parts wiring.Deps, services api.Services) *live.Hub {
	t.Helper()
	deps := wiring.Hub(parts, services)
	deps.Timing = live.Timing{Renew: time.Hour, Recheck: time.Hour}
	hub := live.New(deps)
	t.Cleanup(func() { require.NoError(t, hub.Shutdown(context.Background())) })
	return hub
}

// newDepsWithoutDatabase returns dependencies with an unreachable database.
func newDepsWithoutDatabase(t *testing.T, site string) api.Deps {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	deps, _, _ := wire(t, site, pool)
	deps.Mailbox = nil
	return deps
}

// Calls New once for each dependency, with that one nil.
func TestNew_RefusesNilDependencies(t *testing.T) {
	t.Parallel()
	complete := newDepsWithoutDatabase(t, "http://heartward.test")
	_, err := api.New(complete)
	require.NoError(t, err)
	optional := []string{"Mailbox", "Proxies", "Version"}
	refusals := 0
	for _, field := range reflect.VisibleFields(reflect.TypeFor[api.Deps]()) {
		if field.Anonymous || slices.Contains(optional, field.Name) {
			continue
		}
		deps := complete
		reflect.ValueOf(&deps).Elem().FieldByIndex(field.Index).SetZero()
		_, err := api.New(deps)
		require.Error(t, err)
		require.True(t, strings.EqualFold("api.New: nil "+field.Name, err.Error()), "%s: %v", field.Name, err)
		refusals++
	}
	require.Greater(t, refusals, 15)
}
