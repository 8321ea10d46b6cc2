package community

import (
	"context"

	"heartward/api/platform/archive"
)

const exportPosts = `
SELECT to_json(r)
FROM (
	SELECT
		p.id,
		p.client_id,
		p.title,
		p.excerpt,
		p.content,
		p.category,
		p.is_admin_post,
		p.tags,
		p.featured_image,
		p.status,
		p.rejection_reason,
		p.version,
		p.like_count,
		p.comment_count,
		p.created_at,
		p.updated_at,
		p.submitted_at,
		p.published_at,
		p.decided_at
	FROM community_posts p
	WHERE p.author_id = @viewer
	ORDER BY p.created_at
) r`

const exportLikes = `
SELECT to_json(r)
FROM (
	SELECT l.post_id, l.created_at
	FROM post_likes l
	WHERE l.user_id = @viewer
	ORDER BY l.created_at
) r`

const exportComments = `
SELECT to_json(r)
FROM (
	SELECT
		c.id,
		c.client_id,
		c.post_id,
		c.parent_id,
		c.content,
		c.status,
		c.created_at,
		c.edited_at,
		c.deleted_at
	FROM post_comments c
	WHERE c.author_id = @viewer
	ORDER BY c.created_at
) r`

// Export writes the member's posts, likes and comments. What others wrote is not in it.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteRows(ctx, "community/posts.json", exportPosts); err != nil {
		return err
	}
	if err := w.WriteRows(ctx, "community/likes.json", exportLikes); err != nil {
		return err
	}
	return w.WriteRows(ctx, "community/comments.json", exportComments)
}
