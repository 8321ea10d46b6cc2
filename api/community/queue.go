package community

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// reviewColumns are the columns of ReviewPost.
const reviewColumns = `
		p.id,
		p.title,
		p.excerpt,
		p.content,
		p.category,
		p.is_admin_post,
		p.tags,
		p.status,
		p.rejection_reason,
		p.version,
		p.flag,
		p.author_id,
		p.submitted_at,
		p.published_at,
		p.decided_at,
		p.featured_image,
		coalesce(f.placeholder, ''),
		coalesce(f.width, 1),
		coalesce(f.height, 1)`

// pendingSQL takes the time and id of the last entry, the moderator and the limit.
const pendingSQL = `
	SELECT` + reviewColumns + `
	FROM community_posts p
	LEFT JOIN stored_files f ON f.id = p.featured_image
	WHERE p.status = 'pending'
		AND (p.submitted_at, p.id) > ($1, $2)
		AND p.author_id <> $3
	ORDER BY p.submitted_at, p.id
	LIMIT $4`

// decidedSQL takes the time and id of the last entry, the moderator, the limit and the status.
const decidedSQL = `
	SELECT` + reviewColumns + `
	FROM community_posts p
	LEFT JOIN stored_files f ON f.id = p.featured_image
	WHERE p.status = $5
		AND p.status <> 'pending'
		AND (p.decided_at, p.id) < ($1, $2)
		AND p.author_id <> $3
	ORDER BY p.decided_at DESC, p.id DESC
	LIMIT $4`

// ReviewPosts returns a page of the posts with a status, and the cursor of the next page: pending ones with
// the longest wait first, others with the newest decision first. It omits the moderator's own. It returns
// Invalid for an invalid cursor.
func (s *Service) ReviewPosts(ctx context.Context, moderator uuid.UUID, status string, page web.Page) ([]ReviewPost, string, error) {
	list := web.List{Name: "community-review-" + status, Member: moderator}
	after, sql, args := threadStart, pendingSQL, []any{}
	key := func(p ReviewPost) web.Cursor { return web.Cursor{At: p.SubmittedAt, ID: p.ID} }
	if status != Pending {
		after, sql, args = web.StartCursor, decidedSQL, []any{status}
		key = func(p ReviewPost) web.Cursor { return web.Cursor{At: *p.DecidedAt, ID: p.ID} }
	}
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	rows, _ := s.pool.Query(ctx, sql, append([]any{after.At, after.ID, moderator, page.Limit + 1}, args...)...)
	posts, err := pgx.CollectRows(rows, scanReviewPost)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	posts, next := web.Paginate(list, posts, page.Limit, key)
	return posts, next, pg.Fault(completeReview(ctx, s.pool, posts))
}

