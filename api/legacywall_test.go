package api_test

import (
	"net/http"
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// The wall can be read without JavaScript, in the app's own document, and nothing in it runs as a script.
func TestLegacyWall_IsInTheDocument(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile("../pwa/index.html")
	require.NoError(t, err)
	pool := pgtest.New(t)
	deps, _, _ := newDeps(t, "https://heartward.test", pool)
	deps.App, err = api.NewStatic(fstest.MapFS{"index.html": {Data: index}}, []string{"/legacy-wall"}, nil)
	require.NoError(t, err)
	server, err := api.New(deps)
	require.NoError(t, err)
	testkit.Exec(t, pool, `INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, referral_code)
		SELECT gen_random_uuid(), lower(name) || '@example.test', name || ' Doe', '<b>' || name, '1990-01-01', 'Portland', 'OR', name || 'code'
		FROM unnest(ARRAY['Ann', 'Ben']) name`)
	testkit.Exec(t, pool, `INSERT INTO graduated_couples (user_one_id, user_two_id, status, accepted_at, approved_at, legacy_message)
		SELECT one.id, two.id, 'graduated', now(), '2026-03-04', '</div><script>alert(1)</script>'
		FROM users one, users two WHERE one.first_name = '<b>Ann' AND two.first_name = '<b>Ben'`)
	testkit.Exec(t, pool, `INSERT INTO couple_members (user_id, couple_id, on_wall) SELECT u.id, c.id, true FROM users u, graduated_couples c`)
	read := func(address string) (int, string) {
		response := get(t, server.Fiber, address)
		return response.status, response.body
	}
	status, html := read("/legacy-wall")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, html, "<title>Legacy Wall · Heartward</title>")
	require.Contains(t, html, `<link rel="canonical" href="https://heartward.test/legacy-wall" />`)
	require.Contains(t, html, "<bdi>&lt;b&gt;Ann</bdi> &amp; <bdi>&lt;b&gt;Ben</bdi>")
	require.Contains(t, html, "March 2026")
	require.Contains(t, html, "&lt;script&gt;alert(1)")
	require.NotContains(t, html, "<script>alert")
	require.NotContains(t, html, "Doe")
	require.NotContains(t, html, "needs JavaScript")
	require.Contains(t, html, `<script type="module" src="/src/app/main.tsx">`, "the app starts in it")

	testkit.Exec(t, pool, `UPDATE couple_members SET on_wall = false WHERE user_id = (SELECT id FROM users LIMIT 1)`)
	_, html = read("/legacy-wall")
	require.NotContains(t, html, "Ben")
	require.Contains(t, html, "No legacy messages yet")
	status, _ = read("/legacy-wall?cursor=wrong")
	require.Equal(t, http.StatusSeeOther, status)
}
