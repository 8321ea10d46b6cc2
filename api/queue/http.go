package queue

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// Register adds the operations on the queue to api.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Get(api, web.Moderator, "list-queue", "/api/admin/queue",
		"List all that waits for a moderator and that the caller may decide, without contents, by urgency and age", h.list)
	web.Get(api, web.Moderator, "count-queue", "/api/admin/queue/counts",
		"Count what the caller may decide, by kind", h.counts)
	web.Delete(api, web.Moderator, "release-queue-entry", "/api/admin/queue/{kind}/{id}/claim",
		"End the caller's claim on an entry, so that others can open it; idempotent", h.release)
}

type handlers struct{ s *Service }

// TransformSchema marks the references that may be null.
func (WaitingEntry) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "member", "partner", "claim")
}

type listInput struct {
	web.Page
	Kind Kind `query:"kind" enum:"report,flag,appeal,verification,profile,graduation,post,comment,birth_date" doc:"Only of this kind"`
}

type listOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []WaitingEntry
}

func (h handlers) list(ctx context.Context, in *listInput) (*listOutput, error) {
	actor, _ := web.ActorOf(ctx)
	entries, next, err := h.s.List(ctx, actor, in.Kind, in.Page)
	query := in.Page.Query()
	if in.Kind != "" {
		query.Set("kind", string(in.Kind))
	}
	return &listOutput{web.NextLink("/api/admin/queue", query, next), entries}, err
}

type countsOutput struct{ Body []KindCount }

func (h handlers) counts(ctx context.Context, _ *struct{}) (*countsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	counts, err := h.s.Counts(ctx, actor)
	return &countsOutput{counts}, err
}

type releaseInput struct {
	Kind Kind      `path:"kind" enum:"report,flag,appeal,verification,profile,graduation,post,comment,birth_date"`
	ID   uuid.UUID `path:"id" format:"uuid"`
}

func (h handlers) release(ctx context.Context, in *releaseInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Release(ctx, actor.ID, in.Kind, in.ID)
}
