package api

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"log/slog"
	"net/url"
	"slices"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"

	"heartward/api/community"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

var (
	//go:embed pages/community.html
	communityHTML string
	//go:embed pages/post.html
	postHTML string
	//go:embed pages/rules.html
	rulesHTML string

	communityPage = template.Must(template.New("community").Parse(communityHTML))
	postPage      = template.Must(template.New("post").Parse(postHTML))
	rulesPage     = template.Must(template.New("rules").Parse(rulesHTML))
)

// The addresses of the community in the app.
const (
	communityPath      = "/community"
	communityRulesPath = "/community/rules"
)

// boardEntries is the number of posts of a server-rendered page, pageComments that of comments.
const (
	boardEntries = 20
	pageComments = 50
)

// communityPages serves the board, its posts and the rules like mountLegacyWall: with their text in the
// document, as a visitor sees them.
type communityPages struct {
	board  *community.Service
	static *Static
	site   *url.URL
	rules  RulesTexts
}

// RulesTexts are the rules of the community, which the app shows too.
type RulesTexts struct {
	Description string
	Intro       string
	Rules       []struct{ Title, Text string }
	NotAllowed  struct {
		Title string
		Items []string
	}
	Issue struct{ Title, Text string } // how to report an issue
}

// mountCommunity serves the pages of the community board. Only ids are posts: the app has other screens below
// the same path.
func mountCommunity(app *fiber.App, deps Deps) {
	p := communityPages{deps.Community, deps.App, deps.PublicURL, *deps.RulesTexts}
	app.Get(communityPath, p.serveBoard)
	app.Get(communityRulesPath, p.serveRules)
	app.Get(communityPath+"/:id<guid>", p.servePost)
}

func (p communityPages) address(path string) string { return p.site.JoinPath(path).String() }

// serveWithout serves the app without the text, when the text cannot be read.
func (p communityPages) serveWithout(c fiber.Ctx, err error) error {
	slog.WarnContext(c.Context(), "a page of the community is served without its text", "error", err)
	return p.static.serve(c)
}

func (p communityPages) serveBoard(c fiber.Ctx) error {
	filter, cursor := community.Filter{Category: c.Query("category"), Tag: c.Query("tag")}, c.Query("cursor")
	if filter.Category != "" && !slices.Contains(community.Categories, filter.Category) {
		return c.Redirect().To(communityPath)
	}
	text, err := renderBoard(c.Context(), p.board, filter, cursor)
	if fault.Is(err, fault.Invalid) {
		return c.Redirect().To(communityPath)
	}
	if err != nil {
		return p.serveWithout(c, err)
	}
	return p.static.servePage(c, page{
		title:       "Community Bulletin Board · Heartward",
		description: "Stories, advice and experience from people who date with intention.",
		address:     p.boardAddress(filter),
		body:        text,
		isUnlisted:  cursor != "", // its posts move to another page with each new post
	})
}

// boardAddress returns the address of the first page of a list, which the app shows as well.
func (p communityPages) boardAddress(filter community.Filter) string {
	if query := filter.Query(); len(query) > 0 {
		return p.address(communityPath) + "?" + query.Encode()
	}
	return p.address(communityPath)
}

// renderBoard returns the HTML of a page of the board as a visitor sees it.
func renderBoard(ctx context.Context, board *community.Service, filter community.Filter, cursor string) (string, error) {
	posts, next, err := board.Board(ctx, uuid.Nil, filter, web.Page{Limit: boardEntries, Cursor: cursor})
	if err != nil {
		return "", err
	}
	content := struct {
		Posts []community.PostCard
		Tag   string
		Next  string
	}{Posts: posts, Tag: filter.Tag}
	if next != "" {
		query := filter.Query()
		query.Set("cursor", next)
		content.Next = communityPath + "?" + query.Encode()
	}
	var text bytes.Buffer
	err = communityPage.Execute(&text, content)
	return text.String(), err
}

func (p communityPages) serveRules(c fiber.Ctx) error {
	var text bytes.Buffer
	if err := rulesPage.Execute(&text, p.rules); err != nil {
		return p.serveWithout(c, err)
	}
	return p.static.servePage(c, page{
		title:       "Respect the Vibe · Heartward",
		description: p.rules.Description,
		address:     p.address(communityRulesPath),
		body:        text.String(),
	})
}

// servePost serves a post. One that a visitor does not see may be the reader's own, so that the app decides;
// search engines get status 404, or 410 to forget a post that was taken down.
func (p communityPages) servePost(c fiber.Ctx) error {
	id, err := uuid.Parse(c.Params("id"))
	if err != nil {
		return p.static.serve(c)
	}
	post, err := p.board.Post(c.Context(), uuid.Nil, id)
	if fault.Is(err, fault.NotFound) {
		return p.serveMissing(c, id)
	}
	if err != nil {
		return p.serveWithout(c, err)
	}
	text, err := renderPost(c.Context(), p.board, post)
	if err != nil {
		return p.serveWithout(c, err)
	}
	address := p.address(communityPath + "/" + id.String())
	rendered := page{title: post.Title + " · Heartward", description: post.Excerpt, address: address, body: text, kind: "article"}
	if post.FeaturedImage != nil {
		rendered.image = p.address(post.FeaturedImage.URL)
	}
	if rendered.data, err = structuredData(post, address, rendered.image); err != nil {
		return p.serveWithout(c, err)
	}
	return p.static.servePage(c, rendered)
}

func (p communityPages) serveMissing(c fiber.Ctx, id uuid.UUID) error {
	isTakenDown, err := p.board.IsTakenDown(c.Context(), id)
	if err != nil {
		return p.serveWithout(c, err)
	}
	c.Status(fiber.StatusNotFound)
	if isTakenDown {
		c.Status(fiber.StatusGone)
	}
	return p.static.serveIndex(c)
}

// renderPost returns the HTML of a post with its first comments as a visitor sees them.
func renderPost(ctx context.Context, board *community.Service, post community.Post) (string, error) {
	comments, _, err := board.Comments(ctx, uuid.Nil, post.ID, web.Page{Limit: pageComments})
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	err = postPage.Execute(&text, struct {
		community.Post
		Content  template.HTML
		Comments []community.CommentThread
	}{post, template.HTML(post.ContentHTML), comments}) //nolint:gosec // sanitised by package community
	return text.String(), err
}

// structuredData returns the JSON-LD of a post. The encoder escapes <, > and &.
func structuredData(post community.Post, address, image string) (string, error) {
	author := map[string]string{"@type": "Person", "name": post.Author.FullName}
	if post.IsAdminPost {
		author = map[string]string{"@type": "Organization", "name": "Heartward"}
	}
	data := map[string]any{
		"@context": "https://schema.org", "@type": "BlogPosting", "headline": post.Title, "description": post.Excerpt,
		"datePublished": post.PublishedAt, "author": author, "mainEntityOfPage": address, "commentCount": post.CommentCount,
	}
	if image != "" {
		data["image"] = image
	}
	text, err := json.Marshal(data)
	return string(text), err
}
