package community

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// maxReplies is the number of replies of a comment in the list of comments.
const maxReplies = 50

// threadStart is the cursor before the first row of a list with the oldest first.
var threadStart = web.Cursor{At: time.Unix(0, 0).UTC(), ID: uuid.Nil}

// Comments returns a page of the comments on a post that viewer sees, the oldest first, each with its first
// maxReplies replies, and the cursor of the next page. A comment that viewer does not see is included without its contents
// if it has replies that viewer sees. viewer is Nil for a visitor. It returns NotFound for a post that
// viewer does not see, and Invalid for an invalid cursor.
func (s *Service) Comments(ctx context.Context, viewer, post uuid.UUID, page web.Page) ([]CommentThread, string, error) {
	list := web.List{Name: "community-comments " + post.String(), Member: viewer}
	after := threadStart
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	if err := checkReadable(ctx, s.pool, viewer, post); err != nil {
		return nil, "", pg.Fault(err)
	}
	top, err := selectComments(ctx, s.pool, viewer, threadCondition, pgx.NamedArgs{"post": post, "at": after.At, "id": after.ID, "limit": page.Limit + 1})
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	top, next := web.Paginate(list, top, page.Limit, func(c PostComment) web.Cursor { return web.Cursor{At: c.CreatedAt, ID: c.ID} })
	threads, err := withReplies(ctx, s.pool, viewer, top)
	return threads, next, pg.Fault(err)
}

// Replies is Comments for the replies to one comment. It returns NotFound for a comment that is not one
// of the post.
func (s *Service) Replies(ctx context.Context, viewer, post, parent uuid.UUID, page web.Page) ([]CommentThread, string, error) {
	list := repliesList(viewer, parent)
	after := threadStart
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	if err := checkReadable(ctx, s.pool, viewer, post); err != nil {
		return nil, "", pg.Fault(err)
	}
	replies, err := selectComments(ctx, s.pool, viewer, repliesCondition,
		pgx.NamedArgs{"post": post, "parent": parent, "at": after.At, "id": after.ID, "limit": page.Limit + 1})
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	replies, next := web.Paginate(list, replies, page.Limit, func(c PostComment) web.Cursor { return web.Cursor{At: c.CreatedAt, ID: c.ID} })
	threads := make([]CommentThread, len(replies))
	comments := make([]*PostComment, len(replies))
	for i, c := range replies {
		threads[i] = CommentThread{PostComment: c, Replies: []PostComment{}}
		comments[i] = &threads[i].PostComment
	}
	return threads, next, pg.Fault(addCommentAuthors(ctx, s.pool, viewer, comments))
}

// repliesList names the list of Replies for its cursors, which Comments makes too.
func repliesList(viewer, parent uuid.UUID) web.List {
	return web.List{Name: "community-replies " + parent.String(), Member: viewer}
}

