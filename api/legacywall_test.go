package api_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// The wall can be read without JavaScript, in the app's own document, and nothing in it runs as a script.
func TestLegacyWall_IsInTheDocument(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile("../pwa/index.html")
	require.NoError(t, err)
	pool := pgtest.New(t)
	deps, store, _ := newDeps(t, "https://heartward.test", pool)
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
	for i, agreed := range []bool{true, false} {
		id := uuid.New()
		testkit.Exec(t, pool, `INSERT INTO files (id, owner_id, content_type, bytes, width, height) SELECT $1, user_id, 'image/webp', 4, 40, 30 FROM couple_members ORDER BY user_id LIMIT 1`, id)
		testkit.Exec(t, pool, `INSERT INTO couple_pictures (couple_id, user_id, position, file_id, is_agreed) SELECT couple_id, user_id, $2, $1, $3 FROM couple_members ORDER BY user_id LIMIT 1`, id, i+1, agreed)
		require.NoError(t, store.Put(t.Context(), blobs.Key(id, blobs.Thumb), "image/webp", strings.NewReader("blob")))
	}
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

	// Only the picture to which both agreed is in it, and its text cannot end the attribute.
	require.Regexp(t, `<img alt="Picture 1 of &lt;b&gt;Ann and &lt;b&gt;Ben" [^>]*height="30" loading="lazy" sizes="[^"]+" src="/api/legacy-wall/pictures/[^"]+/thumb.webp" srcset="[^"]+ 480w, [^"]+ 40w" width="40" />`, html)
	require.Equal(t, 1, strings.Count(html, "<img alt=\"Picture"))
	picture := regexp.MustCompile(`src="(/api/legacy-wall/pictures/[^"]+)"`).FindStringSubmatch(html)[1]
	status, _ = read(picture)
	require.Equal(t, http.StatusOK, status)

	testkit.Exec(t, pool, `UPDATE couple_members SET on_wall = false WHERE user_id = (SELECT id FROM users LIMIT 1)`)
	_, html = read("/legacy-wall")
	require.NotContains(t, html, "Ben")
	require.Contains(t, html, "No legacy messages yet")
	require.NotContains(t, html, "<img alt=\"Picture")
	status, _ = read(picture)
	require.Equal(t, http.StatusNotFound, status)
	status, _ = read("/legacy-wall?cursor=wrong")
	require.Equal(t, http.StatusSeeOther, status)
}
