package community

import (
	"context"
	"maps"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/blobs"
	"heartward/api/platform/images"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// Register adds the operations of the community board to api.
func Register(api web.API, s *Service) {
	api = api.WithMaxBody(128 << 10)
	h := handlers{s}
	web.Get(api, web.Anyone, "list-posts", "/api/community/posts",
		"List published posts, the newest first, also of a search", h.list)
	web.Get(api, web.Anyone, "list-popular-posts", "/api/community/popular",
		"List at most five posts of the last seven days that members like most", h.popular)
	web.Get(api, web.Anyone, "get-post", "/api/community/posts/{id}",
		"Get a published post, or one of the caller's own", h.get)
	web.Post(api, web.Member, "create-post", "/api/community/posts",
		"Send in a post, which waits for a moderator; an admin's in the category blog is published at once; idempotent by clientId", h.create, web.Status(http.StatusCreated))
	web.Put(api, web.Member, "edit-post", "/api/community/posts/{id}",
		"Replace an own post, which waits for a moderator again", h.edit)
	web.Delete(api, web.Member, "delete-post", "/api/community/posts/{id}",
		"Delete an own post with its likes and comments", h.remove)
	web.Get(api, web.Member, "list-own-posts", "/api/users/me/posts",
		"List the caller's posts in every status, the newest first", h.own)
	web.Post(api, web.Member, "like-post", "/api/community/posts/{id}/like",
		"Like a post, or take the like back; idempotent", h.like)
	web.Post(api, web.Member, "preview-post", "/api/community/preview",
		"Render the Markdown of a post as the board does", h.preview)
	web.Get(api, web.Anyone, "get-post-picture", "/api/community/pictures/{id}/{variant}",
		"Get the picture of a post: of a published one for everyone", h.picture, web.Returns(images.ContentType, "The picture, or the part of it in the Range header"))
	registerComments(api, h)
	registerReports(api, h)
	registerReview(api, h)
}

type handlers struct{ s *Service }

// BoardInput are the parameters of the board.
type BoardInput struct {
	web.Page
	Category string `query:"category" enum:"blog,community-story,advice,experience" doc:"Without it, posts of all categories"`
	Tag      string `query:"tag" maxLength:"60" doc:"Only posts with this tag, without regard to case"`
	Q        string `query:"q" maxLength:"100" doc:"Words to search for in title, excerpt, tags and content, without regard to accents; quotes and a minus work as usual, and the last word may be incomplete"`
}

func (in *BoardInput) filter() (Filter, error) {
	q, err := text.Clean("query.q", in.Q, text.Rule{Max: 100, Bad: "This search has a character that cannot be shown."})
	return Filter{Category: in.Category, Tag: in.Tag, Search: q}, err
}

type boardOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []PostCard
}

func (h handlers) list(ctx context.Context, in *BoardInput) (*boardOutput, error) {
	actor, _ := web.ActorOf(ctx)
	filter, err := in.filter()
	if err != nil {
		return nil, err
	}
	posts, next, err := h.s.Board(ctx, actor.ID, filter, in.Page)
	query := filter.Query()
	maps.Copy(query, in.Page.Query())
	return &boardOutput{web.NextLink("/api/community/posts", query, next), posts}, err
}

type popularOutput struct{ Body []PostCard }

func (h handlers) popular(ctx context.Context, _ *struct{}) (*popularOutput, error) {
	actor, _ := web.ActorOf(ctx)
	posts, err := h.s.Popular(ctx, actor.ID)
	return &popularOutput{posts}, err
}

type idInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type postOutput struct{ Body Post }

func (h handlers) get(ctx context.Context, in *idInput) (*postOutput, error) {
	actor, _ := web.ActorOf(ctx)
	post, err := h.s.Post(ctx, actor.ID, in.ID)
	return &postOutput{post}, err
}

