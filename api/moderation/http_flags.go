package moderation

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerFlags adds the admins' operations on flagged messages.
func registerFlags(api web.API, h handlers) {
	web.Get(api, web.Moderator, "list-flags", "/api/admin/flags",
		"List open flags without their contents: those of recipients first, then by category and age", h.flags)
	web.Post(api, web.Moderator, "open-flag", "/api/admin/flags/{id}/open",
		"Get a flagged message with its context, for a day also its files; each request is recorded in the audit log", h.openFlag, web.MaxBody(64<<10))
	web.Put(api, web.Moderator, "decide-flag", "/api/admin/flags/{id}",
		"Decide on a flagged message; idempotent", h.decideFlag, web.MaxBody(64<<10))
	web.Get(api, web.Moderator, "get-flagged-file", "/api/admin/flags/{id}/files/{fileId}/{variant}",
		"Get a file of an open flag that the caller has opened within the last day; each request is recorded in the audit log", h.flaggedFile, fileResponse)
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
	query := in.Query()
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
		Decision       string     `json:"decision" enum:"dismiss,warn,suspend,ban" doc:"A ban is for admins only"`
		SuspendedUntil *time.Time `json:"suspendedUntil,omitempty" doc:"The end of a suspension, within a year, or within 30 days if a moderator decides; only with a suspension"`
		Explanation    string     `json:"explanation,omitempty" maxLength:"500" doc:"Mailed to the sender; required unless dismissed"`
		Reason         string     `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
		Ground         Ground     `json:"ground,omitempty" enum:"rules,underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other" doc:"The rule that was broken; by default that of the category"`
	}
}

func (h handlers) decideFlag(ctx context.Context, in *decideFlagInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.DecideFlag(ctx, actor.ID, in.ID, Decision{
		Action: in.Body.Decision, SuspendedUntil: in.Body.SuspendedUntil, Explanation: in.Body.Explanation, Reason: in.Body.Reason,
		Ground: in.Body.Ground, ByModerator: !actor.Admin, OpenedOnly: true,
	})
}

type flaggedFileInput struct {
	ID uuid.UUID `path:"id" format:"uuid" doc:"The id of the flag, which is that of the message"`
	FileInput
}

func (h handlers) flaggedFile(ctx context.Context, in *flaggedFileInput) (*huma.StreamResponse, error) {
	return in.send(ctx, in.ID, h.s.OpenFlaggedFile)
}
