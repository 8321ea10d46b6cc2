package messaging

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerChanges adds what is done to messages that are there already.
func registerChanges(api huma.API, h handlers) {
	web.Register(api, web.Member, op("react", http.MethodPut, "/api/conversations/{id}/messages/{seq}/reaction",
		"React to a message with one emoji, in place of the one before"), h.react)
	web.Register(api, web.Member, op("unreact", http.MethodDelete, "/api/conversations/{id}/messages/{seq}/reaction",
		"Take my reaction back"), h.unreact)
	web.Register(api, web.Member, op("delete-message", http.MethodDelete, "/api/conversations/{id}/messages/{seq}",
		"Take my message back: nothing of it is left"), h.deleteMessage)
	web.Register(api, web.Member, op("list-changes", http.MethodGet, "/api/conversations/{id}/changes",
		"Messages that were changed after a rev, in the order of their changes"), h.changes)
}

// MessagePath names one message of a conversation. Its name is exported because
// an embedded struct whose name is not is passed over where parameters are read.
type MessagePath struct {
	ID  uuid.UUID `path:"id" format:"uuid" doc:"Of the conversation, the match or the other member"`
	Seq int64     `path:"seq" minimum:"1" doc:"The message's place"`
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
	ID    uuid.UUID `path:"id" format:"uuid" doc:"Of the conversation, the match or the other member"`
	After int64     `query:"after" minimum:"0" default:"0" doc:"The newest rev that is known"`
	Limit int       `query:"limit" minimum:"1" maximum:"50" default:"50"`
}

type changesOutput struct {
	Link string `header:"Link" doc:"The next page, when there is one"`
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
