package matching

import (
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
)

// The frames a socket passes on as they are.

// matched tells a member of a new match.
type matched struct {
	Type           string           `json:"type"`
	MatchID        uuid.UUID        `json:"matchId"`
	ConversationID uuid.UUID        `json:"conversationId"`
	MatchedAt      time.Time        `json:"matchedAt"`
	User           members.UserCard `json:"user"`
	LikeType       Kind             `json:"likeType"` // how that member likes the receiver
}

// liked tells a member of one who likes them: like_received or super_like.
type liked struct {
	Type   string           `json:"type"`
	LikeID uuid.UUID        `json:"likeId"`
	User   members.UserCard `json:"user"`
}

// unmatched tells a member that a match or a conversation has ended, and not
// why. The socket looks at the type, so it stands first.
type unmatched struct {
	Type           string     `json:"type"`
	MatchID        *uuid.UUID `json:"matchId"`
	ConversationID *uuid.UUID `json:"conversationId"`
	UserID         uuid.UUID  `json:"userId"` // the other member
}

// news is what a like has brought about and somebody is to be told.
type news struct {
	like  *newLike
	match *match
}

type newLike struct {
	id, from, to uuid.UUID
	kind         Kind
}
