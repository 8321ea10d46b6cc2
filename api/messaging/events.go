package messaging

import (
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/bus"
)

// The frames a socket passes on as they are.
type newMessageEvent struct {
	Type string `json:"type"`
	Message
	RecipientID uuid.UUID `json:"recipientId"`
}

type readEvent struct {
	Type           string    `json:"type"`
	ConversationID uuid.UUID `json:"conversationId"`
	ReadBy         uuid.UUID `json:"readBy"`
	Seq            int64     `json:"seq"`
	ReadAt         time.Time `json:"readAt"`
}

type deliveredEvent struct {
	Type           string    `json:"type"`
	ConversationID uuid.UUID `json:"conversationId"`
	DeliveredTo    uuid.UUID `json:"deliveredTo"`
	Seq            int64     `json:"seq"`
}

// publishMessage tells the receiver and the sender's other devices.
func (s *Service) publishMessage(message Message, in SendInput) {
	event := newMessageEvent{Type: "new_message", Message: message, RecipientID: in.RecipientID}
	s.events.Publish(bus.MemberSubject(in.RecipientID), bus.Event("", event))
	s.events.Publish(bus.MemberSubject(message.SenderID), bus.Event(in.Socket, event))
}
