package community

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerComments adds the operations on comments.
func registerComments(api web.API, h handlers) {
	web.Get(api, web.Anyone, "list-comments", "/api/community/posts/{id}/comments",
		"List the comments on a post, the oldest first, each with its first 50 replies; or the replies to one", h.comments)
	web.Post(api, web.Member, "create-comment", "/api/community/posts/{id}/comments",
		"Comment on a post, or reply to a comment; idempotent by clientId", h.createComment, web.Status(http.StatusCreated))
	web.Put(api, web.Member, "edit-comment", "/api/community/comments/{id}",
		"Change an own comment within ten minutes", h.editComment)
	web.Delete(api, web.Member, "delete-comment", "/api/community/comments/{id}",
		"Delete an own comment; with replies, its content only", h.deleteComment)
}

type commentsInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
	web.Page
	ParentID string `query:"parentId" format:"uuid" doc:"The comment whose replies are listed, from its repliesCursor on"`
}

type commentsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []CommentThread
}

func (h handlers) comments(ctx context.Context, in *commentsInput) (*commentsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	path, query := "/api/community/posts/"+in.ID.String()+"/comments", in.Page.Query()
	if in.ParentID == "" {
		comments, next, err := h.s.Comments(ctx, actor.ID, in.ID, in.Page)
		return &commentsOutput{web.NextLink(path, query, next), comments}, err
	}
	parent, err := uuid.Parse(in.ParentID)
	if err != nil {
		return nil, huma.Error422UnprocessableEntity("parentId is not an id")
	}
	query.Set("parentId", in.ParentID)
	replies, next, err := h.s.Replies(ctx, actor.ID, in.ID, parent, in.Page)
	return &commentsOutput{web.NextLink(path, query, next), replies}, err
}

type createCommentInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		ClientID uuid.UUID  `json:"clientId" format:"uuid" doc:"Chosen by the device; a repetition returns the first result"`
		Content  string     `json:"content" maxLength:"1000" doc:"Plain text"`
		ParentID *uuid.UUID `json:"parentId,omitempty" nullable:"true" format:"uuid" doc:"The comment that this one replies to, which is not a reply itself"`
	}
}

type commentOutput struct{ Body PostComment }

func (h handlers) createComment(ctx context.Context, in *createCommentInput) (*commentOutput, error) {
	actor, _ := web.ActorOf(ctx)
	input := CommentInput{ClientID: in.Body.ClientID, Content: in.Body.Content}
	if in.Body.ParentID != nil {
		input.Parent = *in.Body.ParentID
	}
	comment, err := h.s.Comment(ctx, actor.ID, in.ID, input)
	return &commentOutput{comment}, err
}

type editCommentInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Content string `json:"content" maxLength:"1000" doc:"Plain text"`
	}
}

func (h handlers) editComment(ctx context.Context, in *editCommentInput) (*commentOutput, error) {
	actor, _ := web.ActorOf(ctx)
	comment, err := h.s.EditComment(ctx, actor.ID, in.ID, in.Body.Content)
	return &commentOutput{comment}, err
}

func (h handlers) deleteComment(ctx context.Context, in *idInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.DeleteComment(ctx, actor.ID, in.ID)
}
