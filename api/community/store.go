package community

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// notBlockedBy is an SQL condition: neither @viewer nor the member whose id is in the column has blocked
// the other.
func notBlockedBy(column string) string {
	return `NOT EXISTS (SELECT FROM blocked_pairs b WHERE b.member_id = @viewer AND b.peer_id = ` + column + `)`
}

// shownPost is an SQL condition: post p is published and its author active. With notBlockedBy it is
// shown to @viewer. The partial indexes have the same condition.
const shownPost = `p.status = 'published' AND NOT p.author_hidden`

// cardColumns are the columns of PostCard.
const cardColumns = `
		p.id,
		p.title,
		p.excerpt,
		p.category,
		p.is_admin_post,
		p.tags,
		coalesce(p.published_at, p.submitted_at),
		p.author_id,
		p.like_count,
		p.comment_count,
		EXISTS (SELECT FROM post_likes l WHERE l.post_id = p.id AND l.user_id = @viewer),
		p.has_more,
		p.featured_image,
		coalesce(f.placeholder, ''),
		coalesce(f.width, 1),
		coalesce(f.height, 1)`

// scan returns the destinations of cardColumns, and a function that completes the card afterwards.
func (c *PostCard) scan() (targets []any, complete func()) {
	var image *uuid.UUID
	var picture PostPicture
	targets = []any{
		&c.ID, &c.Title, &c.Excerpt, &c.Category, &c.IsAdminPost, &c.Tags, &c.PublishedAt, &c.authorID, &c.LikeCount, &c.CommentCount,
		&c.LikedByMe, &c.HasMore, &image, &picture.Placeholder, &picture.Width, &picture.Height,
	}
	return targets, func() {
		if image != nil {
			picture.ID, picture.URL, picture.ThumbURL = *image, pictureURL(*image, blobs.Full), pictureURL(*image, blobs.Thumb)
			c.FeaturedImage = &picture
		}
	}
}

// boardSQL returns the statement for a page of the board, with conditions for the category and the search
// if there are any.
func boardSQL(byCategory, bySearch bool) string {
	conditions := ""
	if byCategory {
		conditions += `
		AND p.category = @category`
	}
	if bySearch {
		conditions += `
		AND p.search @@ websearch_to_tsquery('english', @search)`
	}
	return `
	SELECT` + cardColumns + `
	FROM community_posts p
	LEFT JOIN stored_files f ON f.id = p.featured_image
	WHERE ` + shownPost + conditions + `
		AND (p.published_at, p.id) < (@at, @id)
		AND ` + notBlockedBy("p.author_id") + `
	ORDER BY p.published_at DESC, p.id DESC
	LIMIT @limit`
}

// selectBoard returns a page of the board without authors. A search is planned for its words, and not
// once for all: by the index of the time for common words, by that of the words for rare ones.
func selectBoard(ctx context.Context, db pg.DB, viewer uuid.UUID, filter Filter, after web.Cursor, limit int) ([]PostCard, error) {
	args := []any{}
	if filter.Search != "" {
		args = append(args, pgx.QueryExecModeCacheDescribe)
	}
	args = append(args, pgx.NamedArgs{
		"viewer": viewer, "category": filter.Category, "search": filter.Search, "at": after.At, "id": after.ID, "limit": limit,
	})
	rows, _ := db.Query(ctx, boardSQL(filter.Category != "", filter.Search != ""), args...)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c PostCard, err error) {
		targets, complete := c.scan()
		err = row.Scan(targets...)
		complete()
		return c, err
	})
}

// storedPost is a post as its row has it.
type storedPost struct {
	PostCard
	content, clientID, status, rejectionReason string
}

func selectPost(ctx context.Context, db pg.DB, viewer uuid.UUID, condition string, args pgx.NamedArgs) (p storedPost, err error) {
	named := pgx.NamedArgs{"viewer": viewer}
	for name, value := range args {
		named[name] = value
	}
	targets, complete := p.scan()
	err = db.QueryRow(ctx, `
		SELECT`+cardColumns+`,
			p.content,
			p.client_id,
			p.status,
			p.rejection_reason
		FROM community_posts p
		LEFT JOIN stored_files f ON f.id = p.featured_image
		WHERE `+condition, named).
		Scan(append(targets, &p.content, &p.clientID, &p.status, &p.rejectionReason)...)
	complete()
	if errors.Is(err, pgx.ErrNoRows) {
		return p, notFound()
	}
	return p, err
}

