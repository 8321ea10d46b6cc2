package community

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// popularSQL selects the popular posts of the last seven days, of which it reads the newest 500. The score of a post is
// its likes divided by 1 + its age / 2 days: a like counts half after two days and a third after four, so that the list
// changes during the week.
const popularSQL = `
	SELECT` + cardColumns + `
	FROM (
		SELECT
			p.id,
			p.like_count / (1 + extract(epoch FROM now() - p.published_at) / extract(epoch FROM interval '2 days')) AS score
		FROM (
			SELECT
				p.id,
				p.author_id,
				p.like_count,
				p.published_at
			FROM community_posts p
			WHERE ` + shownPost + `
				AND p.published_at > now() - interval '7 days'
			ORDER BY p.published_at DESC, p.id DESC
			LIMIT 500
		) p
		WHERE p.like_count > 0
			AND ` + postNotBlocked + `
		ORDER BY score DESC, p.id DESC
		LIMIT 5
	) best
	JOIN community_posts p ON p.id = best.id
	LEFT JOIN stored_files f ON f.id = p.featured_image
	ORDER BY best.score DESC, p.id DESC`

// Popular returns at most five posts of the last seven days that members like most, the most popular first.
// viewer is Nil for a visitor. As on the board, there are none of members whom the viewer has blocked, or
// who have blocked the viewer.
func (s *Service) Popular(ctx context.Context, viewer uuid.UUID) ([]PostCard, error) {
	rows, _ := s.pool.Query(ctx, popularSQL, pgx.NamedArgs{"viewer": viewer})
	posts, err := collectCards(rows)
	if err != nil {
		return nil, pg.Fault(err)
	}
	return posts, pg.Fault(addAuthors(ctx, s.pool, viewer, pointers(posts)))
}
