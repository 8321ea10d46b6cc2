package community

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/moderation"
	"heartward/api/platform/blobs"
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
func selectOpenedPost(ctx context.Context, tx pgx.Tx, moderator, id uuid.UUID) (p OpenedPost, err error) {
	var image *uuid.UUID
	var picture PostPicture
	err = tx.QueryRow(ctx, `
		SELECT`+queuedColumns+`,
			p.title,
			p.excerpt,
			p.content,
			p.tags,
			p.rejection_reason,
			p.featured_image,
			coalesce(f.placeholder, ''),
			coalesce(f.width, 1),
			coalesce(f.height, 1)
		FROM community_posts p
		LEFT JOIN stored_files f ON f.id = p.featured_image
		WHERE p.id = $1
			AND p.author_id <> $2`, id, moderator).
		Scan(append(p.targets(), &p.Title, &p.Excerpt, &p.ContentHTML, &p.Tags, &p.RejectionReason,
			&image, &picture.Placeholder, &picture.Width, &picture.Height)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, notFound()
	}
	if image != nil {
		picture.ID, picture.URL, picture.ThumbURL = *image, pictureURL(*image, blobs.Full), pictureURL(*image, blobs.Thumb)
		p.FeaturedImage = &picture
	}
	return p, err
}

// OpenComment is OpenPost for a comment that is not deleted. Moderators may open their own, but do not claim it, because
// another moderator decides.
func (s *Service) OpenComment(ctx context.Context, moderator, id uuid.UUID, reason string) (OpenedComment, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (c OpenedComment, err error) {
		err = tx.QueryRow(ctx, `
			SELECT `+queuedCommentColumns+`, c.post_id, p.title, c.parent_id, c.content
			FROM post_comments c
			JOIN community_posts p ON p.id = c.post_id
			WHERE c.id = $1
				AND c.deleted_at IS NULL`, id).Scan(append(c.targets(), &c.PostID, &c.PostTitle, &c.ParentID, &c.Content)...)
		if errors.Is(err, pgx.ErrNoRows) {
			return c, errNoComment()
		}
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
