package api_test

import (
	"html"
	"net/http"
	"os"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/pwa"
)

// newCommunityPages returns a server with the app's real document.
func newCommunityPages(t *testing.T) (*api.Server, *pgxpool.Pool) {
	t.Helper()
	index, err := os.ReadFile("../pwa/index.html")
	require.NoError(t, err)
	pool := pgtest.New(t)
	deps, _, _ := newDeps(t, "https://heartward.test", pool)
	deps.App, err = api.NewStatic(fstest.MapFS{"index.html": {Data: index}}, []string{"/community", "/community/:id", "/community/mine", "/community/rules"}, nil)
	require.NoError(t, err)
	server, err := api.New(deps)
	require.NoError(t, err)
	return server, pool
}

// The board, its posts and the rules can be read signed out and without JavaScript, in the app's own document,
// and nothing that a member writes runs as a script.
func TestCommunity_IsInTheDocument(t *testing.T) {
	t.Parallel()
	server, pool := newCommunityPages(t)
	author, post, pending := testkit.Member(t, pool, "Ann Doe").ID, uuid.New(), uuid.New()
	testkit.Exec(t, pool, `INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
		VALUES ($1, $2, $1, '</title><script>alert(1)</script>', 'In "short"', E'A **bold** text\n\n<script>alert(2)</script>', 'advice', '{advice,"long <b> & distance"}', 'published', '2026-03-04', now())`, post, author)
	testkit.Exec(t, pool, `INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags)
		VALUES ($1, $2, $1, 'Waits', 'Waits', 'Waits', 'advice', '{a}')`, pending, author)
	testkit.Exec(t, pool, `INSERT INTO post_comments (post_id, author_id, client_id, content) VALUES ($1, $2, gen_random_uuid(), '<script>alert(3)</script>')`, post, author)

	board := get(t, server.Fiber, "/community")
	require.Equal(t, http.StatusOK, board.status)
	require.Contains(t, board.body, "<title>Community Bulletin Board · Heartward</title>")
	require.Contains(t, board.body, `<link rel="canonical" href="https://heartward.test/community" />`)
	require.Contains(t, board.body, `href="/community/`+post.String()+`"`)
	require.Contains(t, board.body, "by <bdi>Ann</bdi>")
	require.Contains(t, board.body, "March 4, 2026")
	require.Contains(t, board.body, "1 comment")
	require.NotContains(t, board.body, "Waits")
	require.Contains(t, get(t, server.Fiber, "/community?category=experience").body, "No stories yet")
	require.Contains(t, get(t, server.Fiber, "/community?category=advice").body, `<link rel="canonical" href="https://heartward.test/community?category=advice" />`)
	testkit.Exec(t, pool, `INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
		SELECT $1, gen_random_uuid(), 'Old', 'Old', 'Old', 'advice', '{a}', 'published', '2026-02-01', now() FROM generate_series(1, 20)`, author)
	next := regexp.MustCompile(`href="(/community\?category=advice&amp;cursor=[^"]+)">Older`).FindStringSubmatch(get(t, server.Fiber, "/community?category=advice").body)
	require.NotNil(t, next)
	older := get(t, server.Fiber, html.UnescapeString(next[1]))
	require.Equal(t, http.StatusOK, older.status)
	require.Contains(t, older.body, `<meta name="robots" content="noindex, follow" />`)
	require.NotContains(t, older.body, "canonical")
	const tagAddress = "/community?tag=long%20%3cb%3e%20%26%20distance"
	tagged := get(t, server.Fiber, tagAddress)
	require.Contains(t, tagged.body, `href="/community/`+post.String()+`"`)
	require.Contains(t, tagged.body, "Stories with the tag <bdi>#long &lt;b&gt; &amp; distance</bdi>")
	require.Contains(t, get(t, server.Fiber, "/community?tag=tea").body, "No stories yet")
	require.NotContains(t, board.body, `tag=advice`, "the category is no link of its own")
	for _, query := range []string{"?cursor=wrong", "?category=wrong", "?tag=a%E2%80%AEb"} {
		require.Equal(t, http.StatusSeeOther, get(t, server.Fiber, "/community"+query).status)
	}

	former := testkit.Select[uuid.UUID](t, pool, `INSERT INTO post_comments (post_id, content, deleted_at, created_at)
		VALUES ($1, '', now(), '2026-03-05') RETURNING id`, post)
	testkit.Exec(t, pool, `INSERT INTO post_comments (post_id, parent_id, author_id, client_id, content) VALUES ($1, $2, $3, gen_random_uuid(), 'True')`, post, former, author)

	page := get(t, server.Fiber, "/community/"+post.String())
	require.Regexp(t, `Former member</p>\s*<p class="text-muted">This comment is no longer here\.</p>`, page.body)
	require.Equal(t, http.StatusOK, page.status)
	require.Contains(t, page.body, `<meta property="og:type" content="article" />`)
	require.Contains(t, page.body, `<meta name="description" content="In &#34;short&#34;" />`)
	require.Contains(t, page.body, `<link rel="canonical" href="https://heartward.test/community/`+post.String()+`" />`)
	require.Contains(t, page.body, `"@type":"BlogPosting"`)
	require.Contains(t, page.body, "<p>A <strong>bold</strong> text</p>")
	require.Contains(t, page.body, "&lt;script&gt;alert(3)")
	require.NotContains(t, page.body, "needs JavaScript")
	for _, body := range []string{board.body, page.body} {
		require.Contains(t, body, `href="`+tagAddress+`"`)
		require.NotContains(t, body, "<script>alert")
		require.NotContains(t, body, "Doe", "visitors see first names")
		require.Contains(t, body, `<script type="module" src="/src/app/main.tsx">`, "the app starts in it")
	}
	for _, id := range []uuid.UUID{pending, uuid.New()} {
		missing := get(t, server.Fiber, "/community/"+id.String())
		require.Equal(t, http.StatusNotFound, missing.status)
		require.Contains(t, missing.body, "main.tsx", "the app decides: it may be the reader's own")
		require.NotContains(t, missing.body, "Waits")
	}
	rules := get(t, server.Fiber, "/community/rules")
	require.Equal(t, http.StatusOK, rules.status)
	require.Contains(t, rules.body, "<title>Respect the Vibe · Heartward</title>")
	requireRules(t, html.UnescapeString(rules.body))
	mine := get(t, server.Fiber, "/community/mine")
	require.Equal(t, http.StatusOK, mine.status)
	require.Contains(t, mine.body, "<title>Heartward</title>", "a screen of the app")
}

