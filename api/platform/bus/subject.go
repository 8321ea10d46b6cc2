package bus

import "github.com/google/uuid"

// Publisher is the part of Bus that features use.
type Publisher interface {
	Publish(subject string, data []byte)
}

// MemberSubject returns the subject of a member's sockets. Its data is encoded by Event.
func MemberSubject(id uuid.UUID) string { return "member." + id.String() }
