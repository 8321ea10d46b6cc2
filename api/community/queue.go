package community

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// The actions in the audit log for a post and a comment that a moderator opens.
const (
	openPost    = "community_post.open"
	openComment = "community_comment.open"
)

// pendingSQL selects pending posts, the longest wait first. Its arguments are the time and id of the last entry, the
// moderator and the limit.
const pendingSQL = `
	SELECT` + queuedColumns + `
	FROM community_posts p
	WHERE p.status = 'pending'
		AND (p.submitted_at, p.id) > ($1, $2)
		AND p.author_id <> $3
	ORDER BY p.submitted_at, p.id
	LIMIT $4`

// decidedSQL selects decided posts, the newest decision first. Its arguments are those of pendingSQL and the status.
const decidedSQL = `
	SELECT` + queuedColumns + `
	FROM community_posts p
	WHERE p.status = $5
		AND p.status <> 'pending'
		AND (p.decided_at, p.id) < ($1, $2)
		AND p.author_id <> $3
	ORDER BY p.decided_at DESC, p.id DESC
	LIMIT $4`

// ReviewPosts returns a page of the posts with a status, and the cursor of the next page: pending ones with
// the longest wait first, others with the newest decision first. It omits the moderator's own. It returns
// Invalid for an invalid cursor.
func (s *Service) ReviewPosts(ctx context.Context, moderator uuid.UUID, status string, page web.Page) ([]QueuedPost, string, error) {
	list := web.List{Name: "community-review-" + status, Member: moderator}
	after, sql, args := threadStart, pendingSQL, []any{}
	key := func(p QueuedPost) web.Cursor { return web.Cursor{At: p.SubmittedAt, ID: p.ID} }
	if status != Pending {
		after, sql, args = web.StartCursor, decidedSQL, []any{status}
		key = func(p QueuedPost) web.Cursor { return web.Cursor{At: *p.DecidedAt, ID: p.ID} }
	}
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	rows, _ := s.pool.Query(ctx, sql, append([]any{after.At, after.ID, moderator, page.Limit + 1}, args...)...)
	posts, err := collect(rows, queuedRow.post)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	posts, next := web.Paginate(list, posts, page.Limit, key)
	return posts, next, pg.Fault(completePosts(ctx, s.pool, moderator, posts))
}

// completePosts adds the authors, and whether the moderator has opened each post within the last day. It rounds the times
// to the precision of the API.
func completePosts(ctx context.Context, db pg.DB, moderator uuid.UUID, posts []QueuedPost) error {
	ids := make([]uuid.UUID, len(posts))
	for i, p := range posts {
		ids[i] = p.Author.ID
	}
	cards, err := members.QueueCards(ctx, db, ids)
	if err != nil {
		return err
	}
	opened, err := moderation.OpenedLately(ctx, db, moderator, openPost, "post")
	for i := range posts {
		p := &posts[i]
		p.Author, p.Opened, p.SubmittedAt = cards[p.Author.ID], opened[p.ID], web.Time(p.SubmittedAt)
		p.PublishedAt, p.DecidedAt = timeOf(p.PublishedAt), timeOf(p.DecidedAt)
	}
	return err
}

// timeOf is web.Time for a time that may be nil.
func timeOf(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(web.Time(*t))
}

// reviewCommentsSQL has the statement for the comments of each filter, the newest first. Its arguments are the time and id of
// the last entry and the limit. There is a partial index for each filter.
var reviewCommentsSQL = map[string]string{
	"all": queuedComments + queuedCommentsPage,
	"pending": queuedComments + `
		AND c.status = 'pending'` + queuedCommentsPage,
	"hidden": queuedComments + `
		AND c.status = 'hidden'` + queuedCommentsPage,
}

// The beginning and the end of the statements of reviewCommentsSQL.
const (
	queuedComments = `
	SELECT` + queuedCommentColumns + `
	FROM post_comments c
	WHERE c.deleted_at IS NULL`
	queuedCommentsPage = `
		AND (c.created_at, c.id) < ($1, $2)
	ORDER BY c.created_at DESC, c.id DESC
	LIMIT $3`
)

// ReviewComments returns a page of the comments of a filter (all, pending or hidden), the newest first, and
// the cursor of the next page. pending selects those that the message filter flagged and that wait for a decision. It
// returns Invalid for an invalid cursor.
func (s *Service) ReviewComments(ctx context.Context, moderator uuid.UUID, filter string, page web.Page) ([]QueuedComment, string, error) {
	list := web.List{Name: "community-review-comments-" + filter, Member: moderator}
	after := web.StartCursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	rows, _ := s.pool.Query(ctx, reviewCommentsSQL[filter], after.At, after.ID, page.Limit+1)
	comments, err := collect(rows, queuedCommentRow.comment)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	comments, next := web.Paginate(list, comments, page.Limit, func(c QueuedComment) web.Cursor { return web.Cursor{At: c.CreatedAt, ID: c.ID} })
	return comments, next, pg.Fault(completeComments(ctx, s.pool, moderator, comments))
}

// completeComments is completePosts for comments.
func completeComments(ctx context.Context, db pg.DB, moderator uuid.UUID, comments []QueuedComment) error {
	ids := make([]uuid.UUID, len(comments))
	for i, c := range comments {
		ids[i] = c.authorID
	}
	cards, err := members.QueueCards(ctx, db, ids)
	if err != nil {
		return err
	}
	opened, err := moderation.OpenedLately(ctx, db, moderator, openComment, "comment")
	for i := range comments {
		c := &comments[i]
		if card, ok := cards[c.authorID]; ok {
			c.Author = &card
		}
		c.Opened, c.CreatedAt, c.DecidedAt = opened[c.ID], web.Time(c.CreatedAt), timeOf(c.DecidedAt)
	}
	return err
}
