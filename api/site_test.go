package api_test

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/pwa"
)

// newSite returns an env with the documents of the app and of the public pages.
func newSite(t *testing.T) *env {
	t.Helper()
	document, err := os.ReadFile("../pwa/site.html")
	require.NoError(t, err)
	pool := pgtest.New(t)
	s := &env{DB: testkit.DB{TB: t, Pool: pool}}
	deps, store, mails := newDeps(t, "https://heartward.test", pool)
	s.search, s.store, s.mails, s.mailbox = deps.Discovery, store, mails, deps.Mailbox.Path()
	deps.App, err = api.NewStatic(fstest.MapFS{"index.html": {Data: []byte(screenIndex)}, "site.html": {Data: document}}, pwa.Routes(), nil)
	require.NoError(t, err)
	s.server, err = api.New(deps)
	require.NoError(t, err)
	return s
}

var publicPages = []string{"/", "/welcome", "/near", "/about", "/privacy", "/terms"}

// Each public page is complete without a script, and has what previews of links and search engines read.
func TestSite_PagesAreCompleteDocuments(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, path := range publicPages {
		response := get(t, s.server.Fiber, path)
		require.Equal(t, http.StatusOK, response.status, path)
		require.Equal(t, "text/html; charset=utf-8", response.contentType, path)
		require.Equal(t, "no-cache", response.header.Get("Cache-Control"), path)
		require.Contains(t, response.body, `<link rel="canonical" href="https://heartward.test`+path+`" />`)
		require.Contains(t, response.body, `<meta property="og:image" content="https://heartward.test/site/preview.png" />`)
		require.Equal(t, 1, strings.Count(response.body, "<h1"), path)
		require.NotContains(t, response.body, "index.html")
		require.NotContains(t, response.body, "The server writes the page here")
		require.Empty(t, missingTargets(response.body), path)
	}
	require.Equal(t, http.StatusNotFound, get(t, s.server.Fiber, "/site.html").status, "it is no page by itself")
	sitemap := get(t, s.server.Fiber, "/sitemap-screens.xml").body
	for _, path := range publicPages {
		require.Contains(t, sitemap, "<loc>https://heartward.test"+path+"</loc>")
	}
}

var fragment = regexp.MustCompile(`href="#(\w+)"`)

// missingTargets returns the links of a document to its own sections that it does not have, one a line.
func missingTargets(document string) string {
	var missing strings.Builder
	for _, link := range fragment.FindAllStringSubmatch(document, -1) {
		if !strings.Contains(document, `id="`+link[1]+`"`) {
			missing.WriteString(link[0] + "\n")
		}
	}
	return missing.String()
}

// The spec quotes these texts.
func TestSite_LandingPagesHaveTheTextsOfTheSpec(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	texts := map[string][]string{
		"/": {
			"Free to Join • Free Messaging • Real Connections", "Instant Messaging", "Video Messages", "Voice Notes", "No endless swiping",
			"Multi-Way Communication", "Intelligent Matching", "Safety First", "Achievement System", "Supportive Community", "Always Free",
			"How It Works", "Create Your Profile", "Get Smart Matches", "Start Conversations", "Build Real Connections",
			"Start Your Love Story Free", "Join Free Today", "Find Your Soulmate Today", "Begin Your Love Journey Now", "Join Now", "Start Free Today",
		},
		"/welcome": {
			"Find Your Soul Connection", "Always Free Messaging", "Premium Experience", "What Makes Us Different", "Built-In Safety Safeguards",
			"Profile Verification", "Message Monitoring", "Rate Limiting", "Report System", "A Different Kind of Dating Experience",
			"Join Our Community - It&#39;s Free!", "Create Your Profile",
		},
	}
	for path, quoted := range texts {
		body := strings.ReplaceAll(get(t, s.server.Fiber, path).body, "It's", "It&#39;s")
		for _, text := range quoted {
			require.Contains(t, body, text, path)
		}
		require.NotRegexp(t, `(?i)unlimited|no limit|never limited|10,000`, body, "likes, requests and messages in a row have limits")
	}
	for _, button := range texts["/"][16:] {
		require.Regexp(t, `<a class="button[^"]*" href="/api/login">`+button+`</a>`, get(t, s.server.Fiber, "/").body)
	}
	require.Equal(t, 5, strings.Count(get(t, s.server.Fiber, "/").body, "<summary"))
}

