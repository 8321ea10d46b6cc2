package verification

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/media"
	"heartward/api/platform/web"
)

// Register adds the operations on verification to api.
func Register(api huma.API, s *Service) {
	tags := []string{"verification"}
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-verification", Method: http.MethodGet, Path: "/api/verification", Tags: tags,
		Summary: "Get the state of the caller's verification",
	}, s.get)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "request-verification-pose", Method: http.MethodPost, Path: "/api/verification", Tags: tags,
		Summary: "Request a pose, as often a day as the settings allow",
	}, s.requestPose)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "submit-selfie", Method: http.MethodPut, Path: "/api/verification/selfie", Tags: tags,
		Summary:      "Submit a selfie in the requested pose, from an upload for the profile; idempotent",
		MaxBodyBytes: 8 << 10, Metadata: map[string]any{web.TimeoutKey: media.FileTimeout},
	}, s.submit)
	web.Register(api, web.Moderator, huma.Operation{
		OperationID: "list-verifications", Method: http.MethodGet, Path: "/api/admin/verifications", Tags: tags,
		Summary: "List pending verifications without their pictures, the oldest first",
	}, s.list)
	web.Register(api, web.Moderator, huma.Operation{
		OperationID: "open-verification", Method: http.MethodPost, Path: "/api/admin/verifications/{id}/open", Tags: tags,
		Summary:      "Get a pending selfie and the member's photos, whose files can then be read for an hour; each request is recorded in the audit log",
		MaxBodyBytes: 64 << 10,
	}, s.open)
	web.Register(api, web.Moderator, huma.Operation{
		OperationID: "decide-verification", Method: http.MethodPut, Path: "/api/admin/verifications/{id}", Tags: tags,
		Summary: "Approve or reject a selfie", DefaultStatus: http.StatusNoContent, MaxBodyBytes: 64 << 10,
	}, s.decide)
}

type statusOutput struct{ Body Status }

func (s *Service) get(ctx context.Context, _ *struct{}) (*statusOutput, error) {
	actor, _ := web.ActorOf(ctx)
	status, err := s.Status(ctx, actor.ID)
	return &statusOutput{status}, err
}

func (s *Service) requestPose(ctx context.Context, _ *struct{}) (*statusOutput, error) {
	actor, _ := web.ActorOf(ctx)
	status, err := s.RequestPose(ctx, actor.ID)
	return &statusOutput{status}, err
}

type selfieInput struct {
	Body struct {
		UploadID uuid.UUID `json:"uploadId" format:"uuid" doc:"A complete upload with the picture"`
	}
}

func (s *Service) submit(ctx context.Context, in *selfieInput) (*statusOutput, error) {
	actor, _ := web.ActorOf(ctx)
	status, err := s.Submit(ctx, actor.ID, in.Body.UploadID)
	return &statusOutput{status}, err
}

type listOutput struct {
	Link string `header:"Link"`
	Body []QueuedVerification
}

func (s *Service) list(ctx context.Context, in *web.Page) (*listOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := s.Queue(ctx, actor.ID, *in)
	return &listOutput{web.NextLink("/api/admin/verifications", nil, next), list}, err
}

type openInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

type openOutput struct{ Body PendingSelfie }

func (s *Service) open(ctx context.Context, in *openInput) (*openOutput, error) {
	actor, _ := web.ActorOf(ctx)
	selfie, err := s.Open(ctx, actor.ID, in.ID, in.Body.Reason)
	return &openOutput{selfie}, err
}

type decideInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Decision string `json:"decision" enum:"approve,reject"`
		Reason   string `json:"reason" minLength:"1" maxLength:"500" doc:"Shown to a rejected member"`
	}
}

func (s *Service) decide(ctx context.Context, in *decideInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, s.Decide(ctx, actor.ID, in.ID, in.Body.Decision == "approve", in.Body.Reason)
}