// A public page has the address of its picture, and the policy that permits no script of its own. A post that was
// taken down is gone for search engines; one that waits again may come back.
func TestCommunity_PictureAndPolicyAndTakenDown(t *testing.T) {
	t.Parallel()
	server, pool := newCommunityPages(t)
	author, post := testkit.Member(t, pool, "Ann Doe").ID, uuid.New()
	picture := uuid.New()
	testkit.Exec(t, pool, `INSERT INTO files (id, owner_id, content_type, bytes, width, height) VALUES ($1, $2, 'image/webp', 4, 40, 30)`, picture, author)
	testkit.Exec(t, pool, `INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at, featured_image)
		VALUES ($1, $2, $1, 'One', 'Summary', 'Words of it', 'advice', '{a}', 'published', '2026-03-04', now(), $3)`, post, author, picture)
	read := func(path string, status int) string {
		response := get(t, server.Fiber, path)
		require.Equal(t, status, response.status)
		policy := response.header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'; script-src 'self'; style-src 'self';")
		require.Contains(t, policy, "require-trusted-types-for 'script'")
		require.NotContains(t, policy, "unsafe")
		return response.body
	}
	address := "/community/" + post.String()
	require.Contains(t, read(address, http.StatusOK), `<meta property="og:image" content="https://heartward.test/api/community/pictures/`+picture.String()+`/full.webp" />`)
	for _, path := range []string{"/community", "/community/rules"} {
		require.NotContains(t, read(path, http.StatusOK), "og:image")
	}
	testkit.Exec(t, pool, `UPDATE community_posts SET status = 'pending' WHERE id = $1`, post)
	require.NotContains(t, read(address, http.StatusNotFound), "Words of it")
	testkit.Exec(t, pool, `UPDATE community_posts SET status = 'rejected', rejection_reason = 'Why' WHERE id = $1`, post)
	require.NotContains(t, read(address, http.StatusGone), "Words of it")
}

// requireRules fails unless a page has every rule of the specification in the words of the app.
func requireRules(t *testing.T, page string) {
	t.Helper()
	texts := pwa.Rules()
	require.Len(t, texts.Rules, 4)
	require.Len(t, texts.NotAllowed.Items, 5)
	for _, rule := range texts.Rules {
		require.Contains(t, page, rule.Title)
		require.Contains(t, page, rule.Text)
	}
	for _, text := range append([]string{texts.Description, texts.Intro, texts.NotAllowed.Title, texts.Issue.Title, texts.Issue.Text}, texts.NotAllowed.Items...) {
		require.Contains(t, page, text)
	}
	require.Contains(t, page, "Honor the Honor Code")
	require.Contains(t, page, "Report an Issue")
}

// The payload of the product's specification is accepted as it is. The author is who is signed in.
func TestCommunity_AcceptsPostOfSpecification(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	other := testkit.Member(t, s.Pool, "Ann Doe").ID
	body := map[string]any{
		"title": "A walk", "content": "A long walk.", "excerpt": "A walk", "category": "experience", "authorId": other, "tags": []string{"experience"},
	}
	for _, status := range []int{http.StatusCreated, http.StatusConflict} { // the second has no client id that would tell a repetition
		created := s.json(s.viewer, http.MethodPost, "/api/community/posts", body)
		require.Equal(t, status, created.status, created.body)
	}
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM community_posts WHERE author_id = $1 AND status = 'pending'`, s.idOf(s.viewer)))
	require.Zero(t, s.Count(`SELECT count(*) FROM community_posts WHERE author_id = $1`, other))
}
