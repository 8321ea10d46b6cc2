package matching

import (
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
)

// matched is the frame that a new match sends to each of its members.
type matched struct {
	Type           string           `json:"type"`
	MatchID        uuid.UUID        `json:"matchId"`
	ConversationID uuid.UUID        `json:"conversationId"`
	MatchedAt      time.Time        `json:"matchedAt"`
	User           members.UserCard `json:"user"`
	LikeType       Kind             `json:"likeType"` // of the other member's like
}

// liked is the frame that a like sends to its recipient: like_received or super_like.
type liked struct {
	Type   string           `json:"type"`
	LikeID uuid.UUID        `json:"likeId"`
	User   members.UserCard `json:"user"`
}

// unmatched is the frame that the end of a match or conversation sends, without
// the reason. Type is the first field, because package live compares the prefix.
type unmatched struct {
	Type           string     `json:"type"`
	MatchID        *uuid.UUID `json:"matchId"`
	ConversationID *uuid.UUID `json:"conversationId"`
	UserID         uuid.UUID  `json:"userId"` // the other member
}

// publication is a committed like or match to publish. At most one of them is set.
type publication struct {
	like  *newLike
	match *match
}

func (p publication) isEmpty() bool { return p.like == nil && p.match == nil }

// publicationAgain returns what a repeated like publishes again (docs/decisions/0106): the match, or the like until the other
// member answers it. For devices that have the event, it changes nothing. Nothing is published for an actor who is not
// shown now, as for a first like, and after a day, when devices have synced.
func (r relation) publicationAgain(actor, to uuid.UUID) publication {
	switch {
	case !r.ActorShown:
		return publication{}
	case r.MatchID == nil && r.SentToday && !r.PassedOn:
		return publication{like: &newLike{id: *r.SentID, from: actor, to: to, kind: *r.SentKind}}
	case r.MatchID != nil && r.MatchedToday && !r.Unmatched && r.ConversationID != nil && r.ReceivedKind != nil:
		a, b := pair(actor, to)
		return publication{match: &match{
			id: *r.MatchID, conversation: *r.ConversationID, a: a, b: b, at: *r.MatchedAt,
			kinds: map[uuid.UUID]Kind{actor: *r.SentKind, to: *r.ReceivedKind},
		}}
	}
	return publication{}
}

type newLike struct {
	id, from, to uuid.UUID
	kind         Kind
}
