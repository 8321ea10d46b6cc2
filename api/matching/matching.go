// Package matching holds likes and passes, and the matches that two likes make.
package matching

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Kind is how a member likes another.
type Kind string

// The kinds, as they are stored.
const (
	Like      Kind = "like"
	SuperLike Kind = "super_like"
)

// Service keeps likes, passes and matches. Safe for use by many goroutines.
type Service struct {
	pool   *pgxpool.Pool
	events bus.Publisher
}

// New returns a Service that tells both members of a new match through events.
func New(pool *pgxpool.Pool, events bus.Publisher) *Service {
	return &Service{pool: pool, events: events}
}

// LikeResult is what came of a like.
type LikeResult struct {
	IsMatch        bool       `json:"isMatch" doc:"The two like each other"`
	LikeType       Kind       `json:"likeType" enum:"like,super_like" doc:"Of the first like, whatever a later one asked for"`
	TargetUserID   uuid.UUID  `json:"targetUserId"`
	MatchID        *uuid.UUID `json:"matchId" nullable:"true"`
	ConversationID *uuid.UUID `json:"conversationId" nullable:"true"`
	Created        bool       `json:"-"` // false when the like was there already
}

// Match is a match as its member sees it.
type Match struct {
	ID             uuid.UUID        `json:"id"`
	User           members.UserCard `json:"user" doc:"The other member"`
	ConversationID uuid.UUID        `json:"conversationId"`
	MatchedAt      time.Time        `json:"matchedAt"`
	Seen           bool             `json:"seen" doc:"The caller has looked at it"`
}

// matched is the frame that tells a member of a new match.
type matched struct {
	Type           string           `json:"type"`
	MatchID        uuid.UUID        `json:"matchId"`
	ConversationID uuid.UUID        `json:"conversationId"`
	User           members.UserCard `json:"user"`
	LikeType       Kind             `json:"likeType"` // how that member likes the receiver
}

// Like says that actor likes the member to. When to likes actor, it makes
// their one match and conversation, however many calls arrive at once, and
// tells both; a like alone is told nobody.
//
// A like is for good and for once: the same call again changes nothing, counts
// for no limit and gives the first like's result, with the match of now. A
// like takes back an earlier pass.
//
// Errors: Invalid for oneself, Forbidden while actor's own profile is not
// shown, NotFound for a member actor may not see, RateLimited past 100 likes a
// day, 10 a minute, or 3 super likes a day (6 with Premium).
func (s *Service) Like(ctx context.Context, actor web.Actor, to uuid.UUID, kind Kind) (LikeResult, error) {
	if actor.ID == to {
		return LikeResult{}, fault.InvalidField("toUserId", "Liking yourself is a fine thing, but not here.")
	}
	var result LikeResult
	var news *match
	err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		result, news, err = like(ctx, tx, actor.ID, to, kind)
		return err
	})
	if err != nil {
		return LikeResult{}, err
	}
	if news != nil {
		s.announce(ctx, *news)
	}
	return result, nil
}

// like is Like's transaction. It is the only place that makes a match; news is
// set when it just did.
//
// Lock order: the actor, so that parallel likes of one member are counted one
// by one, then the pair, so that of two likes at the same instant the second
// sees the first. Whoever holds a pair waits for nothing, so there is no deadlock.
func like(ctx context.Context, tx pgx.Tx, actor, to uuid.UUID, kind Kind) (result LikeResult, news *match, err error) {
	if err := lockActor(ctx, tx, actor); err != nil {
		return result, nil, err
	}
	if err := lockPair(ctx, tx, actor, to); err != nil {
		return result, nil, err
	}
	standing, err := selectStanding(ctx, tx, actor, to)
	if err != nil {
		return result, nil, err
	}
	if err := standing.mayLike(kind); err != nil {
		return result, nil, err
	}
	result = LikeResult{LikeType: kind, TargetUserID: to, Created: standing.mine == nil}
	if standing.mine != nil {
		result.LikeType = *standing.mine
	} else if err := insertLike(ctx, tx, actor, to, kind); err != nil {
		return result, nil, err
	}
	if standing.theirs != nil && standing.matchID == nil {
		made, err := insertMatch(ctx, tx, actor, to)
		if err != nil {
			return result, nil, err
		}
		made.kinds = map[uuid.UUID]Kind{actor: result.LikeType, to: *standing.theirs}
		standing.matchID, standing.conversationID, news = &made.id, &made.conversation, &made
	}
	result.IsMatch = standing.matchID != nil && !standing.unmatched
	if result.IsMatch {
		result.MatchID, result.ConversationID = standing.matchID, standing.conversationID
	}
	return result, news, nil
}

// Pass says that actor would rather not meet the member to: discovery leaves
// them out for 30 days. Calling it again starts the 30 days anew. A like that
// was sent stands, because it may be seen already; passing then changes nothing.
// Errors: Invalid for oneself, NotFound for a member actor may not see.
func (s *Service) Pass(ctx context.Context, actor web.Actor, to uuid.UUID) error {
	if actor.ID == to {
		return fault.InvalidField("toUserId", "You can't pass on yourself.")
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockPair(ctx, tx, actor.ID, to); err != nil {
			return err
		}
		standing, err := selectStanding(ctx, tx, actor.ID, to)
		if err != nil {
			return err
		}
		switch {
		case !standing.visible:
			return notFound()
		case standing.mine != nil || standing.matchID != nil:
			return nil
		}
		return upsertPass(ctx, tx, actor.ID, to)
	})
}

// Matches returns a page of actor's matches, the newest first, and the cursor
// of the next page, empty after the last. Members who are suspended or under
// review are left out until they are back. Errors: Invalid for a cursor that is none.
func (s *Service) Matches(ctx context.Context, actor web.Actor, cursor string, limit int) ([]Match, string, error) {
	after := newest
	if err := web.DecodeCursor(cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectMatches(ctx, s.pool, actor.ID, after, limit+1)
	if err != nil {
		return nil, "", err
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = web.EncodeCursor(moment{rows[limit-1].MatchedAt, rows[limit-1].ID})
	}
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i] = rows[i].User.ID
	}
	cards, err := members.Cards(ctx, s.pool, ids)
	for i := range rows {
		rows[i].User = cards[rows[i].User.ID]
	}
	return rows, next, err
}

// See notes that actor has looked at a match, so that it is no longer new.
// NotFound unless it is one of actor's.
func (s *Service) See(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	return updateSeen(ctx, s.pool, actor.ID, id)
}

// announce tells both sides of a match that was just committed. It is a hint:
// whoever misses it finds the match in the list.
func (s *Service) announce(ctx context.Context, m match) {
	cards, err := members.Cards(ctx, s.pool, []uuid.UUID{m.a, m.b})
	if err != nil {
		return // the match stands; the clients' next sync shows it
	}
	for receiver, other := range map[uuid.UUID]uuid.UUID{m.a: m.b, m.b: m.a} {
		s.events.Publish(bus.MemberSubject(receiver), bus.Event("", matched{
			Type: "match", MatchID: m.id, ConversationID: m.conversation, User: cards[other], LikeType: m.kinds[other],
		}))
	}
}
