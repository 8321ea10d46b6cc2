package community

import (
	"context"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// QueuedPost is a post in the moderators' list, without its words and picture.
type QueuedPost struct {
	ID          uuid.UUID        `json:"id"`
	Category    string           `json:"category" enum:"blog,community-story,advice,experience"`
	IsAdminPost bool             `json:"isAdminPost"`
	Status      string           `json:"status" enum:"pending,published,rejected"`
	Version     int              `json:"version" doc:"To be named by the decision, so that an edit in between is noticed"`
	Flag        *string          `json:"flag" nullable:"true" enum:"harassment,sexual_pressure,money,off_platform,spam" doc:"Of the message filter"`
	Author      members.UserCard `json:"author" doc:"Name, age and town"`
	SubmittedAt time.Time        `json:"submittedAt"`
	PublishedAt *time.Time       `json:"publishedAt" nullable:"true" doc:"First; null before"`
	DecidedAt   *time.Time       `json:"decidedAt" nullable:"true" doc:"Last; null before"`
	Opened      bool             `json:"opened" doc:"Whether the caller has opened it within the last day"`
}

// OpenedPost is a post with what a moderator decides on.
type OpenedPost struct {
	QueuedPost
	Title           string       `json:"title"`
	Excerpt         string       `json:"excerpt"`
	ContentHTML     string       `json:"contentHtml" doc:"Sanitised, as on the board"`
	Tags            []string     `json:"tags"`
	FeaturedImage   *PostPicture `json:"featuredImage" doc:"Readable for a day after it was opened"`
	RejectionReason string       `json:"rejectionReason" doc:"Empty unless rejected"`
}

// TransformSchema makes the picture nullable.
func (OpenedPost) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "featuredImage")
}

// QueuedComment is a comment in the moderators' list, without its words.
type QueuedComment struct {
	ID        uuid.UUID         `json:"id"`
	Status    string            `json:"status" enum:"pending,approved,hidden"`
	Version   int               `json:"version" doc:"To be named by the decision, so that an edit in between is noticed"`
	Flag      *string           `json:"flag" nullable:"true" enum:"harassment,sexual_pressure,money,off_platform,spam" doc:"Of the message filter"`
	Author    *members.UserCard `json:"author" doc:"Name, age and town"`
	CreatedAt time.Time         `json:"createdAt"`
	DecidedAt *time.Time        `json:"decidedAt" nullable:"true" doc:"Last; null before"`
	Opened    bool              `json:"opened" doc:"Whether the caller has opened it within the last day"`

	authorID uuid.UUID
}

// OpenedComment is a comment with what a moderator decides on.
type OpenedComment struct {
	QueuedComment
	PostID    uuid.UUID  `json:"postId"`
	PostTitle string     `json:"postTitle"`
	ParentID  *uuid.UUID `json:"parentId" nullable:"true" format:"uuid"`
	Content   string     `json:"content"`
}

// TransformSchema makes the author nullable.
func (QueuedComment) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "author")
}

// TransformSchema makes the author nullable.
func (OpenedComment) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "author")
}

// Decision is a moderator's decision on posts or comments.
type Decision struct {
	// Action is approve or reject for posts, hide or restore for comments.
	Action string
	Reason string // for the audit log; told to the author of a rejected post
	// ByAdmin is whether the moderator is an admin, who alone decides on official posts.
	ByAdmin bool
	// OpenedOnly is whether the moderator must have opened each post or comment within the last day.
	OpenedOnly bool
}

func (d *Decision) clean() (err error) {
	d.Reason, err = moderation.CleanReason(d.Reason)
	return err
}

// ReviewItem is a post or comment of a decision.
type ReviewItem struct {
	ID      uuid.UUID `json:"id" format:"uuid"`
	Version int       `json:"version" minimum:"1" doc:"As it was read"`
	Status  string    `json:"status,omitempty" maxLength:"20" doc:"As it was read, so that another moderator's decision in between is noticed"`
}

// checkRead returns Conflict unless the moderator has read the present version and status, with the name of decidedBy.
func (i ReviewItem) checkRead(ctx context.Context, tx pgx.Tx, version int, status string, decidedBy *uuid.UUID) error {
	switch {
	case version != i.Version:
		return fault.New(fault.Conflict, "The author has changed this since you opened it.")
	case i.Status != "" && i.Status != status:
		return queue.ErrDecided(ctx, tx, decidedBy, queue.Decision(status))
	}
	return nil
}

// DecidePosts publishes (approve) or rejects posts one by one, and returns a result for each in their order.
// Each decision is a transaction with a row in the audit log and a notification of the author. Repeating a
// decision changes nothing.
//
// Problems of a post: NotFound for an unknown one; Conflict if it was edited or decided on since; Forbidden for the
// moderator's own, and for an official one unless an admin decides. It returns Invalid without a reason.
func (s *Service) DecidePosts(ctx context.Context, moderator uuid.UUID, items []ReviewItem, in Decision) ([]web.RowResult, error) {
	if err := in.clean(); err != nil {
		return nil, err
	}
	return decideEach(items, func(item ReviewItem) error {
		return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.decidePost(ctx, tx, moderator, item, in) })
	})
}

