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

type changedEvent struct {
	Type    string  `json:"type"`
	Message Message `json:"message"`
}

// The sparks of a conversation, each once for ever.
const (
	messageSpark    = "message_spark"    // it heated up
	voiceConnection = "voice_connection" // both have sent a voice
)

type sparkEvent struct {
	Type           string    `json:"type"`
	Spark          string    `json:"spark"`
	ConversationID uuid.UUID `json:"conversationId"`
	UserID         uuid.UUID `json:"userId"`
	At             time.Time `json:"at"`
}

// publishMessage tells the receiver and the sender's other devices of what was
// stored. What the filter found is for the receiver alone.
func (s *Service) publishMessage(d *draft) {
	event := newMessageEvent{Type: "new_message", Message: d.message, RecipientID: d.recipient}
	own := bus.Event("", event)
	theirs := own
	if d.flag != "" {
		event.Flag = &d.flag
		theirs = bus.Event("", event)
	}
	s.events.Publish(bus.MemberSubject(d.recipient), theirs)
	s.events.Publish(bus.MemberSubject(d.message.SenderID), bus.EventOf(d.socket, own))
	for _, spark := range d.message.sparks {
		s.publishSpark(d.message, spark, d.message.SenderID, d.recipient)
		s.publishSpark(d.message, spark, d.recipient, d.message.SenderID)
	}
}

func (s *Service) publishSpark(m Message, spark string, to, other uuid.UUID) {
	s.events.Publish(bus.MemberSubject(to), bus.Event("", sparkEvent{"spark", spark, m.ConversationID, other, m.SentAt}))
}
