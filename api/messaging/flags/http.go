package flags

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/messaging/messages"
	"heartward/api/platform/web"
)

// Register adds this package's operations. All of them are for members.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Post(api, web.Member, "check-message", "/api/messages/check",
		"Check whether the sender should reconsider a text, without storing it", h.check)
	web.Put(api, web.Member, "answer-flag", "/api/conversations/{id}/messages/{seq}/flag",
		"Answer whether a received message bothers the caller", h.answerFlag)
}

type handlers struct{ s *Service }

type checkMessageInput struct {
	Body struct {
		RecipientID uuid.UUID `json:"recipientId" format:"uuid" doc:"The other member"`
		Content     string    `json:"content" minLength:"1" maxLength:"4000"`
	}
}

type checkMessageOutput struct {
	Body Checked
}

// Checked is the result of the check of a text.
type Checked struct {
	Nudge *Nudge `json:"nudge" doc:"Null if the filter finds nothing"`
}

// TransformSchema makes nudge nullable.
func (Checked) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "nudge")
}

func (h handlers) check(ctx context.Context, in *checkMessageInput) (*checkMessageOutput, error) {
	actor, _ := web.ActorOf(ctx)
	nudge, err := h.s.Check(ctx, actor, in.Body.RecipientID, in.Body.Content)
	return &checkMessageOutput{Checked{nudge}}, err
}

type answerFlagInput struct {
	messages.MessagePath
	Body struct {
		Answer string `json:"answer" enum:"fine,bothers"`
	}
}

type messageOutput struct{ Body messages.Message }

func (h handlers) answerFlag(ctx context.Context, in *answerFlagInput) (*messageOutput, error) {
	actor, _ := web.ActorOf(ctx)
	message, err := h.s.Answer(ctx, actor, in.ID, in.Seq, in.Body.Answer)
	return &messageOutput{message}, err
}