// checkReadable returns NotFound unless viewer may read the post: a published one that viewer sees, or viewer's own.
func checkReadable(ctx context.Context, db pg.DB, viewer, post uuid.UUID) error {
	var isReadable bool
	err := db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM community_posts p WHERE `+readablePost+`)`,
		pgx.NamedArgs{"viewer": viewer, "id": post}).Scan(&isReadable)
	if err == nil && !isReadable {
		err = notFound()
	}
	return err
}

const (
	// shownComment is an SQL condition: @viewer sees comment c. A comment that waits is shown to its author.
	shownComment = `(c.is_counted AND ` + commentNotBlocked + `
				OR c.status = 'pending' AND c.author_id = @viewer AND c.deleted_at IS NULL)`
	// shownReply is the same for a reply r.
	shownReply = `(r.is_counted AND ` + replyNotBlocked + `
				OR r.status = 'pending' AND r.author_id = @viewer AND r.deleted_at IS NULL)`

	threadCondition = `c.post_id = @post
			AND c.parent_id IS NULL
			AND (c.created_at, c.id) > (@at, @id)
			AND (` + shownComment + ` OR EXISTS (SELECT FROM post_comments r WHERE r.parent_id = c.id AND ` + shownReply + `))
		ORDER BY c.created_at, c.id
		LIMIT @limit`

	repliesCondition = `c.post_id = @post
			AND c.parent_id = @parent
			AND (c.created_at, c.id) > (@at, @id)
			AND ` + shownComment + `
		ORDER BY c.created_at, c.id
		LIMIT @limit`

	// someRepliesCondition selects the first replies of several comments.
	someRepliesCondition = `c.id IN (
			SELECT first.id
			FROM unnest(@parents::uuid[]) AS parent (id)
			CROSS JOIN LATERAL (
				SELECT r.id
				FROM post_comments r
				WHERE r.parent_id = parent.id
					AND ` + shownReply + `
				ORDER BY r.created_at, r.id
				LIMIT @limit
			) first
		)
		ORDER BY c.created_at, c.id`
)

// selectComments returns the comments for which a condition holds, without their authors. Those that
// viewer does not see have no contents.
func selectComments(ctx context.Context, db pg.DB, viewer uuid.UUID, condition string, args pgx.NamedArgs) ([]PostComment, error) {
	args["viewer"] = viewer
	rows, _ := db.Query(ctx, `
		SELECT
			c.id,
			c.post_id,
			c.parent_id,
			c.author_id,
			CASE WHEN c.author_id = @viewer THEN c.client_id::text END AS client_id,
			c.content,
			c.created_at,
			c.edited_at,
			c.status,
			NOT `+shownComment+` AS is_deleted
		FROM post_comments c
		WHERE `+condition, args)
	return collect(rows, func(r commentRow) PostComment { return r.comment(viewer) })
}

// withReplies returns comments with their first maxReplies replies and the authors. A comment with more replies gets the
// cursor of Replies.
func withReplies(ctx context.Context, db pg.DB, viewer uuid.UUID, top []PostComment) ([]CommentThread, error) {
	threads, byID, ids := make([]CommentThread, len(top)), make(map[uuid.UUID]*CommentThread, len(top)), make([]uuid.UUID, len(top))
	for i, c := range top {
		threads[i] = CommentThread{PostComment: c, Replies: []PostComment{}}
		ids[i], byID[c.ID] = c.ID, &threads[i]
	}
	replies, err := selectComments(ctx, db, viewer, someRepliesCondition, pgx.NamedArgs{"parents": ids, "limit": maxReplies + 1})
	if err != nil {
		return nil, err
	}
	for _, r := range replies {
		t := byID[*r.ParentID]
		if len(t.Replies) == maxReplies {
			last := t.Replies[maxReplies-1]
			t.RepliesCursor = web.EncodeCursor(repliesList(viewer, t.ID), web.Cursor{At: last.CreatedAt, ID: last.ID})
			continue
		}
		t.Replies = append(t.Replies, r)
	}
	var all []*PostComment
	for i := range threads {
		all = append(all, &threads[i].PostComment)
		for j := range threads[i].Replies {
			all = append(all, &threads[i].Replies[j])
		}
	}
	return threads, addCommentAuthors(ctx, db, viewer, all)
}

// addCommentAuthors completes comments: the authors, and the times as responses contain them.
func addCommentAuthors(ctx context.Context, db pg.DB, viewer uuid.UUID, comments []*PostComment) error {
	var ids []uuid.UUID
	for _, c := range comments {
		if c.authorID != nil {
			ids = append(ids, *c.authorID)
		}
	}
	authors, err := selectAuthors(ctx, db, viewer, ids)
	if err != nil {
		return err
	}
	for _, c := range comments {
		c.CreatedAt = web.Time(c.CreatedAt)
		if c.EditedAt != nil {
			c.EditedAt = new(web.Time(*c.EditedAt))
		}
		if c.IsFormerMember {
			c.Author = &PostAuthor{FullName: members.FormerMember(uuid.Nil).FullName}
		}
		if c.authorID == nil {
			continue
		}
		author := authors[*c.authorID]
		if viewer == uuid.Nil {
			author.FullName = firstWord(author.FullName)
		}
		c.Author = &author
	}
	return nil
}
