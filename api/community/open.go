package community

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/moderation"
	"heartward/api/platform/pg"
	"heartward/api/queue"
)

// OpenPost returns a post with its contents for a moderator, who can then read its picture for a day, and records the
// access with its reason in the audit log.
//
// Errors: NotFound for an unknown post and for the moderator's own; Conflict with the code claimed while another moderator
// has a pending post open; Invalid without a reason.
func (s *Service) OpenPost(ctx context.Context, moderator, id uuid.UUID, reason string) (OpenedPost, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (OpenedPost, error) {
		p, err := selectOpenedPost(ctx, tx, moderator, id)
		if err != nil {
			return p, err
		}
		if p.Status == Pending {
			if err := queue.Open(ctx, tx, moderator, queue.Post, id); err != nil {
				return p, err
			}
		}
		author := p.Author.ID
		list := []QueuedPost{p.QueuedPost}
		if err := completePosts(ctx, tx, moderator, list); err != nil {
			return p, err
		}
		p.QueuedPost = list[0]
		p.Opened = true
		if p.ContentHTML, err = renderHTML(p.ContentHTML); err != nil {
			return p, err
		}
		detail := map[string]any{"post": id, "version": p.Version}
		return p, moderation.Audit(ctx, tx, moderator, openPost, author, reason, detail)
	})
}

// selectOpenedPost returns a post whose ContentHTML is Markdown, or NotFound like OpenPost.
func selectOpenedPost(ctx context.Context, tx pgx.Tx, moderator, id uuid.UUID) (OpenedPost, error) {
	rows, _ := tx.Query(ctx, `
		SELECT`+queuedColumns+`,
			p.title,
			p.excerpt,
			p.content,
			p.tags,
			p.rejection_reason,`+pictureColumns+`
		FROM community_posts p
		LEFT JOIN stored_files f ON f.id = p.featured_image
		WHERE p.id = $1
			AND p.author_id <> $2`, id, moderator)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[openedRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return OpenedPost{}, notFound()
	}
	return OpenedPost{
		QueuedPost: r.post(), Title: r.Title, Excerpt: r.Excerpt, ContentHTML: r.Content, Tags: r.Tags,
		FeaturedImage: r.picture(), RejectionReason: r.RejectionReason,
	}, err
}

// selectOpenedComment returns NotFound like OpenComment.
func selectOpenedComment(ctx context.Context, tx pgx.Tx, id uuid.UUID) (OpenedComment, error) {
	rows, _ := tx.Query(ctx, `
		SELECT`+queuedCommentColumns+`,
			c.post_id,
			p.title AS post_title,
			c.parent_id,
			c.content
		FROM post_comments c
		JOIN community_posts p ON p.id = c.post_id
		WHERE c.id = $1
			AND c.deleted_at IS NULL`, id)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[openedCommentRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return OpenedComment{}, errNoComment()
	}
	return OpenedComment{QueuedComment: r.comment(), PostID: r.PostID, PostTitle: r.PostTitle, ParentID: r.ParentID, Content: r.Content}, err
}

// OpenComment is OpenPost for a comment that is not deleted. Moderators may open their own, but do not claim it, because
// another moderator decides.
func (s *Service) OpenComment(ctx context.Context, moderator, id uuid.UUID, reason string) (OpenedComment, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (OpenedComment, error) {
		c, err := selectOpenedComment(ctx, tx, id)
		if err != nil {
			return c, err
		}
		if c.Status == Pending && c.authorID != moderator {
			if err := queue.Open(ctx, tx, moderator, queue.Comment, id); err != nil {
				return c, err
			}
		}
		list := []QueuedComment{c.QueuedComment}
		if err := completeComments(ctx, tx, moderator, list); err != nil {
			return c, err
		}
		c.QueuedComment = list[0]
		c.Opened = true
		detail := map[string]any{"post": c.PostID, "comment": id, "version": c.Version}
		return c, moderation.Audit(ctx, tx, moderator, openComment, c.authorID, reason, detail)
	})
}

// hasOpenedPicture reports whether the moderator has opened the post of a picture within the last day.
func (s *Service) hasOpenedPicture(ctx context.Context, moderator, picture uuid.UUID) (bool, error) {
	rows, _ := s.pool.Query(ctx, `SELECT id FROM community_posts WHERE featured_image = $1`, picture)
	posts, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil || len(posts) == 0 {
		return false, pg.Fault(err)
	}
	opened, err := moderation.OpenedLately(ctx, s.pool, moderator, openPost, "post")
	return opened[posts[0]], err
}
