package messages

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerChanges adds the operations that change stored messages, and the list of changes.
func registerChanges(api web.API, h handlers) {
	web.Put(api, web.Member, "react", "/api/conversations/{id}/messages/{seq}/reaction",
		"React to a message with one emoji, which replaces an earlier one", h.react)
	web.Delete(api, web.Member, "unreact", "/api/conversations/{id}/messages/{seq}/reaction",
		"Remove the caller's reaction", h.unreact)
	web.Delete(api, web.Member, "delete-message", "/api/conversations/{id}/messages/{seq}",
		"Delete the content of the caller's message for both members", h.deleteMessage)
	web.Get(api, web.Member, "list-changes", "/api/conversations/{id}/changes",
		"List messages with a rev above the given one, in the order of rev", h.changes)
}

// MessagePath identifies a message of a conversation. It is exported because Huma
// ignores the parameters of unexported embedded structs.
type MessagePath struct {
	ID  uuid.UUID `path:"id" format:"uuid" doc:"The id of the conversation, the match or the other member"`
	Seq int64     `path:"seq" minimum:"1" doc:"The seq of the message"`
}

type messageOutput struct{ Body Message }

type reactInput struct {
	MessagePath
	Body struct {
		Emoji string `json:"emoji" minLength:"1" maxLength:"16" doc:"One emoji"`
	}
}

func (h handlers) react(ctx context.Context, in *reactInput) (*messageOutput, error) {
	actor, _ := web.ActorOf(ctx)
	message, err := h.s.React(ctx, actor, in.ID, in.Seq, in.Body.Emoji)
	return &messageOutput{message}, err
}

func (h handlers) unreact(ctx context.Context, in *MessagePath) (*messageOutput, error) {
	actor, _ := web.ActorOf(ctx)
	message, err := h.s.React(ctx, actor, in.ID, in.Seq, "")
	return &messageOutput{message}, err
}

func (h handlers) deleteMessage(ctx context.Context, in *MessagePath) (*messageOutput, error) {
	actor, _ := web.ActorOf(ctx)
	message, err := h.s.Delete(ctx, actor, in.ID, in.Seq)
	return &messageOutput{message}, err
}

type changesInput struct {
	ID    uuid.UUID `path:"id" format:"uuid" doc:"The id of the conversation, the match or the other member"`
	After int64     `query:"after" minimum:"0" default:"0" doc:"The highest rev on the device"`
	Limit int       `query:"limit" minimum:"1" maximum:"50" default:"50"`
}

type changesOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Message
}

func (h handlers) changes(ctx context.Context, in *changesInput) (*changesOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, more, err := h.s.Changes(ctx, actor, in.ID, in.After, in.Limit)
	out := &changesOutput{Body: list}
	if more {
		out.Link = "</api/conversations/" + in.ID.String() + "/changes?after=" + strconv.FormatInt(list[len(list)-1].Rev, 10) + `>; rel="next"`
	}
	return out, err
}
