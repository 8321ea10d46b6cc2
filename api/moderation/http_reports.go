package moderation

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/blobs"
	"heartward/api/platform/web"
)

// registerReports adds the admins' operations on reports.
func registerReports(api huma.API, h handlers) {
	web.Register(api, web.Admin, op("list-reports", http.MethodGet, "/api/admin/reports",
		"List pending reports without their contents, by priority and age", http.StatusOK), h.reports)
	web.Register(api, web.Admin, op("open-report", http.MethodGet, "/api/admin/reports/{id}",
		"Get a report with its evidence; each request is recorded in the audit log", http.StatusOK), h.openReport)
	decide := op("decide-report", http.MethodPut, "/api/admin/reports/{id}",
		"Decide on a report; idempotent", http.StatusNoContent)
	decide.MaxBodyBytes = 64 << 10
	web.Register(api, web.Admin, decide, h.decideReport)
	read := op("get-reported-file", http.MethodGet, "/api/admin/reports/{id}/files/{fileId}/{variant}",
		"Get a file of a pending report; each request is recorded in the audit log", http.StatusOK)
	read.Responses = fileResponses
	web.Register(api, web.Admin, read, h.reportedFile)
}

// TransformSchema marks the references that may be null.
func (QueuedReport) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "reporter", "reportedUser")
}

// TransformSchema marks the references that may be null.
func (OpenedReport) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "reporter", "reportedUser", "evidence")
}

// TransformSchema marks the references that may be null.
func (Evidence) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "like")
}

type reportsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []QueuedReport
}

func (h handlers) reports(ctx context.Context, in *web.Page) (*reportsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.Reports(ctx, actor.ID, in.Cursor, in.Limit)
	query := url.Values{"limit": {strconv.Itoa(in.Limit)}}
	return &reportsOutput{Link: web.NextLink("/api/admin/reports", query, next), Body: list}, err
}

type openReportInput struct {
	ID     uuid.UUID `path:"id" format:"uuid"`
	Reason string    `query:"reason" required:"true" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
}

type openReportOutput struct{ Body OpenedReport }

func (h handlers) openReport(ctx context.Context, in *openReportInput) (*openReportOutput, error) {
	actor, _ := web.ActorOf(ctx)
	report, err := h.s.OpenReport(ctx, actor.ID, in.ID, in.Reason)
	return &openReportOutput{report}, err
}

type decideReportInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Decision       string     `json:"decision" enum:"no_action,warn,suspend,ban"`
		SuspendedUntil *time.Time `json:"suspendedUntil,omitempty" doc:"The end of a suspension, within a year; only with suspend"`
		Explanation    string     `json:"explanation,omitempty" maxLength:"500" doc:"Mailed to the reported member, so it must not reveal the reporter; required unless no_action"`
		Reason         string     `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

func (h handlers) decideReport(ctx context.Context, in *decideReportInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.DecideReport(ctx, actor.ID, in.ID, Decision{
		Action: in.Body.Decision, SuspendedUntil: in.Body.SuspendedUntil, Explanation: in.Body.Explanation, Reason: in.Body.Reason,
	})
}

type reportedFileInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	FileID  uuid.UUID `path:"fileId" format:"uuid"`
	Variant string    `path:"variant" maxLength:"20"`
	Reason  string    `query:"reason" required:"true" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	Range   string    `header:"Range" maxLength:"100"`
}

func (h handlers) reportedFile(ctx context.Context, in *reportedFileInput) (*huma.StreamResponse, error) {
	actor, _ := web.ActorOf(ctx)
	file, err := h.s.OpenReportedFile(ctx, actor.ID, in.ID, in.FileID, in.Variant, in.Reason)
	if err != nil {
		return nil, err
	}
	return file.Send(ctx, blobs.Conditions{Range: in.Range})
}
