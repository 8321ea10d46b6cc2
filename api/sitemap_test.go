package api_test

import (
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/pwa"
)

// Search engines find the public screens and posts, and are asked not to read those of members.
func TestSitemaps_ListPublicPages(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	deps, _, _ := newDeps(t, "https://heartward.test", pool)
	server, err := api.New(deps)
	require.NoError(t, err)
	author, post, pending := testkit.Member(t, pool, "Ann Doe").ID, uuid.New(), uuid.New()
	testkit.Exec(t, pool, `INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at, updated_at)
		VALUES ($1, $2, $1, 'A', 'B', 'C', 'advice', '{a}', 'published', '2026-03-04', now(), '2026-03-05 10:00Z')`, post, author)
	testkit.Exec(t, pool, `INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags)
		VALUES ($1, $2, $1, 'A', 'B', 'C', 'advice', '{a}')`, pending, author)
	read := func(path string) string {
		response := get(t, server.Fiber, path)
		require.Equal(t, http.StatusOK, response.status, path)
		require.Equal(t, "public, max-age=300", response.header.Get("Cache-Control"))
		if strings.HasSuffix(path, ".xml") {
			require.Equal(t, "application/xml; charset=utf-8", response.contentType)
			require.NoError(t, xml.Unmarshal([]byte(response.body), new(struct{})))
		}
		return response.body
	}

	index := read("/sitemap.xml")
	for _, path := range []string{"/sitemap-screens.xml", "/sitemap-posts-1.xml"} {
		require.Contains(t, index, "<sitemap><loc>https://heartward.test"+path+"</loc></sitemap>")
	}
	screens := read("/sitemap-screens.xml")
	for _, path := range []string{"/", "/community", "/community/rules", "/legacy-wall"} {
		require.Contains(t, screens, "<url><loc>https://heartward.test"+path+"</loc></url>")
	}
	posts := read("/sitemap-posts-1.xml")
	require.Contains(t, posts, "<url><loc>https://heartward.test/community/"+post.String()+"</loc><lastmod>2026-03-05T10:00:00Z</lastmod></url>")
	require.NotContains(t, posts, pending.String())
	for _, path := range []string{"/sitemap-posts-0.xml", "/sitemap-posts-01.xml", "/sitemap-posts-2.xml", "/sitemap-posts-x.xml"} {
		require.Equal(t, http.StatusNotFound, get(t, server.Fiber, path).status, path)
	}
	requireRobots(t, strings.Split(read("/robots.txt"), "\n"))
}

// requireRobots fails unless each screen of the app is either public or refused.
func requireRobots(t *testing.T, lines []string) {
	t.Helper()
	require.Contains(t, lines, "Sitemap: https://heartward.test/sitemap.xml")
	require.Contains(t, lines, "Disallow: /api/")
	public := []string{"/", "/community", "/community/:id", "/community/rules", "/legacy-wall", "/login", "/safety", "/signup", "/welcome"}
	for _, route := range pwa.Routes() {
		isRefused := false
		for _, line := range lines {
			prefix, ok := strings.CutPrefix(line, "Disallow: ")
			isRefused = isRefused || ok && strings.HasPrefix(route, prefix)
		}
		require.NotEqual(t, slices.Contains(public, route), isRefused, route)
	}
}
