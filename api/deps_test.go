package api_test

import (
	"context"
	"net/url"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/activity"
	"heartward/api/admin"
	"heartward/api/auth"
	"heartward/api/badges"
	"heartward/api/community"
	"heartward/api/dates"
	"heartward/api/deletion"
	"heartward/api/digest"
	"heartward/api/discovery"
	"heartward/api/export"
	"heartward/api/figures"
	"heartward/api/graduation"
	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/messaging/guard"
	"heartward/api/moderation"
	"heartward/api/moments"
	"heartward/api/notifications"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/obs"
	"heartward/api/platform/pgtest"
	"heartward/api/profilereview"
	"heartward/api/pulse"
	"heartward/api/referrals"
	"heartward/api/verification"
	"heartward/push"
	"heartward/pwa"
)

// newDeps returns the dependencies of a server, its file store and its mails.
func newDeps(t *testing.T, site string, pool *pgxpool.Pool, search *discovery.Service) (api.Deps, *files.Store, *mail.Folder) {
	t.Helper()
	events, err := bus.Open(bus.Options{})
	require.NoError(t, err)
	t.Cleanup(events.Close)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	mails, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	public, private, err := push.NewKeys()
	require.NoError(t, err)
	publicURL, err := url.Parse(site)
	require.NoError(t, err)
	app, err := api.NewStatic(builtApp(), pwa.Routes(), nil)
	require.NoError(t, err)
	jobs := pgtest.Jobs(t, pool)
	b := blobs.New(pool, store)
	m := members.New(pool, b)
	match := matching.New(pool, events, jobs)
	chat := messaging.New(pool, events, match, jobs, guard.Category).Unlimited()
	chat.Start()
	uploads := media.New(pool, b, m, jobs, nil)
	signIn := auth.New(pool, mails, events, m, jobs, auth.Config{
		Site: site, Secret: make([]byte, 32), RateLimitScale: 1e6, Secure: publicURL.Scheme == "https",
	})
	reports := moderation.New(pool, events, match, b, jobs, []byte("0123456789abcdef0123456789abcdef"))
	friends := referrals.New(pool, mails, jobs, referrals.Config{Site: site, Secret: make([]byte, 32)})
	m.Watch(friends.Complete)
	signIn.WatchSignUp(friends.Join)
	services := api.Services{
		Moderation: reports, Verification: verification.New(pool, uploads, b),
		Auth: signIn, Deletion: deletion.New(pool, events, signIn, jobs), Export: export.New(pool, b, jobs), Digest: digest.New(pool, mails, jobs, site), Figures: figures.New(pool), Admin: admin.New(pool, events, jobs), ProfileReview: profilereview.New(pool, jobs), Graduation: graduation.New(pool, b, jobs), Pulse: pulse.New(pool), Badges: badges.New(pool, jobs), Moments: moments.New(pool, uploads, jobs),
		Community: community.New(community.Deps{
			Pool: pool, Blobs: b, Media: uploads, Moderation: reports, Jobs: jobs, Classify: guard.Category, RateLimitScale: 1e6,
		}),
		Members: m, Discovery: search, Matching: match,
		Media:     uploads,
		Messaging: chat, Dates: dates.New(pool, events, jobs, chat, dates.Config{Site: site, RateLimitScale: 1e6}),
		Notifications: notifications.New(pool, jobs, push.NewSender(push.Options{PublicKey: public, PrivateKey: private, Subject: "a@b.test"}),
			notifications.Config{PublicKey: public, Site: site}),
		Activity: activity.New(pool, events), Referrals: friends,
	}
	texts := api.SafetyTexts(pwa.Safety())
	return api.Deps{
		Services: services, Hub: newHub(t, pool, events, services), Metrics: obs.NewMetrics(pool), PublicURL: publicURL,
		Mailbox: api.NewMailbox(mails), Version: "test", App: app, SafetyTexts: &texts, Ready: pool.Ping,
	}, store, mails
}

// newHub returns a hub that neither renews presence nor checks sessions during a test,
// because these tests open no socket.
func newHub(t *testing.T, pool *pgxpool.Pool, events *bus.Bus, services api.Services) *live.Hub {
	t.Helper()
	hub := live.New(live.Deps{
		Pool: pool, Bus: events, Messaging: services.Messaging, Cookie: services.Auth.CookieName(),
		Authenticate: services.Auth.Authenticate, CheckSession: services.Auth.CheckSession,
		Limits: live.DefaultLimits(1), Timing: live.Timing{Renew: time.Hour, Recheck: time.Hour},
	})
	t.Cleanup(func() { require.NoError(t, hub.Shutdown(context.Background())) })
	return hub
}

// newDepsWithoutDatabase returns dependencies with an unreachable database.
func newDepsWithoutDatabase(t *testing.T, site string) api.Deps {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	deps, _, _ := newDeps(t, site, pool, discovery.New(pool))
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
		require.EqualError(t, err, "api.New: nil "+field.Name)
		refusals++
	}
	require.Greater(t, refusals, 15)
}