// A member gets the app at /, and so does a session that a member or an admin has ended, because the app deletes its data.
func TestSite_HomeIsTheAppForMembers(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.listen()
	const landing = "Slow down. Someone worth meeting is here."
	visitor := s.send("", http.MethodGet, "/", "", "")
	require.Contains(t, visitor.body, landing)
	require.Contains(t, visitor.header.Get("Vary"), "Cookie")
	require.Contains(t, s.send("heartward_browser=unknown", http.MethodGet, "/?ref=ABCD2345", "", "").body, landing, "a browser that signed in before")
	member := s.signUp("member")
	require.Contains(t, s.send(member, http.MethodGet, "/", "", "").body, "hw-responses")
	require.NotContains(t, s.send(member, http.MethodGet, "/", "", "").body, landing)
	require.Equal(t, http.StatusNoContent, s.send(member, http.MethodPost, "/api/auth/logout", "application/json", "{}").status)
	require.Equal(t, screenIndex, s.send(member, http.MethodGet, "/", "", "").body)
	s.Pool.Close()
	require.Contains(t, s.send("", http.MethodGet, "/welcome", "", "").body, "Find Your Soul Connection", "without a database")
}

// Stories are those of couples who chose to be on the wall; those of demo members are marked.
func TestSite_LandingShowsConsentingCouples(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	home := func() string { return get(t, s.server.Fiber, "/").body }
	require.NotContains(t, home(), "They left together")
	testkit.Exec(t, s.Pool, `INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, referral_code, is_demo)
		SELECT gen_random_uuid(), lower(name) || '@example.test', name || ' Doe', '<b>' || name, '1990-01-01', 'Portland', 'OR', name || 'code', name = 'Ann'
		FROM unnest(ARRAY['Ann', 'Ben']) name`)
	testkit.Exec(t, s.Pool, `INSERT INTO graduated_couples (user_one_id, user_two_id, status, accepted_at, approved_at, legacy_message)
		SELECT one.id, two.id, 'graduated', now(), now() - interval '250 days', '<script>alert(1)</script>'
		FROM users one, users two WHERE one.first_name = '<b>Ann' AND two.first_name = '<b>Ben'`)
	testkit.Exec(t, s.Pool, `INSERT INTO couple_members (user_id, couple_id, on_wall) SELECT u.id, c.id, true FROM users u, graduated_couples c`)
	require.Contains(t, home(), "&lt;b&gt;Ann</bdi> &amp; <bdi>&lt;b&gt;Ben")
	require.Contains(t, home(), "Graduated 8 months ago · Sample")
	require.Contains(t, home(), "&lt;script&gt;alert(1)")
	testkit.Exec(t, s.Pool, `UPDATE couple_members SET on_wall = false WHERE user_id = (SELECT id FROM users LIMIT 1)`)
	require.NotContains(t, home(), "They left together")
}

// The number of members is the real one, without demo members, and is shown from 100 up.
func TestSite_LandingCountsMembersFrom100(t *testing.T) {
	t.Parallel()
	for members, shown := range map[int]string{99: "", 1100: "1,100 people are members."} {
		s := newSite(t)
		testkit.Exec(t, s.Pool, `INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, referral_code, is_demo)
			SELECT gen_random_uuid(), n || '@example.test', 'Ann Doe', 'Ann', '1990-01-01', 'Portland', 'OR', 'code' || lpad(n::text, 6, '0'), n > $1
			FROM generate_series(1, $1 + 150) n`, members)
		body := get(t, s.server.Fiber, "/").body
		require.Equal(t, shown != "", strings.Contains(body, "people are members"), members)
		require.Contains(t, body, shown)
	}
}

func TestSite_AdminChoosesTheLandingPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	testkit.Exec(t, s.Pool, `UPDATE system_settings SET setting_value = setting_value || '{"landing": "b"}' WHERE setting_key = 'site'`)
	body := get(t, s.server.Fiber, "/").body
	require.Contains(t, body, "Find Your Soul Connection")
	require.Contains(t, body, `<link rel="canonical" href="https://heartward.test/" />`)
}

