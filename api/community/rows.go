package community

import (
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/web"
)

// pictureColumns are the columns of the picture f of post p.
const pictureColumns = `
		p.featured_image,
		coalesce(f.placeholder, '') AS placeholder,
		coalesce(f.width, 1) AS width,
		coalesce(f.height, 1) AS height`

type pictureRow struct {
	FeaturedImage *uuid.UUID // nil without a picture
	Placeholder   string
	Width         int
	Height        int
}

func (r pictureRow) picture() *PostPicture {
	if r.FeaturedImage == nil {
		return nil
	}
	id := *r.FeaturedImage
	return &PostPicture{
		ID: id, URL: pictureURL(id, blobs.Full), ThumbURL: pictureURL(id, blobs.Thumb),
		Placeholder: r.Placeholder, Width: r.Width, Height: r.Height,
	}
}

// cardColumns are the columns of cardRow.
const cardColumns = `
		p.id,
		p.title,
		p.excerpt,
		p.category,
		p.is_admin_post,
		p.tags,
		coalesce(p.published_at, p.submitted_at) AS published_at,
		p.author_id,
		p.like_count,
		p.comment_count,
		EXISTS (SELECT FROM post_likes l WHERE l.post_id = p.id AND l.user_id = @viewer) AS liked_by_me,
		p.has_more,` + pictureColumns

// cardRow is a PostCard as it is stored.
type cardRow struct {
	ID           uuid.UUID
	Title        string
	Excerpt      string
	Category     string
	IsAdminPost  bool
	Tags         []string
	PublishedAt  time.Time
	AuthorID     uuid.UUID
	LikeCount    int
	CommentCount int
	LikedByMe    bool
	HasMore      bool
	pictureRow
}

// card returns the card without its author.
func (r cardRow) card() PostCard {
	return PostCard{
		ID: r.ID, Title: r.Title, Excerpt: r.Excerpt, Category: r.Category, IsAdminPost: r.IsAdminPost, Tags: r.Tags,
		FeaturedImage: r.picture(), PublishedAt: r.PublishedAt, LikeCount: r.LikeCount, CommentCount: r.CommentCount,
		LikedByMe: r.LikedByMe, HasMore: r.HasMore, authorID: r.AuthorID,
	}
}

// storedPost is a post as its row has it.
type storedPost struct {
	cardRow
	Content         string
	ClientID        string
	Status          string
	RejectionReason string
}

type ownRow struct {
	cardRow
	ClientID        string
	Status          string
	RejectionReason string
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

func (r ownRow) post() OwnPost {
	return OwnPost{
		PostCard: r.card(), ClientID: r.ClientID, Status: r.Status, RejectionReason: r.RejectionReason,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// queuedColumns are the columns of queuedRow.
const queuedColumns = `
		p.id,
		p.category,
		p.is_admin_post,
		p.status,
		p.version,
		p.flag,
		p.author_id,
		p.submitted_at,
		p.published_at,
		p.decided_at`

// queuedRow is a QueuedPost as it is stored.
type queuedRow struct {
	ID          uuid.UUID
	Category    string
	IsAdminPost bool
	Status      string
	Version     int
	Flag        *string
	AuthorID    uuid.UUID
	SubmittedAt time.Time
	PublishedAt *time.Time
	DecidedAt   *time.Time
}

// post returns the post with the id of its author, for completePosts.
func (r queuedRow) post() QueuedPost {
	return QueuedPost{
		ID: r.ID, Category: r.Category, IsAdminPost: r.IsAdminPost, Status: r.Status, Version: r.Version, Flag: r.Flag,
		Author: members.UserCard{ID: r.AuthorID}, SubmittedAt: r.SubmittedAt, PublishedAt: r.PublishedAt, DecidedAt: r.DecidedAt,
	}
}

type openedRow struct {
	queuedRow
	Title           string
	Excerpt         string
	Content         string
	Tags            []string
	RejectionReason string
	pictureRow
}

// queuedCommentColumns are the columns of queuedCommentRow.
const queuedCommentColumns = `
		c.id,
		c.status,
		c.version,
		c.flag,
		c.author_id,
		c.created_at,
		c.decided_at`

// queuedCommentRow is a QueuedComment as it is stored.
type queuedCommentRow struct {
	ID        uuid.UUID
	Status    string
	Version   int
	Flag      *string
	AuthorID  uuid.UUID
	CreatedAt time.Time
	DecidedAt *time.Time
}

// comment returns the comment without its author, for completeComments.
func (r queuedCommentRow) comment() QueuedComment {
	return QueuedComment{
		ID: r.ID, Status: r.Status, Version: r.Version, Flag: r.Flag, CreatedAt: r.CreatedAt, DecidedAt: r.DecidedAt, authorID: r.AuthorID,
	}
}

type openedCommentRow struct {
	queuedCommentRow
	PostID    uuid.UUID
	PostTitle string
	ParentID  *uuid.UUID
	Content   string
}

// commentRow is a PostComment as it is stored.
type commentRow struct {
	ID        uuid.UUID
	PostID    uuid.UUID
	ParentID  *uuid.UUID
	AuthorID  *uuid.UUID // nil after the deletion of the author's account
	ClientID  *string    // nil for others than the author
	Content   string
	CreatedAt time.Time
	EditedAt  *time.Time
	Status    string
	IsDeleted bool // or not shown to the viewer
}

// comment returns the comment without its author. One that is deleted for the viewer has no contents.
func (r commentRow) comment(viewer uuid.UUID) PostComment {
	c := PostComment{
		ID: r.ID, PostID: r.PostID, ParentID: r.ParentID, CreatedAt: r.CreatedAt, IsDeleted: r.IsDeleted, IsFormerMember: r.AuthorID == nil,
	}
	if r.IsDeleted {
		return c
	}
	c.ClientID, c.Content, c.EditedAt, c.authorID = r.ClientID, r.Content, r.EditedAt, r.AuthorID
	c.IsPending = r.Status == Pending
	if c.IsOwn = r.AuthorID != nil && *r.AuthorID == viewer; c.IsOwn {
		c.EditableUntil = new(web.Time(r.CreatedAt.Add(editWindow)))
	}
	return c
}
