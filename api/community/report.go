package community

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/moderation"
	"heartward/api/platform/pg"
)

// ReportPost reports a post that actor sees, with its text as evidence. It returns NotFound for any other,
// and the errors of moderation.ReportContent.
func (s *Service) ReportPost(ctx context.Context, actor, id uuid.UUID, reason moderation.Reason, description string) (moderation.ReportReceipt, error) {
	c := moderation.ReportedContent{ID: id, Place: "post"}
	err := s.pool.QueryRow(ctx, `
		SELECT
			p.author_id,
			p.title,
			p.excerpt || E'\n\n' || p.content
				|| coalesce(E'\n\nTags: ' || nullif(array_to_string(array_remove(p.tags, p.category), ', '), ''), ''),
			p.updated_at,
			p.featured_image
		FROM community_posts p
		WHERE p.id = @id
			AND `+shownPost+`
			AND `+postNotBlocked, pgx.NamedArgs{"viewer": actor, "id": id}).
		Scan(&c.AuthorID, &c.Title, &c.Text, &c.WrittenAt, &c.FileID)
	if errors.Is(err, pgx.ErrNoRows) {
		err = notFound()
	}
	if err != nil {
		return moderation.ReportReceipt{}, pg.Fault(err)
	}
	return s.moderation.ReportContent(ctx, actor, c, reason, description)
}

// ReportComment is ReportPost for a comment.
func (s *Service) ReportComment(ctx context.Context, actor, id uuid.UUID, reason moderation.Reason, description string) (moderation.ReportReceipt, error) {
	c := moderation.ReportedContent{ID: id, Place: "comment"}
	err := s.pool.QueryRow(ctx, `
		SELECT c.author_id, p.title, c.content, c.created_at
		FROM post_comments c
		JOIN community_posts p ON p.id = c.post_id AND `+shownPost+`
		WHERE c.id = @id
			AND `+shownComment+`
			AND `+postNotBlocked, pgx.NamedArgs{"viewer": actor, "id": id}).
		Scan(&c.AuthorID, &c.Title, &c.Text, &c.WrittenAt)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errNoComment()
	}
	if err != nil {
		return moderation.ReportReceipt{}, pg.Fault(err)
	}
	return s.moderation.ReportContent(ctx, actor, c, reason, description)
}
