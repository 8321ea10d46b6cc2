package community

import (
	"context"

	"heartward/api/platform/web"
)

// registerReview adds the moderators' operations.
func registerReview(api web.API, h handlers) {
	web.Get(api, web.Moderator, "list-posts-for-review", "/api/admin/community/posts",
		"List posts by status with their contents: pending ones with the longest wait first, others with the newest decision first", h.reviewPosts)
	web.Get(api, web.Moderator, "get-post-for-review", "/api/admin/community/posts/{id}",
		"Get a post of any status with its contents", h.reviewPost)
	web.Get(api, web.Moderator, "list-comments-for-review", "/api/admin/community/comments",
		"List comments, the newest first", h.reviewComments)
	web.Post(api, web.Moderator, "decide-community", "/api/admin/community/decisions",
		"Approve or reject posts, or hide or restore comments, with a result for each; idempotent", h.decide)
}

type reviewPostsInput struct {
	web.Page
	Status string `query:"status" enum:"pending,published,rejected" default:"pending"`
}

type reviewPostsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []ReviewPost
}

func (h handlers) reviewPosts(ctx context.Context, in *reviewPostsInput) (*reviewPostsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	posts, next, err := h.s.ReviewPosts(ctx, actor.ID, in.Status, in.Page)
	query := in.Page.Query()
	query.Set("status", in.Status)
	return &reviewPostsOutput{web.NextLink("/api/admin/community/posts", query, next), posts}, err
}

type reviewPostOutput struct{ Body ReviewPost }

func (h handlers) reviewPost(ctx context.Context, in *idInput) (*reviewPostOutput, error) {
	actor, _ := web.ActorOf(ctx)
	post, err := h.s.ReviewPost(ctx, actor.ID, in.ID)
	return &reviewPostOutput{post}, err
}

type reviewCommentsInput struct {
	web.Page
	Filter string `query:"filter" enum:"pending,hidden,all" default:"pending" doc:"pending: noticed by the message filter, and not shown before a decision"`
}

type reviewCommentsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []ReviewComment
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
	decision := Decision{Action: in.Body.Decision, Reason: in.Body.Reason, ByAdmin: actor.Admin}
	decide := h.s.DecideComments
	if decision.Action == "approve" || decision.Action == "reject" {
		decide = h.s.DecidePosts
	}
	results, err := decide(ctx, actor.ID, in.Body.Items, decision)
	return &decideCommunityOutput{results}, err
}
