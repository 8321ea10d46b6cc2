package live

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

// frame is any frame of a client. Type determines which fields are used.
type frame struct {
	Type        string      `json:"type"`
	UserID      *uuid.UUID  `json:"userId"`
	RecipientID *uuid.UUID  `json:"recipientId"`
	SenderID    *uuid.UUID  `json:"senderId"`
	OtherUserID *uuid.UUID  `json:"otherUserId"`
	ClientID    *uuid.UUID  `json:"clientId"`
	Content     string      `json:"content"`
	MessageType string      `json:"messageType"`
	Seq         *int64      `json:"seq"`
	ReplyTo     *int64      `json:"replyTo"`
	FileIDs     []uuid.UUID `json:"fileIds"`
	// Recordings and pictures are uploaded over HTTP; frames with these fields are refused.
	AudioData json.RawMessage `json:"audioData"`
	VideoData json.RawMessage `json:"videoData"`
	ImageData json.RawMessage `json:"imageData"`
}

// requiredFields checks the required fields of each frame type, and returns the first invalid one. A type that is not
// listed is unknown.
var requiredFields = map[string]func(frame) (field string, ok bool){
	"auth":             func(f frame) (string, bool) { return "userId", f.UserID != nil },
	"get_online_users": func(frame) (string, bool) { return "", true },
	"send_message":     func(f frame) (string, bool) { return "recipientId", f.RecipientID != nil },
	"typing_start":     func(f frame) (string, bool) { return "recipientId", f.RecipientID != nil },
	"typing_stop":      func(f frame) (string, bool) { return "recipientId", f.RecipientID != nil },
	"mark_read":        func(f frame) (string, bool) { return receiptField(f, f.Seq == nil || *f.Seq > 0) },
	"mark_delivered":   func(f frame) (string, bool) { return receiptField(f, f.Seq != nil && *f.Seq > 0) },
	"join_conversation": func(f frame) (string, bool) {
		return "otherUserId", f.OtherUserID != nil
	},
	"ping": func(frame) (string, bool) { return "", true },
}

// receiptField checks the sender of a receipt, and then its seq.
func receiptField(f frame, isSeqValid bool) (field string, ok bool) {
	if f.SenderID == nil {
		return "senderId", false
	}
	return "seq", isSeqValid
}

// decode parses exactly one JSON object. Known fields must have the right type;
// unknown fields are ignored, so that a newer app works with an older server.
func decode(data []byte, into *frame) error {
	if err := json.Unmarshal(data, into); err != nil {
		return fault.Wrap(fault.Invalid, "A frame is one JSON object with fields of the documented types.", err)
	}
	check, known := requiredFields[into.Type]
	if !known {
		return fault.InvalidField("type", "This type of frame is not known.")
	}
	if field, ok := check(*into); !ok {
		return fault.InvalidField(field, fmt.Sprintf("The frame needs a valid %s.", field))
	}
	return refuseInlineFiles(*into)
}

// refuseInlineFiles returns an error that names the first field with file contents.
func refuseInlineFiles(f frame) error {
	for _, field := range []struct {
		name string
		data json.RawMessage
	}{{"audioData", f.AudioData}, {"videoData", f.VideoData}, {"imageData", f.ImageData}} {
		if len(field.data) > 0 && string(field.data) != "null" {
			return fault.InvalidField(field.name, fmt.Sprintf(
				"%s must be empty. Upload the file with /api/uploads and send its id in fileIds.", field.name))
		}
	}
	return nil
}

// encode marshals one of the frames below, which cannot fail.
func encode(frame any) []byte {
	data, err := json.Marshal(frame)
	if err != nil {
		panic(fmt.Sprintf("live: a frame that cannot be encoded: %v", err))
	}
	return data
}

var (
	syncFrame        = []byte(`{"type":"sync"}`)
	pongFrame        = []byte(`{"type":"pong"}`)
	townChangedFrame = []byte(`{"type":"town_changed"}`)
	reviewFrame      = []byte(`{"type":"review_decided"}`)
	badgesFrame      = []byte(`{"type":"badges_changed"}`)
	momentsFrame     = []byte(`{"type":"moments_changed"}`)
	wallFrame        = []byte(`{"type":"wall_changed"}`)
	graduationFrame  = []byte(`{"type":"graduation_changed"}`)
	mailProblemFrame = []byte(`{"type":"mail_problem_changed"}`)
	pulseFrame       = []byte(`{"type":"pulse_changed"}`)
)

// Frames of the server, in addition to the events of the features.
type (
	identified struct {
		Type   string    `json:"type"` // identified or auth_success
		UserID uuid.UUID `json:"userId"`
	}
	onlineUsers struct {
		Type  string      `json:"type"`
		Users []uuid.UUID `json:"users"`
	}
	ack struct {
		Type           string    `json:"type"`
		ClientID       uuid.UUID `json:"clientId"`
		ID             uuid.UUID `json:"id"`
		Seq            int64     `json:"seq"`
		SentAt         time.Time `json:"sentAt"`
		ConversationID uuid.UUID `json:"conversationId"`
	}
	conversationJoined struct {
		Type           string    `json:"type"`
		ConversationID uuid.UUID `json:"conversationId"`
		OtherUserID    uuid.UUID `json:"otherUserId"`
	}
	errorFrame struct {
		Type         string         `json:"type"`
		ClientID     *uuid.UUID     `json:"clientId,omitempty"`
		Kind         fault.Kind     `json:"kind"`
		Code         string         `json:"code"`
		Params       map[string]any `json:"params,omitempty"`
		Field        string         `json:"field,omitempty"`
		Detail       string         `json:"detail"`
		RetryAfterMs int64          `json:"retryAfterMs,omitempty"`
	}
	userTyping struct {
		Type           string    `json:"type"`
		UserID         uuid.UUID `json:"userId"`
		IsTyping       bool      `json:"isTyping"`
		ConversationID uuid.UUID `json:"conversationId"`
	}
	statusChanged struct {
		Type     string     `json:"type"`
		UserID   uuid.UUID  `json:"userId"`
		IsOnline bool       `json:"isOnline"`
		LastSeen *time.Time `json:"lastSeen"` // nil when it is not shown
	}
)
