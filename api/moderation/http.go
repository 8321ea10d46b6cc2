package moderation

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// Register adds this package's operations.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Post(api, web.Member, "block", "/api/blocks",
		"Block a member: hide both from each other and end their match", h.block)
	web.Get(api, web.Member, "list-blocks", "/api/blocks",
		"List the members whom the caller has blocked, the newest first", h.blocks)
	web.Delete(api, web.Member, "unblock", "/api/blocks/{userId}",
		"Unblock a member; an ended match stays ended", h.unblock)
	web.Post(api, web.Member, "report", "/api/reports",
		"Report and block a member; 200 for what is added to an open report, and for a repetition within a day", h.report, web.Status(http.StatusCreated))
	registerAddressBlocks(api, h)
	registerFlags(api, h)
	registerReports(api, h)
	registerSanctions(api, h)
	registerPreview(api, h)
	registerStaffNotes(api, h)
	registerAppeals(api, h)
	registerOwn(api, h)
	registerAudit(api, h)
	registerSafety(api, h)
}

type handlers struct{ s *Service }

type blockInput struct {
	Body struct {
		UserID uuid.UUID `json:"userId" format:"uuid"`
	}
}

func (h handlers) block(ctx context.Context, in *blockInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Block(ctx, actor, in.Body.UserID)
}

type unblockInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
}

func (h handlers) unblock(ctx context.Context, in *unblockInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Unblock(ctx, actor, in.UserID)
}

type blocksOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Blocked
}

func (h handlers) blocks(ctx context.Context, in *web.Page) (*blocksOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.Blocks(ctx, actor, in.Cursor, in.Limit)
	query := in.Query()
	return &blocksOutput{Link: web.NextLink("/api/blocks", query, next), Body: list}, err
}

type reportInput struct {
	Body struct {
		UserID      uuid.UUID `json:"userId" format:"uuid"`
		Reason      Reason    `json:"reason" enum:"underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other"`
		Description string    `json:"description,omitempty" maxLength:"2000"`
		Place       string    `json:"place" enum:"card,profile,match,conversation,likes" doc:"The screen on which the member was shown"`
	}
}

type reportOutput struct {
	Status int
	Body   ReportReceipt
}

func (h handlers) report(ctx context.Context, in *reportInput) (*reportOutput, error) {
	actor, _ := web.ActorOf(ctx)
	receipt, err := h.s.Report(ctx, actor, ReportInput{
		UserID: in.Body.UserID, Reason: in.Body.Reason, Description: in.Body.Description, Place: in.Body.Place,
	})
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if receipt.Created {
		status = http.StatusCreated
	}
	return &reportOutput{status, receipt}, nil
}
