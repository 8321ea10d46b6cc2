package messaging

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerRequests adds the operations on requests, the member's own settings of a
// conversation, and the search.
func registerRequests(api web.API, h handlers) {
	web.Post(api, web.Member, "request-conversation", "/api/messages/requests",
		"Send a request: one text to a member without a match", h.request, web.Status(http.StatusCreated))
	web.Post(api, web.Member, "accept-request", "/api/conversations/{id}/accept",
		"Accept a request to the caller", h.accept)
	web.Post(api, web.Member, "decline-request", "/api/conversations/{id}/decline",
		"Decline a request to the caller; its sender is not notified", h.decline)
	web.Delete(api, web.Member, "leave-conversation", "/api/conversations/{id}",
		"End a conversation and its match permanently", h.leave)
	web.Put(api, web.Member, "set-conversation", "/api/conversations/{id}/settings",
		"Pin, mute or archive a conversation, or show its pictures, for the caller", h.settings)
	web.Post(api, web.Member, "search-messages", "/api/messages/search",
		"Search the caller's conversations for messages that contain a text, the newest first", h.search)
}

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
	requested, err := h.s.Request(ctx, actor, Outgoing{
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

func (h handlers) accept(ctx context.Context, in *ownConversationInput) (*conversationOutput, error) {
	actor, _ := web.ActorOf(ctx)
	conversation, err := h.s.Accept(ctx, actor, in.ID)
	return &conversationOutput{conversation}, err
}

func (h handlers) decline(ctx context.Context, in *ownConversationInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Decline(ctx, actor, in.ID)
}

func (h handlers) leave(ctx context.Context, in *ownConversationInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Leave(ctx, actor, in.ID)
}

type settingsInput struct {
	ID   uuid.UUID `path:"id" format:"uuid" doc:"The id of the conversation, the match or the other member"`
	Body struct {
		Pinned        *bool `json:"pinned,omitempty" doc:"At most five conversations can be pinned"`
		Mute          Mute  `json:"mute,omitempty" enum:"off,hour,day,week,always" doc:"The time for which the conversation is muted"`
		Archived      *bool `json:"archived,omitempty" doc:"An archived conversation comes back with a newer message, unless it is muted. Archiving unpins it, and pinning takes it out"`
		TurnEnded     bool  `json:"turnEnded,omitempty" enum:"true" doc:"The newest message waits for no answer of the caller"`
		PicturesShown bool  `json:"picturesShown,omitempty" enum:"true" doc:"Stop blurring the other member's pictures and videos"`
	}
}

func (h handlers) settings(ctx context.Context, in *settingsInput) (*conversationOutput, error) {
	actor, _ := web.ActorOf(ctx)
	conversation, err := h.s.Set(ctx, actor, in.ID, Settings{
		Pinned: in.Body.Pinned, Mute: in.Body.Mute, PicturesShown: in.Body.PicturesShown,
		Archived: in.Body.Archived, TurnEnded: in.Body.TurnEnded,
	})
	return &conversationOutput{conversation}, err
}

type searchInput struct {
	web.Page
	Body struct {
		Q string `json:"q" minLength:"2" maxLength:"100" doc:"The text to find; case is ignored. It is not in the address, which proxies log"`
	}
}

type searchOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Found
}

func (h handlers) search(ctx context.Context, in *searchInput) (*searchOutput, error) {
	actor, _ := web.ActorOf(ctx)
	found, next, err := h.s.Search(ctx, actor, in.Body.Q, in.Cursor, in.Limit)
	return &searchOutput{Link: web.NextLink("/api/messages/search", nil, next), Body: found}, err
}
