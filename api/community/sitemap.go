package community

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// A sitemap has at most SitemapPosts posts, and there are at most maxSitemaps. Older posts are in none.
const (
	SitemapPosts = 5000
	maxSitemaps  = 10
)

// SitemapPost is a post for search engines.
type SitemapPost struct {
	ID        uuid.UUID
	ChangedAt time.Time
}

// sitemapPostsSQL selects the posts that visitors see, the newest first, by an index.
const sitemapPostsSQL = `
	SELECT
		p.id,
		greatest(p.updated_at, p.published_at)
	FROM community_posts p
	WHERE ` + shownPost + `
	ORDER BY p.published_at DESC, p.id DESC
	LIMIT @limit
	OFFSET @offset`

// CountSitemaps returns the number of sitemaps that have posts.
func (s *Service) CountSitemaps(ctx context.Context) (sitemaps int, err error) {
	var posts int
	err = s.pool.QueryRow(ctx, `
		SELECT count(*)
		FROM (
			SELECT
			FROM community_posts p
			WHERE `+shownPost+`
			LIMIT $1
		) shown`, maxSitemaps*SitemapPosts).Scan(&posts)
	return (posts + SitemapPosts - 1) / SitemapPosts, pg.Fault(err)
}

// Sitemap returns the posts of a sitemap as visitors see them, the newest first. The first sitemap is 1. It
// returns NotFound for a sitemap without posts.
func (s *Service) Sitemap(ctx context.Context, sitemap int) ([]SitemapPost, error) {
	if sitemap < 1 || sitemap > maxSitemaps {
		return nil, errNoSitemap()
	}
	rows, _ := s.pool.Query(ctx, sitemapPostsSQL, pgx.NamedArgs{"limit": SitemapPosts, "offset": (sitemap - 1) * SitemapPosts})
	posts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[SitemapPost])
	if err == nil && len(posts) == 0 {
		err = errNoSitemap()
	}
	return posts, pg.Fault(err)
}

func errNoSitemap() error { return fault.New(fault.NotFound, "There is no such sitemap.") }
