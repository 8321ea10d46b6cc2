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
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// ReviewPost is a post as moderators see it. Its words were written for the board, so opening them needs no
// reason.
type ReviewPost struct {
	ID              uuid.UUID        `json:"id"`
	Title           string           `json:"title"`
	Excerpt         string           `json:"excerpt"`
	ContentHTML     string           `json:"contentHtml" doc:"Sanitised, as on the board"`
	Category        string           `json:"category" enum:"blog,community-story,advice,experience"`
	IsAdminPost     bool             `json:"isAdminPost"`
	Tags            []string         `json:"tags"`
	FeaturedImage   *PostPicture     `json:"featuredImage"`
	Status          string           `json:"status" enum:"pending,published,rejected"`
	RejectionReason string           `json:"rejectionReason" doc:"Empty unless rejected"`
	Version         int              `json:"version" doc:"To be named by the decision, so that an edit in between is noticed"`
	Flag            *string          `json:"flag" nullable:"true" enum:"harassment,sexual_pressure,money,off_platform,spam" doc:"Of the message filter"`
	Author          members.UserCard `json:"author" doc:"Name, age and town"`
	SubmittedAt     time.Time        `json:"submittedAt"`
	PublishedAt     *time.Time       `json:"publishedAt" nullable:"true" doc:"First; null before"`
	DecidedAt       *time.Time       `json:"decidedAt" nullable:"true" doc:"Last; null before"`
}

// TransformSchema makes the picture nullable.
func (ReviewPost) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "featuredImage")
}

// ReviewComment is a comment as moderators see it.
type ReviewComment struct {
	ID        uuid.UUID         `json:"id"`
	PostID    uuid.UUID         `json:"postId"`
	PostTitle string            `json:"postTitle"`
	ParentID  *uuid.UUID        `json:"parentId" nullable:"true" format:"uuid"`
	Content   string            `json:"content"`
	Status    string            `json:"status" enum:"pending,approved,hidden"`
	Version   int               `json:"version" doc:"To be named by the decision, so that an edit in between is noticed"`
	Flag      *string           `json:"flag" nullable:"true" enum:"harassment,sexual_pressure,money,off_platform,spam" doc:"Of the message filter"`
	Author    *members.UserCard `json:"author" doc:"Name, age and town"`
	CreatedAt time.Time         `json:"createdAt"`
	DecidedAt *time.Time        `json:"decidedAt" nullable:"true" doc:"Last; null before"`

	authorID uuid.UUID
}

// TransformSchema makes the author nullable.
func (ReviewComment) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "author")
}

// Decision is a moderator's decision on posts or comments.
type Decision struct {
	// Action is approve or reject for posts, hide or restore for comments.
	Action string
	Reason string // for the audit log; told to the author of a rejected post
	// ByAdmin is whether the moderator is an admin, who alone decides on official posts.
	ByAdmin bool
}

func (d *Decision) clean() (err error) {
	if d.Reason, err = text.Lines("reason", d.Reason, maxReason); err == nil && d.Reason == "" {
		err = fault.InvalidField("reason", "Please give a reason.")
	}
	return err
}

// ReviewItem is a post or comment of a decision.
type ReviewItem struct {
	ID      uuid.UUID `json:"id" format:"uuid"`
	Version int       `json:"version" minimum:"1" doc:"As it was read"`
	Status  string    `json:"status,omitempty" maxLength:"20" doc:"As it was read, so that another moderator's decision in between is noticed"`
}

// checkRead returns Conflict unless the moderator has read the present version and status.
func (i ReviewItem) checkRead(version int, status string) error {
	switch {
	case version != i.Version:
		return fault.New(fault.Conflict, "The author has changed this since you opened it.")
	case i.Status != "" && i.Status != status:
		return fault.New(fault.Conflict, "Another moderator has decided on this since you opened it.")
	}
	return nil
}

// DecidePosts publishes (approve) or rejects posts one by one, and returns a result for each in their order.
// Each decision is a transaction with a row in the audit log and a notification of the author. Repeating a
// decision changes nothing.
//
// Problems of a post: NotFound for an unknown one; Conflict if it was edited or decided on since; Forbidden for the
// moderator's own, and for an official one unless an admin decides. It returns Invalid without a reason.
func (s *Service) DecidePosts(ctx context.Context, moderator uuid.UUID, subjects []ReviewItem, in Decision) ([]web.RowResult, error) {
	if err := in.clean(); err != nil {
		return nil, err
	}
	return decideEach(subjects, func(subject ReviewItem) error {
		return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.decidePost(ctx, tx, moderator, subject, in) })
	})
}

