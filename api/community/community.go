// Package community owns the community board: posts that members write and moderators publish,
// official posts of the admins, likes, and comments with replies.
package community

import (
	"context"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/media"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/web"
)

// Limits of posts and comments, in characters.
const (
	maxTitle   = 120
	maxExcerpt = 300
	maxContent = 20_000
	maxComment = 1000
	maxTag     = 30
)

// Categories are the categories of posts.
var Categories = []string{Blog, "community-story", "advice", "experience"}

// Blog is the category of the official posts.
const Blog = "blog"

// Status values of a post.
const (
	Pending   = "pending"
	Published = "published"
	Rejected  = "rejected"
)

// The limits of each member.
var (
	postsPerMember = limits.Rule{Name: "community-posts", Count: 5, Per: 24 * time.Hour,
		Message: "You have shared a lot today. Please share the next story tomorrow."}
	editsPerMember = limits.Rule{Name: "community-edits", Count: 30, Per: 24 * time.Hour,
		Message: "You have changed what you wrote often today. Please try again tomorrow."}
	commentsPerMember = limits.Rule{Name: "community-comments", Count: 100, Per: 24 * time.Hour, Burst: 20,
		Message: "You have commented a lot. Please wait a little."}
	likesPerMember = limits.Rule{Name: "community-likes", Count: 500, Per: 24 * time.Hour, Burst: 100,
		Message: "You have liked a lot of posts. Please wait a little."}
	searchesPerClient = limits.Rule{Name: "community-search", Count: 60, Per: time.Minute,
		Message: "You are searching very fast. Please wait a moment."}
)

// Service stores posts, likes and comments. It is safe for concurrent use.
type Service struct {
	pool       *pgxpool.Pool
	blobs      *blobs.Service
	media      *media.Service
	moderation *moderation.Service
	jobs       jobqueue.Inserter
	classify   func(text string) (category string)
	scale      float64 // of the limits per client address

	onPublish func(ctx context.Context, tx pgx.Tx, author uuid.UUID) error // nil if not set
}

// WatchPublished sets a function that is called in the transaction in which a moderator publishes a post. It must be
// called before the service is used.
func (s *Service) WatchPublished(fn func(ctx context.Context, tx pgx.Tx, author uuid.UUID) error) {
	s.onPublish = fn
}

// Deps are the dependencies of New. All are required except RateLimitScale.
type Deps struct {
	Pool       *pgxpool.Pool
	Blobs      *blobs.Service
	Media      *media.Service
	Moderation *moderation.Service
	Jobs       jobqueue.Inserter
	// Classify is the message filter. It returns a category of moderation, or "".
	Classify func(text string) (category string)
	// RateLimitScale multiplies the limits per client address; zero means 1.
	RateLimitScale float64
}

// New returns a Service. It panics when a dependency is nil.
func New(d Deps) *Service {
	nilcheck.Must("community.New", nilcheck.Deps{
		"pool": d.Pool, "blobs": d.Blobs, "media": d.Media, "moderation": d.Moderation, "jobs": d.Jobs, "classify": d.Classify,
	})
	if d.RateLimitScale == 0 {
		d.RateLimitScale = 1
	}
	return &Service{pool: d.Pool, blobs: d.Blobs, media: d.Media, moderation: d.Moderation, jobs: d.Jobs, classify: d.Classify, scale: d.RateLimitScale}
}

// PostPicture is the featured image of a post.
type PostPicture struct {
	ID          uuid.UUID `json:"id"`
	URL         string    `json:"url" doc:"Readable by everyone while the post is published"`
	ThumbURL    string    `json:"thumbUrl" doc:"At most 480 px"`
	Placeholder string    `json:"placeholder" doc:"A blurred picture as a data: URL"`
	Width       int       `json:"width"`
	Height      int       `json:"height"`
}

func pictureURL(id uuid.UUID, variant string) string {
	return "/api/community/pictures/" + id.String() + "/" + variant
}

// PostAuthor is the author of a post or comment, with what the caller may see of them.
type PostAuthor struct {
	ID              *uuid.UUID `json:"id" nullable:"true" format:"uuid" doc:"null if the caller may not open the profile, and signed out"`
	FullName        string     `json:"fullName" doc:"The first name signed out, and if the member shows only that without a match"`
	ProfileImageURL *string    `json:"profileImageUrl" nullable:"true" doc:"null with id"`
}

