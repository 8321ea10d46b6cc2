package bus

import "github.com/google/uuid"

// Publisher is the half of the bus that features need.
type Publisher interface {
	Publish(subject string, data []byte)
}

// MemberSubject is where the sockets of a member listen. What is published
// there is a frame made by Event.
func MemberSubject(id uuid.UUID) string { return "member." + id.String() }