// decideEach is web.EachRow for subjects.
func decideEach(subjects []ReviewItem, decide func(ReviewItem) error) ([]web.RowResult, error) {
	ids, versions := make([]uuid.UUID, len(subjects)), make(map[uuid.UUID]ReviewItem, len(subjects))
	for i, subject := range subjects {
		ids[i], versions[subject.ID] = subject.ID, subject
	}
	return web.EachRow(ids, func(id uuid.UUID) error { return decide(versions[id]) })
}

func (s *Service) decidePost(ctx context.Context, tx pgx.Tx, moderator uuid.UUID, subject ReviewItem, in Decision) error {
	status, reason := Published, ""
	if in.Action == "reject" {
		status, reason = Rejected, in.Reason
	}
	var author uuid.UUID
	var version int
	var isOfficial bool
	var current, currentReason string
	err := tx.QueryRow(ctx, `
		SELECT author_id, version, is_admin_post, status, rejection_reason
		FROM community_posts
		WHERE id = $1
		FOR NO KEY UPDATE`, subject.ID).Scan(&author, &version, &isOfficial, &current, &currentReason)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return notFound()
	case err != nil:
		return err
	case author == moderator:
		return fault.New(fault.Forbidden, "Another moderator has to decide on your own post.")
	case isOfficial && !in.ByAdmin:
		return fault.New(fault.Forbidden, "Only admins decide on official posts.")
	case version == subject.Version && current == status && currentReason == reason:
		return nil
	}
	if err := subject.checkRead(version, current); err != nil {
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
		RETURNING decided_at`, subject.ID, status, reason, moderator).Scan(&decidedAt)
	if err != nil {
		return err
	}
	if err := s.tellDecision(ctx, tx, author, subject.ID, status, decidedAt); err != nil {
		return err
	}
	if status == Published && s.onPublish != nil {
		if err := s.onPublish(ctx, tx, author); err != nil {
			return err
		}
	}
	detail := map[string]any{"post": subject.ID, "version": version, "before": current}
	return moderation.Audit(ctx, tx, moderator, "community_post."+status, author, in.Reason, detail)
}

// DecideComments hides comments from everyone or shows them (restore), like DecidePosts. Their authors are not
// notified; when a comment is shown for the first time, those whom it answers are.
func (s *Service) DecideComments(ctx context.Context, moderator uuid.UUID, subjects []ReviewItem, in Decision) ([]web.RowResult, error) {
	if err := in.clean(); err != nil {
		return nil, err
	}
	return decideEach(subjects, func(subject ReviewItem) error {
		return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.decideComment(ctx, tx, moderator, subject, in) })
	})
}

func (s *Service) decideComment(ctx context.Context, tx pgx.Tx, moderator uuid.UUID, subject ReviewItem, in Decision) error {
	status := "approved"
	if in.Action == "hide" {
		status = "hidden"
	}
	c, err := lockComment(ctx, tx, subject.ID)
	switch {
	case err != nil:
		return err
	case c.author == moderator:
		return fault.New(fault.Forbidden, "Another moderator has to decide on your own comment.")
	case c.version == subject.Version && c.status == status && c.isDecided:
		return nil
	}
	if err := subject.checkRead(c.version, c.status); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		UPDATE post_comments
		SET
			status = $2,
			decided_at = clock_timestamp(),
			decided_by = $3
		WHERE id = $1`, subject.ID, status, moderator)
	if err != nil {
		return err
	}
	if c.status == Pending && status == "approved" {
		err := s.notifyOfComment(ctx, tx, c.author, c.postAuthor, c.parentAuthor, NotifyArgs{PostID: c.post, CommentID: subject.ID})
		if err != nil {
			return err
		}
	}
	detail := map[string]any{"post": c.post, "comment": subject.ID}
	return moderation.Audit(ctx, tx, moderator, "community_comment."+status, c.author, in.Reason, detail)
}
