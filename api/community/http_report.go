package community

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/moderation"
	"heartward/api/platform/web"
)

// registerReports adds the operations by which members report posts and comments, and everyone an issue.
func registerReports(api web.API, h handlers) {
	web.Post(api, web.Member, "report-post", "/api/community/posts/{id}/report",
		"Report a post; 200 for a repeated report within a day", h.reportPost, web.Status(http.StatusCreated))
	web.Post(api, web.Member, "report-comment", "/api/community/comments/{id}/report",
		"Report a comment; 200 for a repeated report within a day", h.reportComment, web.Status(http.StatusCreated))
	web.Post(api, web.Anyone, "report-issue", "/api/community/issues",
		"Report an issue without naming a member; also signed out", h.reportIssue, web.Status(http.StatusCreated))
}

type reportContentInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason      moderation.Reason `json:"reason" enum:"underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other"`
		Description string            `json:"description,omitempty" maxLength:"2000"`
	}
}

type reportContentOutput struct {
	Status int
	Body   moderation.ReportReceipt
}

func newReceipt(receipt moderation.ReportReceipt, err error) (*reportContentOutput, error) {
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if receipt.Created {
		status = http.StatusCreated
	}
	return &reportContentOutput{status, receipt}, nil
}

func (h handlers) reportPost(ctx context.Context, in *reportContentInput) (*reportContentOutput, error) {
	actor, _ := web.ActorOf(ctx)
	return newReceipt(h.s.ReportPost(ctx, actor.ID, in.ID, in.Body.Reason, in.Body.Description))
}

func (h handlers) reportComment(ctx context.Context, in *reportContentInput) (*reportContentOutput, error) {
	actor, _ := web.ActorOf(ctx)
	return newReceipt(h.s.ReportComment(ctx, actor.ID, in.ID, in.Body.Reason, in.Body.Description))
}

type issueInput struct {
	Body struct {
		Kind        string  `json:"kind" enum:"safety,technical,account,community,other"`
		Description string  `json:"description" minLength:"10" maxLength:"2000"`
		Email       *string `json:"email,omitempty" nullable:"true" maxLength:"254" doc:"For the answer, signed out; members are answered at their own address"`
	}
}

type issueOutput struct{ Body moderation.IssueReceipt }

func (h handlers) reportIssue(ctx context.Context, in *issueInput) (*issueOutput, error) {
	actor, _ := web.ActorOf(ctx)
	issue := moderation.Issue{Kind: in.Body.Kind, Description: in.Body.Description, Client: web.ClientOf(ctx), LimitScale: h.s.scale}
	if in.Body.Email != nil {
		issue.Address = *in.Body.Email
	}
	receipt, err := h.s.moderation.ReportIssue(ctx, actor.ID, issue)
	return &issueOutput{receipt}, err
}
