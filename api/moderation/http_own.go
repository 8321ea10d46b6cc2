package moderation

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

// registerOwn adds the operations on what concerns the caller.
func registerOwn(api web.API, h handlers) {
	web.Get(api, web.Member, "list-own-reports", "/api/reports",
		"List the caller's reports with their outcome, the newest first", h.ownReports)
	web.Get(api, web.Account, "list-own-decisions", "/api/users/me/decisions",
		"List the newest 50 decisions of moderators about the caller's account, with the appeals against them", h.ownDecisions)
	web.Put(api, web.Account, "state", "/api/users/me/statement",
		"Tell the moderator the own side while a report hides the profile, once; idempotent", h.state, web.MaxBody(64<<10))
}

// TransformSchema marks the references that may be null.
func (OwnReport) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "user")
}

// TransformSchema marks the references that may be null.
func (OwnDecision) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "appeal", "reasons")
}

type ownReportsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []OwnReport
}

func (h handlers) ownReports(ctx context.Context, in *web.Page) (*ownReportsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.OwnReports(ctx, actor, in.Cursor, in.Limit)
	query := in.Query()
	return &ownReportsOutput{Link: web.NextLink("/api/reports", query, next), Body: list}, err
}

type ownDecisionsOutput struct{ Body []OwnDecision }

func (h handlers) ownDecisions(ctx context.Context, _ *struct{}) (*ownDecisionsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, err := h.s.OwnDecisions(ctx, actor)
	return &ownDecisionsOutput{list}, err
}

type stateInput struct {
	Body struct {
		Text string `json:"text" minLength:"1" maxLength:"2000"`
	}
}

func (h handlers) state(ctx context.Context, in *stateInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.State(ctx, actor, in.Body.Text)
}
