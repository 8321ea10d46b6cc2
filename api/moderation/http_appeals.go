package moderation

import (
	"context"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerAppeals adds the operations of restricted members and those of admins on appeals.
func registerAppeals(api web.API, h handlers) {
	web.Get(api, web.Account, "get-standing", "/api/users/me/standing",
		"Get why the caller is suspended or under review, and the appeal against that", h.standing)
	web.Put(api, web.Account, "appeal", "/api/users/me/appeals/{id}",
		"Appeal against a suspension, ban or review that has an effect now, or a warning or removal of the last 180 days, once; idempotent", h.appeal, web.MaxBody(64<<10))
	web.Get(api, web.Admin, "list-appeals", "/api/admin/appeals",
		"List appeals without their contents: pending ones the oldest first, decided ones the newest decision first", h.appeals)
	web.Get(api, web.Admin, "count-appeals", "/api/admin/appeals/counts",
		"Count the pending appeals", h.countAppeals)
	web.Post(api, web.Admin, "open-appeal", "/api/admin/appeals/{id}/open",
		"Get an appeal with its text; each request is recorded in the audit log", h.openAppeal, web.MaxBody(64<<10))
	web.Put(api, web.Admin, "decide-appeal", "/api/admin/appeals/{id}",
		"Decide on an appeal; idempotent", h.decideAppeal, web.MaxBody(64<<10))
	web.Get(api, web.Admin, "get-removed-file", "/api/admin/appeals/{id}/files/{fileId}/{variant}",
		"Get a file that the appealed decision removed, of a pending appeal that the caller has opened within the last day; each request is recorded in the audit log", h.removedFile, fileResponse)
}

// TransformSchema marks the references that may be null.
func (Standing) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "sanction", "appeal", "statement")
}

// TransformSchema marks the references that may be null.
func (OwnSanction) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "reasons")
}

// TransformSchema marks the references that may be null.
func (QueuedAppeal) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "user")
}

// TransformSchema marks the references that may be null.
func (OpenedAppeal) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "user")
}

type standingOutput struct{ Body Standing }

func (h handlers) standing(ctx context.Context, _ *struct{}) (*standingOutput, error) {
	actor, _ := web.ActorOf(ctx)
	standing, err := h.s.Standing(ctx, actor)
	return &standingOutput{standing}, err
}

type appealInput struct {
	ID   uuid.UUID `path:"id" format:"uuid" doc:"The id of the sanction"`
	Body struct {
		Text string `json:"text" minLength:"1" maxLength:"2000"`
	}
}

func (h handlers) appeal(ctx context.Context, in *appealInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Appeal(ctx, actor, in.ID, in.Body.Text)
}

type appealsInput struct {
	web.Page
	Status string `query:"status" enum:"pending,decided" default:"pending"`
}

type appealsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []QueuedAppeal
}

func (h handlers) appeals(ctx context.Context, in *appealsInput) (*appealsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.Appeals(ctx, actor.ID, in.Status == "pending", in.Cursor, in.Limit)
	query := url.Values{"limit": {strconv.Itoa(in.Limit)}, "status": {in.Status}}
	return &appealsOutput{Link: web.NextLink("/api/admin/appeals", query, next), Body: list}, err
}

type appealCountsOutput struct{ Body AppealCounts }

func (h handlers) countAppeals(ctx context.Context, _ *struct{}) (*appealCountsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	counts, err := h.s.CountAppeals(ctx, actor.ID)
	return &appealCountsOutput{counts}, err
}

type openAppealOutput struct{ Body OpenedAppeal }

func (h handlers) openAppeal(ctx context.Context, in *openInput) (*openAppealOutput, error) {
	actor, _ := web.ActorOf(ctx)
	appeal, err := h.s.OpenAppeal(ctx, actor.ID, in.ID, in.Body.Reason)
	return &openAppealOutput{appeal}, err
}

type decideAppealInput struct {
	ID   uuid.UUID `path:"id" format:"uuid" doc:"The id of the sanction"`
	Body struct {
		Outcome     string `json:"outcome" enum:"upheld,lifted"`
		Explanation string `json:"explanation" minLength:"1" maxLength:"500" doc:"Mailed to the member"`
		Reason      string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

func (h handlers) decideAppeal(ctx context.Context, in *decideAppealInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.DecideAppeal(ctx, actor.ID, in.ID, AppealDecision{
		Outcome: in.Body.Outcome, Explanation: in.Body.Explanation, Reason: in.Body.Reason, OpenedOnly: true,
	})
}

type removedFileInput struct {
	ID uuid.UUID `path:"id" format:"uuid" doc:"The id of the sanction"`
	FileInput
}

func (h handlers) removedFile(ctx context.Context, in *removedFileInput) (*huma.StreamResponse, error) {
	return in.send(ctx, in.ID, h.s.OpenRemovedFile)
}
