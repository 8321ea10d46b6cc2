package community

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// SQL conditions: neither @viewer nor the author of post p, comment c or reply r has blocked the other.
const (
	postNotBlocked    = `NOT EXISTS (SELECT FROM blocked_pairs b WHERE b.member_id = @viewer AND b.peer_id = p.author_id)`
	commentNotBlocked = `NOT EXISTS (SELECT FROM blocked_pairs b WHERE b.member_id = @viewer AND b.peer_id = c.author_id)`
	replyNotBlocked   = `NOT EXISTS (SELECT FROM blocked_pairs b WHERE b.member_id = @viewer AND b.peer_id = r.author_id)`
)

// shownPost is an SQL condition: post p is published and its author active. With postNotBlocked it is
// shown to @viewer. The partial indexes have the same condition.
const shownPost = `p.status = 'published' AND NOT p.author_hidden`

// shownCards is the beginning of a statement for cards of posts that are shown to @viewer.
const shownCards = `
	SELECT` + cardColumns + `
	FROM community_posts p
	LEFT JOIN stored_files f ON f.id = p.featured_image
	WHERE ` + shownPost + `
		AND ` + postNotBlocked

// pageOfCards is the end of a statement for a page of cards after the position (@at, @id).
const pageOfCards = `
		AND (p.published_at, p.id) < (@at, @id)
	ORDER BY p.published_at DESC, p.id DESC
	LIMIT @limit`

// The statements for a page of the board. boardSQL and categorySQL run by pg.QueryGeneric, which plans them once for each
// connection: planning takes three times as long as reading a page.
const (
	boardSQL    = shownCards + pageOfCards
	categorySQL = shownCards + `
		AND p.category = @category` + pageOfCards
	// searchSQL reads the board in the order of time: IS TRUE hides search and tag from their indexes.
	searchSQL = shownCards + `
		AND (@category = '' OR p.category = @category)
		AND (@words = '' OR p.search @@ board_query(@words, @beforeLast, @last)) IS TRUE
		AND (@tag = '' OR p.tags @> ARRAY[@tag::text]) IS TRUE` + pageOfCards
	// foundCardsSQL selects from the posts with the ids of @found.
	foundCardsSQL = shownCards + `
		AND p.id = ANY (@found)
		AND (@category = '' OR p.category = @category)` + pageOfCards
)

// foundSQL selects the ids of at most @most posts that a search and a tag find, of which one may be empty.
const foundSQL = `
	SELECT p.id
	FROM community_posts p
	WHERE ` + shownPost + `
		AND (@words = '' OR p.search @@ board_query(@words, @beforeLast, @last))
		AND (@tag = '' OR p.tags @> ARRAY[@tag::text])
	LIMIT @most`

// maxFound is the number of posts up to which a search or a tag is rare.
const maxFound = 1000

// planned is an option of a query: it is planned for its arguments, and not once for all.
const planned = pgx.QueryExecModeCacheDescribe

// selectBoard returns a page of the board without authors.
//
// PostgreSQL takes each beginning of a word for a common one. It would read the whole board in the order of
// time for the few posts with a rare one. So the posts of a search or a tag are first looked up in its index,
// and only if there are many of them, the board is read in the order of time.
func selectBoard(ctx context.Context, pool *pgxpool.Pool, viewer uuid.UUID, filter Filter, after web.Cursor, limit int) ([]PostCard, error) {
	args := parseQuery(filter.Search).args()
	args["viewer"], args["at"], args["id"], args["limit"] = viewer, after.At, after.ID, limit
	args["category"], args["tag"], args["most"] = filter.Category, filter.Tag, maxFound+1
	switch filter {
	case Filter{}:
		return pg.QueryGeneric(ctx, pool, boardSQL, args, collectCards)
	case Filter{Category: filter.Category}:
		return pg.QueryGeneric(ctx, pool, categorySQL, args, collectCards)
	}
	rows, _ := pool.Query(ctx, foundSQL, planned, args)
	found, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, err
	}
	sql := searchSQL
	if len(found) <= maxFound {
		sql, args["found"] = foundCardsSQL, found
	}
	rows, _ = pool.Query(ctx, sql, planned, args)
	return collectCards(rows)
}

// collectCards returns the cards of rows of cardColumns.
func collectCards(rows pgx.Rows) ([]PostCard, error) { return collect(rows, cardRow.card) }

// collect returns what convert makes of each row.
func collect[R, T any](rows pgx.Rows, convert func(R) T) ([]T, error) {
	return pgx.CollectRows(rows, func(from pgx.CollectableRow) (converted T, err error) {
		row, err := pgx.RowToStructByName[R](from)
		if err != nil {
			return converted, err
		}
		return convert(row), nil
	})
}

func selectPost(ctx context.Context, db pg.DB, viewer uuid.UUID, condition string, args pgx.NamedArgs) (storedPost, error) {
	named := pgx.NamedArgs{"viewer": viewer}
	for name, value := range args {
		named[name] = value
	}
	rows, _ := db.Query(ctx, `
		SELECT`+cardColumns+`,
			p.content,
			p.client_id,
			p.status,
			p.rejection_reason
		FROM community_posts p
		LEFT JOIN stored_files f ON f.id = p.featured_image
		WHERE `+condition, named)
	p, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[storedPost])
	if errors.Is(err, pgx.ErrNoRows) {
		return p, notFound()
	}
	return p, err
}

// readablePost is an SQL condition: @viewer may read post p.
const readablePost = `p.id = @id AND (p.author_id = @viewer OR ` + shownPost + ` AND ` + postNotBlocked + `)`

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
	return collect(rows, ownRow.post)
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
	visible, err := members.VisibleIDs(ctx, db, viewer, ids)
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