// ReviewPost returns a post as moderators see it. It returns NotFound for an unknown one and for the moderator's own.
func (s *Service) ReviewPost(ctx context.Context, moderator, id uuid.UUID) (ReviewPost, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT`+reviewColumns+`
		FROM community_posts p
		LEFT JOIN stored_files f ON f.id = p.featured_image
		WHERE p.id = $1
			AND p.author_id <> $2`, id, moderator)
	posts, err := pgx.CollectRows(rows, scanReviewPost)
	switch {
	case err != nil:
		return ReviewPost{}, pg.Fault(err)
	case len(posts) == 0:
		return ReviewPost{}, notFound()
	}
	err = completeReview(ctx, s.pool, posts)
	return posts[0], pg.Fault(err)
}

// scanReviewPost reads a row of reviewColumns. ContentHTML is Markdown afterwards.
func scanReviewPost(row pgx.CollectableRow) (p ReviewPost, err error) {
	var image *uuid.UUID
	var picture PostPicture
	err = row.Scan(&p.ID, &p.Title, &p.Excerpt, &p.ContentHTML, &p.Category, &p.IsAdminPost, &p.Tags, &p.Status, &p.RejectionReason, &p.Version,
		&p.Flag, &p.Author.ID, &p.SubmittedAt, &p.PublishedAt, &p.DecidedAt, &image, &picture.Placeholder, &picture.Width, &picture.Height)
	if image != nil {
		picture.ID, picture.URL, picture.ThumbURL = *image, pictureURL(*image, blobs.Full), pictureURL(*image, blobs.Thumb)
		p.FeaturedImage = &picture
	}
	return p, err
}

// completeReview adds the authors, the HTML, and the times as responses contain them.
func completeReview(ctx context.Context, db pg.DB, posts []ReviewPost) error {
	ids := make([]uuid.UUID, len(posts))
	for i, p := range posts {
		ids[i] = p.Author.ID
	}
	cards, err := members.QueueCards(ctx, db, ids)
	if err != nil {
		return err
	}
	for i := range posts {
		p := &posts[i]
		if p.ContentHTML, err = renderHTML(p.ContentHTML); err != nil {
			return err
		}
		p.Author, p.SubmittedAt = cards[p.Author.ID], web.Time(p.SubmittedAt)
		if p.PublishedAt != nil {
			p.PublishedAt = new(web.Time(*p.PublishedAt))
		}
		if p.DecidedAt != nil {
			p.DecidedAt = new(web.Time(*p.DecidedAt))
		}
	}
	return nil
}

// commentFilters are the conditions of the lists of comments, which partial indexes have too.
var commentFilters = map[string]string{
	"all":     `c.deleted_at IS NULL`,
	"pending": `c.deleted_at IS NULL AND c.status = 'pending'`,
	"hidden":  `c.deleted_at IS NULL AND c.status = 'hidden'`,
}

// reviewCommentsSQL takes the time and id of the last entry and the limit.
func reviewCommentsSQL(filter string) string {
	return `
	SELECT c.id, c.post_id, p.title, c.parent_id, c.content, c.status, c.version, c.flag, c.author_id, c.created_at, c.decided_at
	FROM post_comments c
	JOIN community_posts p ON p.id = c.post_id
	WHERE ` + commentFilters[filter] + `
		AND (c.created_at, c.id) < ($1, $2)
	ORDER BY c.created_at DESC, c.id DESC
	LIMIT $3`
}

// ReviewComments returns a page of the comments of a filter (all, pending or hidden), the newest first, and
// the cursor of the next page. pending are those which the message filter noticed and which wait. It returns Invalid for an invalid cursor.
func (s *Service) ReviewComments(ctx context.Context, moderator uuid.UUID, filter string, page web.Page) ([]ReviewComment, string, error) {
	list := web.List{Name: "community-review-comments-" + filter, Member: moderator}
	after := web.StartCursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	rows, _ := s.pool.Query(ctx, reviewCommentsSQL(filter), after.At, after.ID, page.Limit+1)
	comments, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c ReviewComment, err error) {
		err = row.Scan(&c.ID, &c.PostID, &c.PostTitle, &c.ParentID, &c.Content, &c.Status, &c.Version, &c.Flag, &c.authorID, &c.CreatedAt, &c.DecidedAt)
		return c, err
	})
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	comments, next := web.Paginate(list, comments, page.Limit, func(c ReviewComment) web.Cursor { return web.Cursor{At: c.CreatedAt, ID: c.ID} })
	ids := make([]uuid.UUID, len(comments))
	for i, c := range comments {
		ids[i] = c.authorID
	}
	cards, err := members.QueueCards(ctx, s.pool, ids)
	for i := range comments {
		c := &comments[i]
		if card, ok := cards[c.authorID]; ok {
			c.Author = &card
		}
		if c.CreatedAt = web.Time(c.CreatedAt); c.DecidedAt != nil {
			c.DecidedAt = new(web.Time(*c.DecidedAt))
		}
	}
	return comments, next, pg.Fault(err)
}
