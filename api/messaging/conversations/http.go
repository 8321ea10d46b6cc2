package conversations

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// Register adds this package's operations. All of them are for members.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Get(api, web.Member, "list-conversations", "/api/conversations",
		"List the caller's conversations, the newest message first", h.conversations)
	web.Get(api, web.Member, "list-conversations-of", "/api/conversations/{userId}",
		"List the caller's conversations; the id must be the caller's", h.conversationsOf)
	web.Put(api, web.Member, "set-conversation", "/api/conversations/{id}/settings",
		"Pin, mute or archive a conversation, or show its pictures, for the caller", h.settings)
	web.Delete(api, web.Member, "leave-conversation", "/api/conversations/{id}",
		"End a conversation and its match permanently", h.leave)
	web.Get(api, web.Member, "sync", "/api/sync",
		"List the conversations that changed since the cursor", h.sync)
}

type handlers struct{ s *Service }

type conversationsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Conversation
}

type conversationsInput struct {
	web.Page
	With uuid.UUID `query:"with" format:"uuid" doc:"Only the conversation of this id, of this match or with this member; without one the list is empty"`
}

func (h handlers) conversations(ctx context.Context, in *conversationsInput) (*conversationsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	if in.With != uuid.Nil {
		return h.conversationWith(ctx, actor, in.With)
	}
	list, next, err := h.s.List(ctx, actor, in.Cursor, in.Limit)
	return &conversationsOutput{Link: web.NextLink("/api/conversations", nil, next), Body: list}, err
}

type conversationsOfInput struct {
	web.Page
	UserID uuid.UUID `path:"userId" format:"uuid"`
}

func (h handlers) conversationsOf(ctx context.Context, in *conversationsOfInput) (*conversationsOutput, error) {
	if err := MustBeSelf(ctx, in.UserID); err != nil {
		return nil, err
	}
	return h.conversations(ctx, &conversationsInput{Page: in.Page})
}

// conversationWith returns the list of the one conversation, which is empty if there is
// none: a browser logs a 404, and the app asks before the first request to a member.
func (h handlers) conversationWith(ctx context.Context, actor web.Actor, id uuid.UUID) (*conversationsOutput, error) {
	conversation, err := h.s.Get(ctx, actor, id)
	if fault.Is(err, fault.NotFound) {
		return &conversationsOutput{Body: []Conversation{}}, nil
	}
	return &conversationsOutput{Body: []Conversation{conversation}}, err
}

type conversationOutput struct{ Body Conversation }

// TransformSchema makes lastMessage nullable, which no tag can do for an object.
func (Conversation) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties["lastMessage"] = &huma.Schema{OneOf: []*huma.Schema{s.Properties["lastMessage"], {Type: "null"}}}
	return s
}

type settingsInput struct {
	ID   uuid.UUID `path:"id" format:"uuid" doc:"The id of the conversation, the match or the other member"`
	Body struct {
		Pinned        *bool  `json:"pinned,omitempty" doc:"At most five conversations can be pinned"`
		Mute          Mute   `json:"mute,omitempty" enum:"off,hour,day,week,always" doc:"The time for which the conversation is muted"`
		Archived      *bool  `json:"archived,omitempty" doc:"An archived conversation comes back with a newer message, unless it is muted. Archiving unpins it, and pinning takes it out"`
		TurnEnded     bool   `json:"turnEnded,omitempty" enum:"true" doc:"The newest message waits for no answer of the caller"`
		LastSeq       *int64 `json:"lastSeq,omitempty" minimum:"0" doc:"For archived and turnEnded: the newest message that the caller has seen, so that neither applies to one that has just arrived. Without it, the newest"`
		PicturesShown bool   `json:"picturesShown,omitempty" enum:"true" doc:"Stop blurring the other member's pictures and videos"`
	}
}

func (h handlers) settings(ctx context.Context, in *settingsInput) (*conversationOutput, error) {
	actor, _ := web.ActorOf(ctx)
	conversation, err := h.s.Set(ctx, actor, in.ID, Settings{
		Pinned: in.Body.Pinned, Mute: in.Body.Mute, PicturesShown: in.Body.PicturesShown,
		Archived: in.Body.Archived, TurnEnded: in.Body.TurnEnded, LastSeq: in.Body.LastSeq,
	})
	return &conversationOutput{conversation}, err
}

type ownConversationInput struct {
	ID uuid.UUID `path:"id" format:"uuid" doc:"The id of the conversation"`
}

func (h handlers) leave(ctx context.Context, in *ownConversationInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Leave(ctx, actor, in.ID)
}

type syncInput struct {
	Cursor string `query:"cursor" maxLength:"600"`
	Limit  int    `query:"limit" minimum:"1" maximum:"50" default:"50"`
}

type syncOutput struct{ Body Delta }

func (h handlers) sync(ctx context.Context, in *syncInput) (*syncOutput, error) {
	actor, _ := web.ActorOf(ctx)
	delta, err := h.s.Sync(ctx, actor, in.Cursor, in.Limit)
	return &syncOutput{delta}, err
}

// MustBeSelf returns NotFound for the id of another member.
func MustBeSelf(ctx context.Context, id uuid.UUID) error {
	if actor, _ := web.ActorOf(ctx); actor.ID != id {
		return fault.New(fault.NotFound, "We could not find that.")
	}
	return nil
}
