package community_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
)

// Sitemaps have what visitors see, at most 5,000 posts each, and read no more index entries than they need.
func TestSitemap_ListsPostsOfVisitors(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	count, err := w.CountSitemaps(t.Context())
	require.NoError(t, err)
	require.Zero(t, count)

	ann, ben := w.join("Ann"), w.join("Ben")
	first, hidden := w.publish(ann, "One"), w.publish(ben, "Two")
	w.write(ann, "Waits")
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ben)
	posts, err := w.Sitemap(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, posts, 1)
	require.Equal(t, first, posts[0].ID)
	require.NotEqual(t, hidden, posts[0].ID)
	require.False(t, posts[0].ChangedAt.IsZero())

	pgtest.Fill(t, w.Pool, []string{"community_posts"}, pgx.NamedArgs{"author": ann},
		`INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
		SELECT @author, gen_random_uuid(), 'Post', 'Summary', 'Words', 'advice', '{a}', 'published', now() - i * interval '1 minute', now()
		FROM generate_series(1, 12000) i`)
	w.Exec(`ANALYZE community_posts`)
	count, err = w.CountSitemaps(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, count)
	seen := map[uuid.UUID]bool{}
	for sitemap, size := range map[int]int{1: community.SitemapPosts, 2: community.SitemapPosts, 3: 2001} {
		posts, err := w.Sitemap(t.Context(), sitemap)
		require.NoError(t, err)
		require.Len(t, posts, size)
		for _, post := range posts {
			seen[post.ID] = true
		}
	}
	require.Len(t, seen, 12_001)
	for _, sitemap := range []int{-1, 0, 4, 11, 1 << 40} {
		_, err := w.Sitemap(t.Context(), sitemap)
		require.True(t, fault.Is(err, fault.NotFound), sitemap)
	}
	args := pgx.NamedArgs{"limit": 5000, "offset": 0}
	w.requireSmallPlan("sitemap", pgtest.Explain(t, w.Pool, "", community.SitemapPostsSQL, args))
}
