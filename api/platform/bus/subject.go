package bus

import "github.com/google/uuid"

// Publisher is the part of Bus that features use.
type Publisher interface {
	Publish(subject string, data []byte)
}

// WallSubject is the subject of changes of the Legacy Wall, for the sockets of all members. Its data is empty.
const WallSubject = "wall"

// MemberSubject returns the subject of a member's sockets. Its data is encoded by Event.
func MemberSubject(id uuid.UUID) string { return "member." + id.String() }