// The privacy page states the periods of the document that is made from the retention of the features.
func TestPrivacyPage_AgreesWithRetention(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	security, err := os.ReadFile("../docs/security.md")
	require.NoError(t, err)
	page := get(t, s.server.Fiber, "/privacy").body
	for _, period := range []struct{ document, page string }{
		{"| accounts | 14 days after their members asked for it |", "14 days after you ask for it"},
		{"| 180 days after the conversation ended |", "180 days after an unmatch or a block"},
		{"| likes that were not returned | 1 year after", "after 1 year"},
		{"| passes | 1 year after", "Likes that were not returned, and passes"},
		{"| evidence of reports, with files | 90 days after the decision |", "90 days after the decision"},
		{"| flagged texts, with files | 90 days after the decision |", "flagged messages"},
		{"| selfies | with the decision", "with the decision"},
		{"| 2 years after the ban", "2 years after the ban"},
		{"| 180 days after the deletion, or with the decision on the last report about them |", "with the decision, after 180 days at most"},
		{"| keyed hashes of photos, to find second accounts of blocked members | with the photo |", "to find second accounts"},
		{"| sessions | 90 days after the sign-in |", "90 days after the sign-in"},
		{"| known browsers | 400 days after the last sign-in |", "400 days after the last sign-in"},
		{"| 1 day after the refusal |", "A refused age"},
		{"| addresses of invitations to friends | 90 days after the invitation", "90 days after the invitation"},
		{"| exports | 7 days after they were made", "7 days after it was made"},
		{"| archives of exports | 1 hour after they were fetched", "1 hour after you fetched it"},
		{"| 91 days after reading |", "after 91 days"},
		{"| towns of visits | at the end of the visit |", "at the end of the visit"},
		{"Log lines are deleted after 90 days", "Log lines stay for 90 days"},
		{"keep none for longer than 30 days", "Backups stay for 30 days"},
	} {
		require.Contains(t, string(security), period.document)
		require.Contains(t, page, period.page)
	}
	require.Contains(t, page, "Heartward, 1 Moss Street")
	require.Contains(t, page, "mailto:help@heartward.test")
	require.Contains(t, page, "Neither messages nor pictures are sent to another company")
}

// The service worker answers navigations with the app's shell, except those to the server's own paths.
func TestServerPaths_AreInTheWorkersList(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	listed := pwa.ServerPaths()
	require.True(t, slices.IsSorted(listed))
	isListed := func(path string) bool {
		return slices.ContainsFunc(listed, func(prefix string) bool {
			rest, ok := strings.CutPrefix(path, prefix)
			return ok && (rest == "" || strings.ContainsAny(rest[:1], "/.?-"))
		})
	}
	checked := 0
	for _, route := range s.server.Fiber.GetRoutes(true) {
		path, _, _ := strings.Cut(route.Path, "<") // without the type of a parameter
		if route.Method != http.MethodGet || slices.Contains(pwa.Routes(), path) {
			continue
		}
		require.True(t, isListed(path), path)
		checked++
	}
	require.Greater(t, checked, 50)
	for _, path := range pwa.Routes() {
		require.False(t, isListed(path), path)
	}
}

func TestNewSite_NamesTheModerationService(t *testing.T) {
	t.Parallel()
	deps := newDepsWithoutDatabase(t, "https://heartward.test")
	document, err := os.ReadFile("../pwa/site.html")
	require.NoError(t, err)
	deps.App, err = api.NewStatic(fstest.MapFS{"site.html": {Data: document}}, nil, nil)
	require.NoError(t, err)
	deps.Operator = &api.Operator{Contact: "help@heartward.test", Moderation: true}
	server, err := api.New(deps)
	require.NoError(t, err)
	page := get(t, server.Fiber, "/privacy").body
	require.Contains(t, page, "the text of every message is sent to a moderation service")
	require.NotContains(t, page, "to another company for this")
	require.Contains(t, page, "is not a public site")
}
