package messages

import (
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/bus"
)

// Events are passed to sockets unchanged, as frames.
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

type changedEvent struct {
	Type    string  `json:"type"`
	Message Message `json:"message"`
}

// The sparks of a conversation. Each occurs once.
const (
	messageSpark    = "message_spark"    // the conversation became lively
	voiceConnection = "voice_connection" // both members have sent a recording of their voice
)

func sparksOf(causedMessageSpark, causedVoiceConnection bool) (sparks []string) {
	if causedMessageSpark {
		sparks = append(sparks, messageSpark)
	}
	if causedVoiceConnection {
		sparks = append(sparks, voiceConnection)
	}
	return sparks
}

type sparkEvent struct {
	Type           string    `json:"type"`
	Spark          string    `json:"spark"`
	ConversationID uuid.UUID `json:"conversationId"`
	UserID         uuid.UUID `json:"userId"`
	At             time.Time `json:"at"`
}

// Publish publishes a stored message to its recipient and to the sender's other sockets,
// and the sparks that it caused to both members. It must be called after the commit. Only
// the recipient's event contains the flag.
func (s *Service) Publish(m Stored) {
	own := bus.Event("", newMessageEvent{Type: "new_message", Message: m.For(m.SenderID), RecipientID: m.recipientID})
	theirs := own
	if m.Flag != nil {
		theirs = bus.Event("", newMessageEvent{Type: "new_message", Message: m.Message, RecipientID: m.recipientID})
	}
	s.events.Publish(bus.MemberSubject(m.recipientID), theirs)
	s.events.Publish(bus.MemberSubject(m.SenderID), bus.EventOf(m.socket, own))
	for _, spark := range m.sparks {
		s.publishSpark(m.Message, spark, m.SenderID, m.recipientID)
		s.publishSpark(m.Message, spark, m.recipientID, m.SenderID)
	}
}

func (s *Service) publishSpark(m Message, spark string, to, other uuid.UUID) {
	s.events.Publish(bus.MemberSubject(to), bus.Event("", sparkEvent{"spark", spark, m.ConversationID, other, m.SentAt}))
}
