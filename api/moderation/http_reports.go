package moderation

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/web"
)

// registerReports adds the admins' operations on reports.
func registerReports(api web.API, h handlers) {
	web.Get(api, web.Moderator, "list-reports", "/api/admin/reports",
		"List reports without their contents: pending ones by priority and age, others the newest decision first", h.reports)
	web.Get(api, web.Moderator, "count-reports", "/api/admin/reports/counts",
		"Count the reports by status", h.countReports)
	web.Post(api, web.Moderator, "open-report", "/api/admin/reports/{id}/open",
		"Get a report with its evidence, for a day also the files; each request is recorded in the audit log", h.openReport, web.MaxBody(64<<10))
	web.Put(api, web.Moderator, "decide-report", "/api/admin/reports/{id}",
		"Decide on a report; idempotent", h.decideReport, web.MaxBody(64<<10))
	web.Put(api, web.Moderator, "ask-age", "/api/admin/reports/{id}/age-check",
		"Ask the reported member, whom the report hides, to show the age, without a sanction; idempotent", h.askAge, web.MaxBody(64<<10))
	web.Get(api, web.Moderator, "get-reported-file", "/api/admin/reports/{id}/files/{fileId}/{variant}",
		"Get a file of a pending report that the caller has opened within the last day; each request is recorded in the audit log", h.reportedFile, fileResponse)
}

// TransformSchema marks the references that may be null.
func (QueuedReport) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "reporter", "reportedUser")
}

// TransformSchema marks the references that may be null.
func (OpenedReport) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "reporter", "reportedUser", "evidence", "statement")
}

// TransformSchema marks the references that may be null.
func (Addition) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "evidence")
}

// TransformSchema marks the references that may be null.
func (Evidence) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "like")
}

type reportsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []QueuedReport
}

type reportsInput struct {
	web.Page
	Status string `query:"status" enum:"pending,reviewed,resolved" default:"pending"`
	Reason Reason `query:"reason" enum:"underage" doc:"Only reports for this reason"`
}

func (h handlers) reports(ctx context.Context, in *reportsInput) (*reportsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.Reports(ctx, actor.ID, in.Status, in.Reason, in.Cursor, in.Limit)
	query := url.Values{"limit": {strconv.Itoa(in.Limit)}, "status": {in.Status}}
	if in.Reason != "" {
		query.Set("reason", string(in.Reason))
	}
	return &reportsOutput{Link: web.NextLink("/api/admin/reports", query, next), Body: list}, err
}

type reportCountsOutput struct{ Body ReportCounts }

func (h handlers) countReports(ctx context.Context, _ *struct{}) (*reportCountsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	counts, err := h.s.CountReports(ctx, actor.ID)
	return &reportCountsOutput{counts}, err
}

// openInput is the input of the operations that show the contents of a report, a flag or an appeal, and of ask-age.
type openInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

type openReportOutput struct{ Body OpenedReport }

func (h handlers) openReport(ctx context.Context, in *openInput) (*openReportOutput, error) {
	actor, _ := web.ActorOf(ctx)
	report, err := h.s.OpenReport(ctx, actor.ID, in.ID, in.Body.Reason)
	return &openReportOutput{report}, err
}

type decideReportInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Decision    string                `json:"decision,omitempty" enum:"no_action,keep_apart,warn,remove,suspend,ban,not_of_age" doc:"remove takes the named parts off the profile and does nothing else; keep_apart is for a possible second account: those who blocked the first stay hidden from it, and nobody is told; ban and not_of_age are for admins only; not_of_age also deletes the account after 30 days, unless an appeal is lifted"`
		Status      string                `json:"status,omitempty" enum:"reviewed,resolved" doc:"In place of the decision: reviewed warns the member, resolved suspends them for a week"`
		ActionTaken string                `json:"actionTaken,omitempty" maxLength:"500" doc:"With a status: the reason"`
		Parts       []members.ProfilePart `json:"parts,omitempty" maxItems:"30" doc:"What is removed from the profile: required for remove, possible with warn, suspend and ban, and with a status. A part that is gone or has changed stays; Conflict if all are"`
		SanctionBody
	}
}

func (h handlers) decideReport(ctx context.Context, in *decideReportInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	decision, err := in.decision(!actor.Admin, time.Now())
	if err != nil {
		return nil, err
	}
	return nil, h.s.DecideReport(ctx, actor.ID, in.ID, decision)
}

func (h handlers) askAge(ctx context.Context, in *openInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.AskAge(ctx, actor.ID, in.ID, in.Body.Reason)
}

type reportedFileInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
	FileInput
}

func (h handlers) reportedFile(ctx context.Context, in *reportedFileInput) (*huma.StreamResponse, error) {
	return in.send(ctx, in.ID, h.s.OpenReportedFile)
}
