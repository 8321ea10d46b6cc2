package community

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerReview adds the moderators' operations.
func registerReview(api web.API, h handlers) {
	web.Get(api, web.Moderator, "list-posts-for-review", "/api/admin/community/posts",
		"List posts by status without their contents: pending ones with the longest wait first, others with the newest decision first", h.reviewPosts)
	web.Post(api, web.Moderator, "open-post-for-review", "/api/admin/community/posts/{id}/open",
		"Get a post of any status with its contents, whose picture can then be read for a day; each request is recorded in the audit log", h.openPost)
	web.Get(api, web.Moderator, "list-comments-for-review", "/api/admin/community/comments",
		"List comments without their contents, the newest first", h.reviewComments)
	web.Post(api, web.Moderator, "open-comment-for-review", "/api/admin/community/comments/{id}/open",
		"Get a comment with its contents; each request is recorded in the audit log", h.openComment)
	web.Post(api, web.Moderator, "decide-community", "/api/admin/community/decisions",
		"Approve or reject posts, or hide or restore comments, with a result for each; idempotent", h.decide)
}

type reviewPostsInput struct {
	web.Page
	Status string `query:"status" enum:"pending,published,rejected" default:"pending"`
}

type reviewPostsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []QueuedPost
}

func (h handlers) reviewPosts(ctx context.Context, in *reviewPostsInput) (*reviewPostsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	posts, next, err := h.s.ReviewPosts(ctx, actor.ID, in.Status, in.Page)
	query := in.Page.Query()
	query.Set("status", in.Status)
	return &reviewPostsOutput{web.NextLink("/api/admin/community/posts", query, next), posts}, err
}

type openForReviewInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

type openPostOutput struct{ Body OpenedPost }

func (h handlers) openPost(ctx context.Context, in *openForReviewInput) (*openPostOutput, error) {
	actor, _ := web.ActorOf(ctx)
	post, err := h.s.OpenPost(ctx, actor.ID, in.ID, in.Body.Reason)
	return &openPostOutput{post}, err
}

type openCommentOutput struct{ Body OpenedComment }

func (h handlers) openComment(ctx context.Context, in *openForReviewInput) (*openCommentOutput, error) {
	actor, _ := web.ActorOf(ctx)
	comment, err := h.s.OpenComment(ctx, actor.ID, in.ID, in.Body.Reason)
	return &openCommentOutput{comment}, err
}

type reviewCommentsInput struct {
	web.Page
	Filter string `query:"filter" enum:"pending,hidden,all" default:"pending" doc:"pending: noticed by the message filter, and not shown before a decision"`
}

type reviewCommentsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []QueuedComment
}

func (h handlers) reviewComments(ctx context.Context, in *reviewCommentsInput) (*reviewCommentsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	comments, next, err := h.s.ReviewComments(ctx, actor.ID, in.Filter, in.Page)
	query := in.Page.Query()
	query.Set("filter", in.Filter)
	return &reviewCommentsOutput{web.NextLink("/api/admin/community/comments", query, next), comments}, err
}

type decideCommunityInput struct {
	Body struct {
		Decision   string       `json:"decision" enum:"approve,reject,hide,restore" doc:"approve and reject are for posts, hide and restore for comments"`
		Items      []ReviewItem `json:"items" minItems:"1" maxItems:"50"`
		Reason     string       `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log, and told to the author of a rejected post"`
		AdminEmail string       `json:"adminEmail,omitempty" maxLength:"254" doc:"Ignored: the session decides"`
	}
}

type decideCommunityOutput struct{ Body []web.RowResult }

func (h handlers) decide(ctx context.Context, in *decideCommunityInput) (*decideCommunityOutput, error) {
	actor, _ := web.ActorOf(ctx)
	decision := Decision{Action: in.Body.Decision, Reason: in.Body.Reason, ByAdmin: actor.Admin, OpenedOnly: true}
	decide := h.s.DecideComments
	if decision.Action == "approve" || decision.Action == "reject" {
		decide = h.s.DecidePosts
	}
	results, err := decide(ctx, actor.ID, in.Body.Items, decision)
	return &decideCommunityOutput{results}, err
}
