package verification

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/media"
	"heartward/api/platform/web"
)

// Register adds the operations on verification to api.
func Register(api web.API, s *Service) {
	web.Get(api, web.Member, "get-verification", "/api/verification",
		"Get the state of the caller's verification", s.get)
	web.Post(api, web.Member, "request-verification-pose", "/api/verification",
		"Request a pose, as often a day as the settings allow", s.requestPose)
	web.Put(api, web.Member, "submit-selfie", "/api/verification/selfie",
		"Submit a selfie in the requested pose, from an upload for the profile; idempotent", s.submit, web.MaxBody(8<<10), web.Timeout(media.FileTimeout))
	web.Get(api, web.Moderator, "list-verifications", "/api/admin/verifications",
		"List pending verifications without their pictures, the oldest first", s.list)
	web.Post(api, web.Moderator, "open-verification", "/api/admin/verifications/{id}/open",
		"Get a pending selfie and the member's photos, whose files can then be read for an hour; each request is recorded in the audit log", s.open, web.MaxBody(64<<10))
	web.Put(api, web.Moderator, "decide-verification", "/api/admin/verifications/{id}",
		"Approve or reject a selfie", s.decide, web.MaxBody(64<<10))
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
