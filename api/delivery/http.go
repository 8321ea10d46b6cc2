package delivery

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

// Register adds the operations to api.
func Register(api web.API, s *Service) {
	h := handlers{s}
	const path = "/api/mail/problem"
	web.Get(api, web.Member, "get-mail-problem", path,
		"Get why the caller's address takes no mail", h.get)
	web.Post(api, web.Member, "check-mail-address", path+"/check",
		"Check the caller's address by a mail, after which it gets all mails again; three times a day", h.check)
}

type handlers struct{ s *Service }

// MailProblemState is the problem of the caller's address.
type MailProblemState struct {
	Problem *MailProblem `json:"problem" doc:"Null if the address takes mail"`
}

// TransformSchema makes the problem nullable.
func (MailProblemState) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	return web.NullableRefs(schema, "problem")
}

type problemOutput struct{ Body MailProblemState }

func (h handlers) get(ctx context.Context, _ *struct{}) (*problemOutput, error) {
	actor, _ := web.ActorOf(ctx)
	problem, err := h.s.Problem(ctx, actor.ID)
	return &problemOutput{MailProblemState{problem}}, err
}

func (h handlers) check(ctx context.Context, _ *struct{}) (*problemOutput, error) {
	actor, _ := web.ActorOf(ctx)
	problem, err := h.s.Check(ctx, actor.ID)
	return &problemOutput{MailProblemState{problem}}, err
}
