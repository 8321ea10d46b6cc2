package community

import (
	"context"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Filter selects posts of the board. The zero value selects all.
type Filter struct {
	Category string
	Tag      string
	Search   string // words, as a search engine understands them; the last one may be incomplete
}

// clean returns the filter with its tag in the stored form, or Invalid for a tag that is not allowed.
func (f Filter) clean() (Filter, error) {
	tag, err := cleanTag("query.tag", f.Tag)
	f.Tag = tag
	return f, err
}

// Query returns the filter as parameters of the operation list-posts, without empty ones.
func (f Filter) Query() url.Values {
	query := url.Values{}
	for name, value := range map[string]string{"category": f.Category, "tag": f.Tag, "q": f.Search} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// listName returns the name that binds cursors to the filter's list.
func (f Filter) listName() string {
	return strings.Join([]string{"community", f.Category, f.Tag, f.Search}, "\n")
}

// Board returns a page of the published posts that the filter selects, the newest first, and the cursor of the next page. A
// search does not change the order. Posts of members whom the viewer has blocked, or who have blocked the viewer, are
// omitted. viewer is Nil for a visitor. It returns Invalid for an invalid cursor or tag, and RateLimited above 60 searches
// a minute.
func (s *Service) Board(ctx context.Context, viewer uuid.UUID, filter Filter, page web.Page) ([]PostCard, string, error) {
	filter, err := filter.clean()
	if err != nil {
		return nil, "", err
	}
	list := web.List{Name: filter.listName(), Member: viewer}
	after := web.StartCursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	if filter.Search != "" {
		if err := s.allowSearch(ctx, viewer); err != nil {
			return nil, "", err
		}
	}
	posts, err := selectBoard(ctx, s.pool, viewer, filter, after, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	posts, next := web.Paginate(list, posts, page.Limit, func(c PostCard) web.Cursor { return web.Cursor{At: c.PublishedAt, ID: c.ID} })
	if filter.Search != "" {
		if err := addMatches(ctx, s.pool, filter.Search, posts); err != nil {
			return nil, "", pg.Fault(err)
		}
	}
	return posts, next, pg.Fault(addAuthors(ctx, s.pool, viewer, pointers(posts)))
}

// pointers returns the addresses of the cards.
func pointers(posts []PostCard) []*PostCard {
	cards := make([]*PostCard, len(posts))
	for i := range posts {
		cards[i] = &posts[i]
	}
	return cards
}

func (s *Service) allowSearch(ctx context.Context, viewer uuid.UUID) error {
	if viewer != uuid.Nil {
		return limits.Allow(ctx, s.pool, searchesPerClient, viewer.String())
	}
	return limits.Allow(ctx, s.pool, searchesPerClient.Scaled(s.scale), web.ClientOf(ctx))
}

// Post returns a published post that viewer sees, or one of the viewer's own. viewer is Nil for a
// visitor. It returns NotFound for any other.
func (s *Service) Post(ctx context.Context, viewer, id uuid.UUID) (Post, error) {
	return findPost(ctx, s.pool, viewer, readablePost, pgx.NamedArgs{"id": id})
}

// IsTakenDown reports whether a post was published and rejected afterwards.
func (s *Service) IsTakenDown(ctx context.Context, id uuid.UUID) (isTakenDown bool, err error) {
	err = s.pool.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT
			FROM community_posts
			WHERE id = $1
				AND status = 'rejected'
				AND published_at IS NOT NULL
		)`, id).Scan(&isTakenDown)
	return isTakenDown, pg.Fault(err)
}

// findPost returns the post p for which an SQL condition holds, as viewer sees it, or NotFound. Its Markdown, client id and
// rejection reason are set for the author only.
func findPost(ctx context.Context, db pg.DB, viewer uuid.UUID, condition string, args pgx.NamedArgs) (Post, error) {
	row, err := selectPost(ctx, db, viewer, condition, args)
	if err != nil {
		return Post{}, pg.Fault(err)
	}
	post := Post{PostCard: row.card(), Status: row.Status, IsOwn: row.AuthorID == viewer}
	if post.IsOwn {
		post.Content, post.ClientID = &row.Content, &row.ClientID
		if row.Status == Rejected {
			post.RejectionReason = &row.RejectionReason
		}
	}
	if post.ContentHTML, err = renderHTML(row.Content); err != nil {
		return Post{}, err
	}
	return post, pg.Fault(addAuthors(ctx, db, viewer, []*PostCard{&post.PostCard}))
}

// OwnPosts returns a page of the member's posts in every status, the newest first, and the cursor of the
// next page. It returns Invalid for an invalid cursor.
func (s *Service) OwnPosts(ctx context.Context, member uuid.UUID, page web.Page) ([]OwnPost, string, error) {
	list := web.List{Name: "community-own", Member: member}
	after := web.StartCursor
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	posts, err := selectOwn(ctx, s.pool, member, after, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	posts, next := web.Paginate(list, posts, page.Limit, func(p OwnPost) web.Cursor { return web.Cursor{At: p.CreatedAt, ID: p.ID} })
	cards := make([]*PostCard, len(posts))
	for i := range posts {
		cards[i] = &posts[i].PostCard
		posts[i].CreatedAt, posts[i].UpdatedAt = web.Time(posts[i].CreatedAt), web.Time(posts[i].UpdatedAt)
	}
	return posts, next, pg.Fault(addAuthors(ctx, s.pool, member, cards))
}

// Preview returns the HTML of a post with the given Markdown. It returns Invalid for a content that is empty or not
// allowed.
func Preview(content string) (string, error) {
	content, err := cleanContent(content)
	if err != nil {
		return "", err
	}
	return renderHTML(content)
}
