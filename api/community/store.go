package community

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
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

// boardSQL returns the statement for a page of the board, with conditions for what the filter has. It reads
// the posts in the order of time: IS TRUE hides search and tag from their indexes.
//
// The first page has no condition for its cursor, and the limit is written out. With parameters for both PostgreSQL
// finds that a plan for all their values costs more than one for the given values, and plans the statement for each
// page anew, which takes three times as long as reading it.
func boardSQL(filter Filter, after web.Cursor, limit int) string {
	conditions := ""
	if after != web.StartCursor {
		conditions += `
		AND (p.published_at, p.id) < (@at, @id)`
	}
	if filter.Category != "" {
		conditions += `
		AND p.category = @category`
	}
	for _, condition := range filter.lookups() {
		conditions += `
		AND (` + condition + `) IS TRUE`
	}
	return `
	SELECT` + cardColumns + `
	FROM community_posts p
	LEFT JOIN stored_files f ON f.id = p.featured_image
	WHERE ` + shownPost + conditions + `
		AND ` + notBlockedBy("p.author_id") + `
	ORDER BY p.published_at DESC, p.id DESC
	LIMIT ` + strconv.Itoa(limit)
}

// lookups returns the SQL conditions of the filter that an index of words or tags can look up.
func (f Filter) lookups() (conditions []string) {
	if f.Search != "" {
		conditions = append(conditions, `p.search @@ board_query(@words, @beforeLast, @last)`)
	}
	if f.Tag != "" {
		conditions = append(conditions, `p.tags @> ARRAY[@tag::text]`)
	}
	return conditions
}

// maxFound is the number of posts up to which a search or a tag is rare.
const maxFound = 1000

// foundSQL returns the statement for the ids of the posts that a filter's search and tag find, at most @most.
func foundSQL(filter Filter) string {
	return `
	SELECT p.id
	FROM community_posts p
	WHERE ` + shownPost + `
		AND ` + strings.Join(filter.lookups(), `
		AND `) + `
	LIMIT @most`
}

// selectBoard returns a page of the board without authors.
//
// PostgreSQL takes each beginning of a word for a common one. It would read the whole board in the order of
// time for the few posts with a rare one. So the posts of a search or a tag are first looked up in its index,
// and only if there are many of them, the board is read in the order of time.
func selectBoard(ctx context.Context, db pg.DB, viewer uuid.UUID, filter Filter, after web.Cursor, limit int) ([]PostCard, error) {
	args := parseQuery(filter.Search).args()
	args["viewer"], args["category"], args["at"], args["id"], args["limit"] = viewer, filter.Category, after.At, after.ID, limit
	if len(filter.lookups()) == 0 {
		return queryCards(ctx, db, boardSQL(filter, after, limit), args)
	}
	args["tag"], args["most"] = filter.Tag, maxFound+1
	rows, _ := db.Query(ctx, foundSQL(filter), planned, args)
	found, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, err
	}
	if len(found) > maxFound {
		return queryCards(ctx, db, boardSQL(filter, after, limit), planned, args)
	}
	args["found"] = found
	return queryCards(ctx, db, listSQL, planned, args)
}

// planned is an option of a query: it is planned for its arguments, and not once for all.
const planned = pgx.QueryExecModeCacheDescribe

// listSQL is the statement for a page of the posts with the ids of @found.
var listSQL = `
	SELECT` + cardColumns + `
	FROM community_posts p
	LEFT JOIN stored_files f ON f.id = p.featured_image
	WHERE p.id = ANY (@found)
		AND ` + shownPost + `
		AND (@category = '' OR p.category = @category)
		AND (p.published_at, p.id) < (@at, @id)
		AND ` + notBlockedBy("p.author_id") + `
	ORDER BY p.published_at DESC, p.id DESC
	LIMIT @limit`

func queryCards(ctx context.Context, db pg.DB, sql string, args ...any) ([]PostCard, error) {
	rows, _ := db.Query(ctx, sql, args...)
	return collect(rows, cardRow.card)
}

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