// readablePost is an SQL condition: @viewer may read post p.
var readablePost = `p.id = @id AND (p.author_id = @viewer OR ` + shownPost + ` AND ` + notBlockedBy("p.author_id") + `)`

// selectOwn returns a page of the member's posts without the author.
func selectOwn(ctx context.Context, db pg.DB, member uuid.UUID, after web.Cursor, limit int) ([]OwnPost, error) {
	rows, _ := db.Query(ctx, `
		SELECT`+cardColumns+`,
			p.client_id,
			p.status,
			p.rejection_reason,
			p.created_at,
			p.updated_at
		FROM community_posts p
		LEFT JOIN stored_files f ON f.id = p.featured_image
		WHERE p.author_id = @viewer
			AND (p.created_at, p.id) < (@at, @id)
		ORDER BY p.created_at DESC, p.id DESC
		LIMIT @limit`, pgx.NamedArgs{"viewer": member, "at": after.At, "id": after.ID, "limit": limit})
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p OwnPost, err error) {
		targets, complete := p.scan()
		err = row.Scan(append(targets, &p.ClientID, &p.Status, &p.RejectionReason, &p.CreatedAt, &p.UpdatedAt)...)
		complete()
		return p, err
	})
}

// subtractHidden subtracts from the comment counts the comments that the viewer does not see because of
// a block.
func subtractHidden(ctx context.Context, db pg.DB, viewer uuid.UUID, cards []*PostCard) error {
	if viewer == uuid.Nil || len(cards) == 0 {
		return nil
	}
	ids, byID := make([]uuid.UUID, len(cards)), make(map[uuid.UUID]*PostCard, len(cards))
	for i, c := range cards {
		ids[i], byID[c.ID] = c.ID, c
	}
	rows, _ := db.Query(ctx, `
		SELECT c.post_id, count(*)::int
		FROM post_comments c
		WHERE c.post_id = ANY (@posts)
			AND c.author_id = ANY (ARRAY(SELECT b.peer_id FROM blocked_pairs b WHERE b.member_id = @viewer))
			AND c.is_counted
		GROUP BY c.post_id`, pgx.NamedArgs{"viewer": viewer, "posts": ids})
	var id uuid.UUID
	var hidden int
	_, err := pgx.ForEachRow(rows, []any{&id, &hidden}, func() error {
		byID[id].CommentCount -= hidden
		return nil
	})
	return err
}

// selectAuthors returns the authors as viewer sees them, by id. viewer is Nil for a visitor, for whom the
// caller shortens the names.
func selectAuthors(ctx context.Context, db pg.DB, viewer uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]PostAuthor, error) {
	cards, err := members.Cards(ctx, db, viewer, ids)
	if err != nil {
		return nil, err
	}
	authors := make(map[uuid.UUID]PostAuthor, len(cards))
	for id, card := range cards {
		authors[id] = PostAuthor{FullName: card.FullName}
	}
	if viewer == uuid.Nil {
		return authors, nil
	}
	rows, _ := db.Query(ctx, `SELECT u.id FROM profiles u WHERE u.id = ANY (@ids) AND `+members.Visible,
		pgx.NamedArgs{"viewer": viewer, "ids": ids})
	visible, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	for _, id := range visible {
		authors[id] = PostAuthor{ID: &id, FullName: cards[id].FullName, ProfileImageURL: cards[id].ProfileImageURL}
	}
	return authors, err
}

// addAuthors completes cards: the authors, the comment counts, and the times as responses contain them.
func addAuthors(ctx context.Context, db pg.DB, viewer uuid.UUID, cards []*PostCard) error {
	ids := make([]uuid.UUID, len(cards))
	for i, c := range cards {
		ids[i] = c.authorID
	}
	authors, err := selectAuthors(ctx, db, viewer, ids)
	if err != nil {
		return err
	}
	for _, c := range cards {
		c.Author, c.PublishedAt = authors[c.authorID], web.Time(c.PublishedAt)
		if viewer == uuid.Nil && !c.IsAdminPost {
			c.Author.FullName = firstWord(c.Author.FullName)
		}
	}
	return subtractHidden(ctx, db, viewer, cards)
}