// PostDraft is what a member writes. Empty texts have the same message as in the app, so the schema has no
// minimum.
type PostDraft struct {
	Title         string     `json:"title" maxLength:"120"`
	Excerpt       string     `json:"excerpt" maxLength:"300" doc:"The brief summary"`
	Content       string     `json:"content" maxLength:"20000" doc:"Markdown without HTML and pictures"`
	Category      string     `json:"category" enum:"blog,community-story,advice,experience" doc:"blog is for admins"`
	Tags          []string   `json:"tags,omitempty" maxItems:"6" maxLength:"30" doc:"At most 5 beside the category, which is always the first of the stored tags"`
	FeaturedImage *uuid.UUID `json:"featuredImage,omitempty" nullable:"true" format:"uuid" doc:"A complete upload with the purpose profile, or the present picture; null for none"`
	AuthorID      *uuid.UUID `json:"authorId,omitempty" nullable:"true" format:"uuid" doc:"Ignored: the session decides"`
}

func (b PostDraft) draft() Draft {
	d := Draft{Title: b.Title, Excerpt: b.Excerpt, Content: b.Content, Category: b.Category, Tags: b.Tags}
	if b.FeaturedImage != nil {
		d.Image = *b.FeaturedImage
	}
	return d
}

type createPostInput struct {
	Body struct {
		PostDraft
		ClientID *uuid.UUID `json:"clientId,omitempty" nullable:"true" format:"uuid" doc:"Chosen by the device; a repetition returns the first result. Without it, each call is a new post"`
	}
}

func (h handlers) create(ctx context.Context, in *createPostInput) (*postOutput, error) {
	actor, _ := web.ActorOf(ctx)
	clientID := uuid.New()
	if in.Body.ClientID != nil {
		clientID = *in.Body.ClientID
	}
	post, err := h.s.Create(ctx, actor, clientID, in.Body.draft())
	return &postOutput{post}, err
}

type editPostInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body PostDraft
}

func (h handlers) edit(ctx context.Context, in *editPostInput) (*postOutput, error) {
	actor, _ := web.ActorOf(ctx)
	post, err := h.s.Edit(ctx, actor, in.ID, in.Body.draft())
	return &postOutput{post}, err
}

func (h handlers) remove(ctx context.Context, in *idInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Delete(ctx, actor.ID, in.ID)
}

type ownPostsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []OwnPost
}

func (h handlers) own(ctx context.Context, in *web.Page) (*ownPostsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	posts, next, err := h.s.OwnPosts(ctx, actor.ID, *in)
	return &ownPostsOutput{web.NextLink("/api/users/me/posts", in.Query(), next), posts}, err
}

type likePostInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Liked  bool       `json:"liked,omitempty" default:"true" doc:"false takes the like back"`
		UserID *uuid.UUID `json:"userId,omitempty" nullable:"true" format:"uuid" doc:"Ignored: the session decides"`
	}
}

type likePostOutput struct{ Body PostLikes }

func (h handlers) like(ctx context.Context, in *likePostInput) (*likePostOutput, error) {
	actor, _ := web.ActorOf(ctx)
	likes, err := h.s.Like(ctx, actor.ID, in.ID, in.Body.Liked)
	return &likePostOutput{likes}, err
}

type previewPostInput struct {
	Body struct {
		Content string `json:"content" maxLength:"20000" doc:"Markdown"`
	}
}

// PostPreview is the rendered content of a post.
type PostPreview struct {
	HTML string `json:"html" doc:"Sanitised, like contentHtml of a post"`
}

type previewOutput struct{ Body PostPreview }

func (h handlers) preview(_ context.Context, in *previewPostInput) (*previewOutput, error) {
	out := &previewOutput{}
	var err error
	out.Body.HTML, err = Preview(in.Body.Content)
	return out, err
}

func (h handlers) picture(ctx context.Context, in *blobs.PictureInput) (*huma.StreamResponse, error) {
	return in.Send(ctx, h.s.OpenPicture)
}
