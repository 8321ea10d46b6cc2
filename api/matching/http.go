package matching

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

type handlers struct{ s *Service }

// Target is the member meant; clients use either name.
type Target struct {
	ToUserID     uuid.UUID `json:"toUserId,omitempty" format:"uuid" required:"false"`
	TargetUserID uuid.UUID `json:"targetUserId,omitempty" format:"uuid" required:"false" doc:"The same as toUserId"`
}

func (t Target) id() (uuid.UUID, error) {
	switch {
	case t.ToUserID == uuid.Nil && t.TargetUserID == uuid.Nil:
		return uuid.Nil, fault.InvalidField("toUserId", "Please say which member you mean.")
	case t.ToUserID == uuid.Nil:
		return t.TargetUserID, nil
	case t.TargetUserID != uuid.Nil && t.TargetUserID != t.ToUserID:
		return uuid.Nil, fault.InvalidField("targetUserId", "toUserId and targetUserId name different members.")
	}
	return t.ToUserID, nil
}

type likeInput struct {
	Body struct {
		Target
		LikeType string `json:"likeType,omitempty" enum:"like,super_like,regular,super" default:"like" doc:"regular is like, super is super_like"`
	}
}

type likeOutput struct {
	Status int
	Body   LikeResult
}

type passInput struct{ Body Target }

type matchesOutput struct {
	Link string `header:"Link" doc:"The next page, when there is one"`
	Body []Match
}

type seenInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// Register adds matching's operations to api.
func Register(api huma.API, s *Service) {
	h := handlers{s}
	web.Register(api, web.Member, huma.Operation{
		OperationID: "like", Method: http.MethodPost, Path: "/api/likes", Tags: []string{"matching"}, DefaultStatus: http.StatusCreated,
		Summary: "Like a member; 200 when the like was there already",
	}, h.like)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "pass", Method: http.MethodPost, Path: "/api/passes", Tags: []string{"matching"}, DefaultStatus: http.StatusNoContent,
		Summary: "Leave a member out of discovery for 30 days",
	}, h.pass)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "list-matches", Method: http.MethodGet, Path: "/api/matches", Tags: []string{"matching"},
		Summary: "The caller's matches, the newest first",
	}, h.matches)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "see-match", Method: http.MethodPost, Path: "/api/matches/{id}/seen", Tags: []string{"matching"}, DefaultStatus: http.StatusNoContent,
		Summary: "Note that a match is no longer new",
	}, h.see)
}

func (h handlers) like(ctx context.Context, in *likeInput) (*likeOutput, error) {
	to, err := in.Body.id()
	if err != nil {
		return nil, err
	}
	kind := Like
	if in.Body.LikeType == "super" || in.Body.LikeType == "super_like" {
		kind = SuperLike
	}
	actor, _ := web.ActorOf(ctx)
	result, err := h.s.Like(ctx, actor, to, kind)
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if result.Created {
		status = http.StatusCreated
	}
	return &likeOutput{Status: status, Body: result}, nil
}

func (h handlers) pass(ctx context.Context, in *passInput) (*struct{}, error) {
	to, err := in.Body.id()
	if err != nil {
		return nil, err
	}
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Pass(ctx, actor, to)
}

func (h handlers) matches(ctx context.Context, in *web.Page) (*matchesOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.Matches(ctx, actor, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	query := url.Values{"limit": {strconv.Itoa(in.Limit)}}
	return &matchesOutput{Link: web.NextLink("/api/matches", query, next), Body: list}, nil
}

func (h handlers) see(ctx context.Context, in *seenInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.See(ctx, actor, in.ID)
}
