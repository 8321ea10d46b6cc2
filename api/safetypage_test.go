package api_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/pwa"
)

// A visitor without JavaScript reads the advice, the rules, the contact and the times to action.
func TestSafety_IsInTheDocument(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile("../pwa/index.html")
	require.NoError(t, err)
	read := func(reports string) string {
		pool := pgtest.New(t)
		deps, _, _ := newDeps(t, "https://heartward.test", pool)
		deps.Moderation.ContactAt("hello@heartward.test", "Heartward Ltd\n1 Moss Street")
		deps.App, err = api.NewStatic(fstest.MapFS{"index.html": {Data: index}}, []string{"/safety"}, nil)
		require.NoError(t, err)
		server, err := api.New(deps)
		require.NoError(t, err)
		testkit.Exec(t, pool, `INSERT INTO reports (id, reason, place, priority, status, created_at, reviewed_at, action_taken)
			SELECT gen_random_uuid(), 'spam', 'profile', 2, 'reviewed', date_trunc('day', now(), 'UTC') - interval '3 hours', date_trunc('day', now(), 'UTC') - s * interval '1 minute', 'warn'
			FROM `+reports+` s`)
		response := get(t, server.Fiber, "/safety")
		require.Equal(t, http.StatusOK, response.status)
		return response.body
	}
	html := read("generate_series(59, 69)")
	require.Contains(t, html, "<title>Safety center · Heartward</title>")
	require.Contains(t, html, `<link rel="canonical" href="https://heartward.test/safety" />`)
	require.Contains(t, html, "mailto:hello@heartward.test")
	require.Contains(t, html, "we decided 11 reports: half of them within <strong>116 minutes</strong>, and 95 of 100 within <strong>3 hours</strong>")
	require.NotContains(t, html, "needs JavaScript")
	texts := pwa.Safety()
	require.Len(t, texts.Advice, 5)
	for _, e := range texts.Emergencies {
		require.Contains(t, html, e.Country+": <strong>"+e.Number+"</strong>")
		require.Contains(t, html, `href="https://`)
	}
	require.Contains(t, html, "11 reports arrived. Fewer than ten waited for a decision.")
	require.Contains(t, html, "Heartward Ltd\n1 Moss Street")
	escaped := strings.NewReplacer("&#39;", "'").Replace(html)
	for _, text := range append(append([]string{texts.Emergency, texts.Helpline}, texts.Rules...), texts.Reporting...) {
		require.NotEmpty(t, text)
		require.Contains(t, escaped, text)
	}
	require.Contains(t, read("generate_series(1, 3)"), texts.TooFew)
}
