package moderation

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerFlags adds the admins' operations on flagged messages.
func registerFlags(api huma.API, h handlers) {
	web.Register(api, web.Moderator, op("list-flags", http.MethodGet, "/api/admin/flags",
		"List open flags without their contents: those of recipients first, then by category and age", http.StatusOK), h.flags)
	open := op("open-flag", http.MethodPost, "/api/admin/flags/{id}/open",
		"Get a flagged message with its context, for an hour also its files; each request is recorded in the audit log", http.StatusOK)
	open.MaxBodyBytes = 64 << 10
	web.Register(api, web.Moderator, open, h.openFlag)
	decide := op("decide-flag", http.MethodPut, "/api/admin/flags/{id}",
		"Decide on a flagged message", http.StatusNoContent)
	decide.MaxBodyBytes = 64 << 10
	web.Register(api, web.Moderator, decide, h.decideFlag)
	registerFiles(api, h)
}

type flagsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []QueuedFlag
}

// TransformSchema marks the references that may be null.
func (QueuedFlag) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "sender", "receiver")
}

// TransformSchema marks the references that may be null.
func (Flag) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "sender", "receiver")
}

func (h handlers) flags(ctx context.Context, in *web.Page) (*flagsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.Flags(ctx, actor.ID, in.Cursor, in.Limit)
	query := url.Values{"limit": {strconv.Itoa(in.Limit)}}
	return &flagsOutput{Link: web.NextLink("/api/admin/flags", query, next), Body: list}, err
}

type openFlagOutput struct{ Body Flag }

func (h handlers) openFlag(ctx context.Context, in *openInput) (*openFlagOutput, error) {
	actor, _ := web.ActorOf(ctx)
	flag, err := h.s.OpenFlag(ctx, actor.ID, in.ID, in.Body.Reason)
	return &openFlagOutput{flag}, err
}

type decideFlagInput struct {
	ID   uuid.UUID `path:"id" format:"uuid" doc:"The id of the flag, which is that of the message"`
	Body struct {
		Decision string `json:"decision" enum:"dismiss,warn,suspend" doc:"A suspension, which has no end, is for admins only"`
		Reason   string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

func (h handlers) decideFlag(ctx context.Context, in *decideFlagInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	if in.Body.Decision == Suspend && !actor.Admin {
		return nil, errAdminDecides
	}
	return nil, h.s.DecideFlag(ctx, actor.ID, in.ID, in.Body.Decision, in.Body.Reason)
}