// decideEach is web.EachRow for items.
func decideEach(items []ReviewItem, decide func(ReviewItem) error) ([]web.RowResult, error) {
	ids, byID := make([]uuid.UUID, len(items)), make(map[uuid.UUID]ReviewItem, len(items))
	for i, item := range items {
		ids[i], byID[item.ID] = item.ID, item
	}
	return web.EachRow(ids, func(id uuid.UUID) error { return decide(byID[id]) })
}

func (s *Service) decidePost(ctx context.Context, tx pgx.Tx, moderator uuid.UUID, item ReviewItem, in Decision) error {
	status, reason := Published, ""
	if in.Action == "reject" {
		status, reason = Rejected, in.Reason
	}
	p, err := lockPost(ctx, tx, item.ID)
	switch {
	case err != nil:
		return err
	case p.AuthorID == moderator:
		return fault.New(fault.Forbidden, "Another moderator has to decide on your own post.")
	case p.IsAdminPost && !in.ByAdmin:
		return fault.New(fault.Forbidden, "Only admins decide on official posts.")
	case p.Version == item.Version && p.Status == status && p.RejectionReason == reason:
		return nil
	}
	if err := item.checkRead(ctx, tx, p.Version, p.Status, p.DecidedBy); err != nil {
		return err
	}
	if err := moderation.RequireOpened(ctx, tx, in.OpenedOnly, moderator, openPost, "post", item.ID); err != nil {
		return err
	}
	var decidedAt time.Time
	err = tx.QueryRow(ctx, `
		UPDATE community_posts
		SET
			status = $2,
			rejection_reason = $3,
			published_at = CASE WHEN $2 = 'published' THEN coalesce(published_at, clock_timestamp()) ELSE published_at END,
			decided_at = clock_timestamp(),
			decided_by = $4
		WHERE id = $1
		RETURNING decided_at`, item.ID, status, reason, moderator).Scan(&decidedAt)
	if err != nil {
		return err
	}
	if err := queue.Close(ctx, tx, queue.Post, item.ID); err != nil {
		return err
	}
	if err := s.announceDecision(ctx, tx, p.AuthorID, item.ID, status, decidedAt); err != nil {
		return err
	}
	detail := map[string]any{"post": item.ID, "version": p.Version, "before": p.Status}
	return moderation.Audit(ctx, tx, moderator, "community_post."+status, p.AuthorID, in.Reason, detail)
}

// lockedPost is a post of any status that is locked until a decision on it is stored.
type lockedPost struct {
	AuthorID        uuid.UUID
	Version         int
	IsAdminPost     bool
	Status          string
	RejectionReason string
	DecidedBy       *uuid.UUID // nil before a decision
}

// lockPost returns NotFound for an unknown post.
func lockPost(ctx context.Context, tx pgx.Tx, id uuid.UUID) (lockedPost, error) {
	rows, _ := tx.Query(ctx, `
		SELECT
			author_id,
			version,
			is_admin_post,
			status,
			rejection_reason,
			decided_by
		FROM community_posts
		WHERE id = $1
		FOR NO KEY UPDATE`, id)
	p, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[lockedPost])
	if errors.Is(err, pgx.ErrNoRows) {
		return p, notFound()
	}
	return p, err
}

// DecideComments hides comments from everyone or shows them (restore), like DecidePosts. Their authors are not
// notified; when a comment that waited is shown, those whom it answers are.
func (s *Service) DecideComments(ctx context.Context, moderator uuid.UUID, items []ReviewItem, in Decision) ([]web.RowResult, error) {
	if err := in.clean(); err != nil {
		return nil, err
	}
	return decideEach(items, func(item ReviewItem) error {
		return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.decideComment(ctx, tx, moderator, item, in) })
	})
}

func (s *Service) decideComment(ctx context.Context, tx pgx.Tx, moderator uuid.UUID, item ReviewItem, in Decision) error {
	status := "approved"
	if in.Action == "hide" {
		status = "hidden"
	}
	c, err := lockComment(ctx, tx, item.ID)
	switch {
	case err != nil:
		return err
	case c.Author == moderator:
		return fault.New(fault.Forbidden, "Another moderator has to decide on your own comment.")
	case c.Version == item.Version && c.Status == status && c.IsDecided:
		return nil
	}
	if err := item.checkRead(ctx, tx, c.Version, c.Status, c.DecidedBy); err != nil {
		return err
	}
	if err := moderation.RequireOpened(ctx, tx, in.OpenedOnly, moderator, openComment, "comment", item.ID); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		UPDATE post_comments
		SET
			status = $2,
			decided_at = clock_timestamp(),
			decided_by = $3
		WHERE id = $1`, item.ID, status, moderator)
	if err != nil {
		return err
	}
	if err := queue.Close(ctx, tx, queue.Comment, item.ID); err != nil {
		return err
	}
	if c.Status == Pending && status == "approved" {
		err := s.notifyOfComment(ctx, tx, c.Author, c.PostAuthor, c.ParentAuthor, NotifyArgs{PostID: c.Post, CommentID: item.ID})
		if err != nil {
			return err
		}
	}
	detail := map[string]any{"post": c.Post, "comment": item.ID}
	return moderation.Audit(ctx, tx, moderator, "community_comment."+status, c.Author, in.Reason, detail)
}
