package requests

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/platform/web"
)

// Register adds this package's operations. All of them are for members.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Post(api, web.Member, "request-conversation", "/api/messages/requests",
		"Send a request: one text to a member without a match", h.request, web.Status(http.StatusCreated))
	web.Post(api, web.Member, "accept-request", "/api/conversations/{id}/accept",
		"Accept a request to the caller", h.accept)
	web.Post(api, web.Member, "decline-request", "/api/conversations/{id}/decline",
		"Decline a request to the caller; its sender is not notified", h.decline)
}

type handlers struct{ s *Service }

type requestInput struct {
	Body struct {
		RecipientID uuid.UUID `json:"recipientId" format:"uuid"`
		Content     string    `json:"content" minLength:"1" maxLength:"500"`
		ClientID    uuid.UUID `json:"clientId" format:"uuid" doc:"A UUIDv7 created by the sender, the same for each retry"`
	}
}

type requestOutput struct {
	Status int
	Body   Requested
}

func (h handlers) request(ctx context.Context, in *requestInput) (*requestOutput, error) {
	actor, _ := web.ActorOf(ctx)
	requested, err := h.s.Send(ctx, actor, messages.Outgoing{
		RecipientID: in.Body.RecipientID, Content: in.Body.Content, ClientID: in.Body.ClientID,
	})
	status := http.StatusCreated
	if requested.Repeated {
		status = http.StatusOK
	}
	return &requestOutput{Status: status, Body: requested}, err
}

type ownConversationInput struct {
	ID uuid.UUID `path:"id" format:"uuid" doc:"The id of the conversation"`
}

type conversationOutput struct{ Body conversations.Conversation }

func (h handlers) accept(ctx context.Context, in *ownConversationInput) (*conversationOutput, error) {
	actor, _ := web.ActorOf(ctx)
	conversation, err := h.s.Accept(ctx, actor, in.ID)
	return &conversationOutput{conversation}, err
}

func (h handlers) decline(ctx context.Context, in *ownConversationInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Decline(ctx, actor, in.ID)
}