// PostCard is a post in a list.
type PostCard struct {
	ID            uuid.UUID    `json:"id"`
	Title         string       `json:"title"`
	Excerpt       string       `json:"excerpt"`
	Category      string       `json:"category" enum:"blog,community-story,advice,experience"`
	IsAdminPost   bool         `json:"isAdminPost" doc:"Official: of the category blog"`
	Tags          []string     `json:"tags"`
	FeaturedImage *PostPicture `json:"featuredImage"`
	PublishedAt   time.Time    `json:"publishedAt" doc:"For a post that never was published, when it was sent in"`
	Author        PostAuthor   `json:"author"`
	LikeCount     int          `json:"likeCount"`
	CommentCount  int          `json:"commentCount" doc:"Comments and replies that the caller sees"`
	LikedByMe     bool         `json:"likedByMe"`
	HasMore       bool         `json:"hasMore" doc:"Whether the content is longer than the excerpt"`
	Matches       []string     `json:"matches,omitempty" doc:"In a search, the words of title and excerpt that it has found: runs of letters, marks and digits"`

	authorID uuid.UUID
}

// Post is a post with its content.
type Post struct {
	PostCard
	ContentHTML     string  `json:"contentHtml" doc:"Sanitised: p, h3, h4, ul, ol, li, blockquote, strong, em, del, code, pre, br, hr and a with an http(s) address"`
	Content         *string `json:"content,omitempty" doc:"Markdown; for the author only"`
	ClientID        *string `json:"clientId,omitempty" format:"uuid" doc:"For the author only"`
	Status          string  `json:"status" enum:"pending,published,rejected"`
	RejectionReason *string `json:"rejectionReason,omitempty" doc:"For the author of a rejected post only"`
	IsOwn           bool    `json:"isOwn"`
}

// OwnPost is a post in the list of the caller's own.
type OwnPost struct {
	PostCard
	ClientID        string    `json:"clientId" format:"uuid"`
	Status          string    `json:"status" enum:"pending,published,rejected"`
	RejectionReason string    `json:"rejectionReason" doc:"Empty unless rejected"`
	CreatedAt       time.Time `json:"createdAt"`
	UpdatedAt       time.Time `json:"updatedAt"`
}

// PostComment is a comment on a post, or a reply to one.
type PostComment struct {
	ID            uuid.UUID   `json:"id"`
	PostID        uuid.UUID   `json:"postId"`
	ParentID      *uuid.UUID  `json:"parentId" nullable:"true" format:"uuid" doc:"The comment that this one replies to"`
	ClientID      *string     `json:"clientId,omitempty" format:"uuid" doc:"For the author only"`
	Content       string      `json:"content" doc:"Plain text; empty if isDeleted"`
	Author        *PostAuthor `json:"author" doc:"null if isDeleted, unless isFormerMember"`
	CreatedAt     time.Time   `json:"createdAt"`
	IsOwn         bool        `json:"isOwn"`
	IsDeleted     bool        `json:"isDeleted" doc:"Deleted, or not shown to the caller, and has replies"`
	IsPending     bool        `json:"isPending" doc:"The caller's own, which waits for a moderator; nobody else sees it"`
	EditedAt      *time.Time  `json:"editedAt" nullable:"true" doc:"The last edit; null without one"`
	EditableUntil *time.Time  `json:"editableUntil,omitempty" doc:"For the author only"`

	IsFormerMember bool `json:"isFormerMember" doc:"The account of the author was deleted; with isDeleted"`

	authorID *uuid.UUID
}

// CommentThread is a comment on a post with its replies.
type CommentThread struct {
	PostComment
	Replies       []PostComment `json:"replies" doc:"The oldest first, at most 50"`
	RepliesCursor string        `json:"repliesCursor" doc:"For more replies, with parentId; empty without more"`
}

// TransformSchema makes the picture nullable.
func (PostCard) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "featuredImage")
}

// TransformSchema makes the picture nullable.
func (Post) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "featuredImage")
}

// TransformSchema makes the picture nullable.
func (OwnPost) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "featuredImage")
}

// TransformSchema makes the author nullable.
func (PostComment) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "author")
}

// TransformSchema makes the author nullable.
func (CommentThread) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "author")
}

func notFound() error { return fault.New(fault.NotFound, "We could not find that post.") }

func errNoComment() error { return fault.New(fault.NotFound, "We could not find that comment.") }

// firstWord returns a full name's first word, which is the first name.
func firstWord(name string) string {
	first, _, _ := strings.Cut(name, " ")
	return first
}
