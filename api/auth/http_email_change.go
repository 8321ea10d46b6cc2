package auth

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

func registerEmailChange(api web.API, s *Service) {
	const path = "/api/auth/email"
	web.Get(api, web.Member, "get-email-change", path,
		"Get the caller's unfinished change of the address", s.getEmailChange)
	web.Post(api, web.Member, "start-email-change", path,
		"Mail codes to a new address and to the caller's current one", s.startEmailChange)
	web.Post(api, web.Member, "confirm-email-change", path+"/confirm",
		"Enter the code from one of the two addresses; the second one changes the address", s.confirmEmailChange)
	web.Post(api, web.Member, "wait-for-email-change", path+"/wait",
		"Change the address in seven days, without the code from the current one", s.waitForEmailChange)
	web.Delete(api, web.Member, "cancel-email-change", path,
		"Stop the caller's change of the address", s.cancelEmailChange)
}

// EmailChangeState is the state of a change of the caller's address.
type EmailChangeState struct {
	Change  *EmailChange `json:"change"`
	Changed bool         `json:"changed" doc:"The caller's account has the new address now"`
}

// TransformSchema makes the change nullable.
func (EmailChangeState) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	return web.NullableRefs(schema, "change")
}

type emailChangeOutput struct{ Body EmailChangeState }

func emailChangeResponse(change *EmailChange, changed bool, err error) (*emailChangeOutput, error) {
	return &emailChangeOutput{Body: EmailChangeState{Change: change, Changed: changed}}, err
}

func (s *Service) getEmailChange(ctx context.Context, _ *struct{}) (*emailChangeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	change, err := s.EmailChange(ctx, actor)
	return emailChangeResponse(change, false, err)
}

type startEmailChangeInput struct {
	Body struct {
		Email string `json:"email" maxLength:"300"`
	}
}

func (s *Service) startEmailChange(ctx context.Context, in *startEmailChangeInput) (*emailChangeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	change, err := s.StartEmailChange(ctx, actor, in.Body.Email)
	web.LogSecurity(ctx, web.EventEmail, err, "step", "start")
	return emailChangeResponse(change, false, err)
}

type confirmEmailChangeInput struct {
	Body struct {
		Address string `json:"address" enum:"new,current" doc:"The address that got the code"`
		Code    string `json:"code" maxLength:"20"`
	}
}

func (s *Service) confirmEmailChange(ctx context.Context, in *confirmEmailChangeInput) (*emailChangeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	change, changed, err := s.ConfirmEmail(ctx, actor, in.Body.Address, in.Body.Code)
	web.LogSecurity(ctx, web.EventEmail, err, "step", "confirm", "changed", changed)
	return emailChangeResponse(change, changed, err)
}

func (s *Service) waitForEmailChange(ctx context.Context, _ *struct{}) (*emailChangeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	change, err := s.WaitForEmail(ctx, actor)
	web.LogSecurity(ctx, web.EventEmail, err, "step", "wait")
	return emailChangeResponse(change, false, err)
}

func (s *Service) cancelEmailChange(ctx context.Context, _ *struct{}) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	err := s.CancelEmailChange(ctx, actor)
	web.LogSecurity(ctx, web.EventEmail, err, "step", "cancel")
	return nil, err
}
