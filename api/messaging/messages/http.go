package messages

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/messaging/conversations"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// Register adds this package's operations. All of them are for members.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Get(api, web.Member, "list-messages", "/api/messages/{otherId}",
		"List messages in ascending order; without after and before, the newest ones", h.messages)
	web.Get(api, web.Member, "list-messages-of", "/api/messages/{userId}/{otherId}",
		"List messages; the first id must be the caller's", h.messagesOf)
	web.Post(api, web.Member, "send-message", "/api/messages",
		"Send a message; a retry with the same clientId returns the first result", h.send, web.Status(http.StatusCreated))
	web.Post(api, web.Member, "set-receipts", "/api/messages/{otherId}/receipts",
		"Set the seqs up to which the caller has received and read", h.receipts)
	registerChanges(api, h)
}

type handlers struct{ s *Service }

// PageQuery selects messages by seq.
type PageQuery struct {
	After  int64 `query:"after" minimum:"-1" default:"-1" doc:"Only messages after this seq"`
	Before int64 `query:"before" minimum:"-1" default:"-1" doc:"Only messages before this seq"`
	Limit  int   `query:"limit" minimum:"1" maximum:"50" default:"50"`
}

func (p *PageQuery) page() Page {
	page := Page{Limit: p.Limit}
	if p.After >= 0 {
		page.After = &p.After
	}
	if p.Before >= 0 {
		page.Before = &p.Before
	}
	return page
}

type messagesInput struct {
	OtherID uuid.UUID `path:"otherId" format:"uuid" doc:"The id of the other member, the match or the conversation"`
	PageQuery
}

type messagesOutput struct{ Body []Message }

func (h handlers) messages(ctx context.Context, in *messagesInput) (*messagesOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, err := h.s.List(ctx, actor, in.OtherID, in.page())
	return &messagesOutput{list}, err
}

type messagesOfInput struct {
	UserID  uuid.UUID `path:"userId" format:"uuid"`
	OtherID uuid.UUID `path:"otherId" format:"uuid" doc:"The id of the other member, the match or the conversation"`
	PageQuery
}

func (h handlers) messagesOf(ctx context.Context, in *messagesOfInput) (*messagesOutput, error) {
	if err := conversations.MustBeSelf(ctx, in.UserID); err != nil {
		return nil, err
	}
	return h.messages(ctx, &messagesInput{in.OtherID, in.PageQuery})
}

type sendMessageInput struct {
	Body struct {
		RecipientID uuid.UUID   `json:"recipientId" format:"uuid" doc:"The other member"`
		Content     string      `json:"content" maxLength:"4000" doc:"May be empty if there are files"`
		MessageType string      `json:"messageType,omitempty" enum:"text,audio,video,image" default:"text"`
		ClientID    *uuid.UUID  `json:"clientId,omitempty" format:"uuid" doc:"A UUIDv7 created by the sender, the same for each retry; without it a retry stores another message"`
		ReplyTo     *int64      `json:"replyTo,omitempty" minimum:"1" doc:"The seq of the message to which this one replies"`
		FileIDs     []uuid.UUID `json:"fileIds,omitempty" maxItems:"10" doc:"Own uploads: up to ten pictures, or one recording"`
		InlineFiles
	}
}

// InlineFiles are files in the body of the message, which are refused. Files must be
// uploaded first, so that uploads can be resumed, checked and limited.
type InlineFiles struct {
	AudioData any `json:"audioData,omitempty" doc:"Must be empty: upload the recording and send its id in fileIds"`
	VideoData any `json:"videoData,omitempty" doc:"Must be empty: upload the recording and send its id in fileIds"`
	ImageData any `json:"imageData,omitempty" doc:"Must be empty: upload the picture and send its id in fileIds"`
}

func (f InlineFiles) refuse() error {
	for name, value := range map[string]any{"audioData": f.AudioData, "videoData": f.VideoData, "imageData": f.ImageData} {
		if value != nil {
			return fault.InvalidField(name, "Please upload the file to /api/uploads first, and send its id in fileIds.")
		}
	}
	return nil
}

type sendMessageOutput struct {
	Status int
	Body   Message
}

func (h handlers) send(ctx context.Context, in *sendMessageInput) (*sendMessageOutput, error) {
	actor, _ := web.ActorOf(ctx)
	if err := in.Body.refuse(); err != nil {
		return nil, err
	}
	clientID, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	if in.Body.ClientID != nil {
		clientID = *in.Body.ClientID
	}
	sent, err := h.s.Send(ctx, actor, Outgoing{
		RecipientID: in.Body.RecipientID, Content: in.Body.Content,
		MessageType: in.Body.MessageType, ClientID: clientID,
		ReplyTo: in.Body.ReplyTo, FileIDs: in.Body.FileIDs,
	})
	status := http.StatusCreated
	if sent.Repeated {
		status = http.StatusOK
	}
	return &sendMessageOutput{Status: status, Body: sent.Message}, err
}

type receiptsInput struct {
	OtherID uuid.UUID `path:"otherId" format:"uuid"`
	Body    struct {
		DeliveredSeq int64 `json:"deliveredSeq,omitempty" minimum:"0"`
		ReadSeq      int64 `json:"readSeq,omitempty" minimum:"0"`
	}
}

func (h handlers) receipts(ctx context.Context, in *receiptsInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	err := h.s.SetReceipts(ctx, actor, in.OtherID, Receipt{DeliveredSeq: in.Body.DeliveredSeq, ReadSeq: in.Body.ReadSeq})
	return nil, err
}
