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
	"heartward/api/platform/nilcheck"
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
	jobs   Inserter
}

// New returns a Service that tells members of likes and matches through events,
// and through jobs those who are not looking. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, events bus.Publisher, jobs Inserter) *Service {
	nilcheck.Must("matching.New", nilcheck.Deps{"pool": pool, "events": events, "jobs": jobs})
	return &Service{pool: pool, events: events, jobs: jobs}
}

// LikeInput is a like as its sender hands it in.
type LikeInput struct {
	To      uuid.UUID
	Kind    Kind
	Comment string
	PhotoID uuid.UUID // of To's profile; Nil: not about a photo
	Prompt  string    // a question that To answers; empty: not about one
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

// LikeNote is what a like says.
type LikeNote struct {
	LikeType Kind    `json:"likeType" enum:"like,super_like"`
	Comment  string  `json:"comment"`
	PhotoURL *string `json:"photoUrl" nullable:"true" doc:"The photo that was liked, in its small form"`
	Prompt   *string `json:"prompt" nullable:"true" doc:"The question whose answer was liked"`
}

// Like says that actor likes the member to, perhaps with a few words and about
// one thing of the profile. When to likes actor, it makes their one match and
// conversation, however many calls arrive at once, and tells both; else it
// tells to, as long as to has not passed on actor.
//
// A like is for good and for once: the same call again changes nothing, counts
// for no limit and gives the first like's result, with the match of now. A
// like takes back an earlier pass.
//
// Errors: Invalid for oneself, for words that cannot be shown, and for a photo
// or question that is not on to's profile now; Forbidden while actor's own
// profile is not shown or paused; NotFound for a member actor may not see;
// RateLimited past 100 likes a day, 10 a minute, or 3 super likes a day (6 with
// Premium).
func (s *Service) Like(ctx context.Context, actor web.Actor, in LikeInput) (LikeResult, error) {
	if err := in.clean(actor.ID); err != nil {
		return LikeResult{}, err
	}
	stored, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (storedLike, error) { return s.like(ctx, tx, actor.ID, in) })
	if err != nil {
		return LikeResult{}, err
	}
	s.announce(ctx, stored.news)
	return stored.result, nil
}

// storedLike is what Like returns and what it publishes after the commit.
type storedLike struct {
	result LikeResult
	news   news
}

// like is Like's transaction. It is the only place that makes a match.
//
// Lock order: the actor, so that parallel likes of one member are counted one
// by one, then the pair, so that of two likes at the same instant the second
// sees the first, then the likes of the other, which only who tells of them
// takes alone. Whoever holds a pair waits for no other lock of these.
func (s *Service) like(ctx context.Context, tx pgx.Tx, actor uuid.UUID, in LikeInput) (storedLike, error) {
	var stored storedLike
	if err := LockActor(ctx, tx, actor); err != nil {
		return stored, err
	}
	if err := LockPair(ctx, tx, actor, in.To); err != nil {
		return stored, err
	}
	standing, err := selectStanding(ctx, tx, actor, in.To)
	if err != nil {
		return stored, err
	}
	if err := standing.mayLike(in.Kind); err != nil {
		return stored, err
	}
	stored.result = LikeResult{LikeType: in.Kind, TargetUserID: in.To, Created: standing.mine == nil}
	if standing.mine != nil {
		stored.result.LikeType = *standing.mine
	} else {
		if err := likesCome(ctx, tx, in.To); err != nil {
			return stored, err
		}
		id, err := insertLike(ctx, tx, actor, in)
		if err != nil {
			return stored, err
		}
		if !standing.passedOn {
			stored.news.like = &newLike{id: id, from: actor, to: in.To, kind: in.Kind}
		}
	}
	if standing.theirs != nil && standing.matchID == nil {
		made, err := s.makeMatch(ctx, tx, actor, in.To)
		if err != nil {
			return stored, err
		}
		made.kinds = map[uuid.UUID]Kind{actor: stored.result.LikeType, in.To: *standing.theirs}
		standing.matchID, standing.conversationID = &made.id, &made.conversation
		stored.news = news{match: &made}
	}
	if stored.news.like != nil {
		if err := s.lookLater(ctx, tx, in.To); err != nil {
			return stored, err
		}
	}
	stored.result.IsMatch = standing.matchID != nil && !standing.unmatched
	if stored.result.IsMatch {
		stored.result.MatchID, stored.result.ConversationID = standing.matchID, standing.conversationID
	}
	return stored, nil
}

// makeMatch makes the pair's match, and the jobs that will look whether a side
// has to be told by push.
func (s *Service) makeMatch(ctx context.Context, tx pgx.Tx, x, y uuid.UUID) (match, error) {
	made, err := insertMatch(ctx, tx, x, y)
	if err != nil {
		return made, err
	}
	for _, side := range []uuid.UUID{made.a, made.b} {
		if _, err := s.jobs.InsertTx(ctx, tx, NotifyMatchArgs{MatchID: made.id, MemberID: side}, nil); err != nil {
			return made, err
		}
	}
	return made, nil
}

// Allowance is how many likes a member may send now.
type Allowance struct {
	LikesLeft         int        `json:"likesLeft"`
	SuperLikesLeft    int        `json:"superLikesLeft"`
	LikesResetAt      *time.Time `json:"likesResetAt" nullable:"true" doc:"When there is one more; null while all are left"`
	SuperLikesResetAt *time.Time `json:"superLikesResetAt" nullable:"true" doc:"When there is one more; null while all are left"`
}

// Allowance returns what actor has left of the likes of a day.
func (s *Service) Allowance(ctx context.Context, actor web.Actor) (Allowance, error) {
	sent, premium, err := selectSent(ctx, s.pool, actor.ID)
	if err != nil {
		return Allowance{}, pg.Fault(err)
	}
	return sent.left(premium), nil
}

// ReceivedLike is a like that waits for its receiver's answer.
type ReceivedLike struct {
	ID      uuid.UUID        `json:"id"`
	User    members.UserCard `json:"user" doc:"Who likes the caller"`
	LikedAt time.Time        `json:"likedAt"`
	LikeNote
}

// Received returns a page of those who like actor, the newest first, without
// those whom actor has answered: liked, matched, or passed on in the last 30
// days. Errors: Invalid for a cursor that is none.
func (s *Service) Received(ctx context.Context, actor web.Actor, cursor string, limit int) ([]ReceivedLike, string, error) {
	after := web.StartCursor
	if err := web.DecodeCursor(cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectReceived(ctx, s.pool, actor.ID, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(rows, limit, func(l ReceivedLike) web.Cursor { return web.Cursor{At: l.LikedAt, ID: l.ID} })
	for i := range rows {
		rows[i].LikedAt = web.Time(rows[i].LikedAt)
	}
	err = fillCards(ctx, s.pool, rows, func(l *ReceivedLike) *members.UserCard { return &l.User })
	return rows, next, err
}

// announce tells of what was just committed. It is a hint: whoever misses it
// finds it in the lists.
func (s *Service) announce(ctx context.Context, n news) {
	switch {
	case n.match != nil:
		s.announceMatch(ctx, *n.match)
	case n.like != nil:
		s.announceLike(ctx, *n.like)
	}
}

func (s *Service) announceMatch(ctx context.Context, m match) {
	cards, err := members.Cards(ctx, s.pool, []uuid.UUID{m.a, m.b})
	if err != nil {
		return // the match stands; the clients' next sync shows it
	}
	for receiver, other := range map[uuid.UUID]uuid.UUID{m.a: m.b, m.b: m.a} {
		s.events.Publish(bus.MemberSubject(receiver), bus.Event("", matched{
			Type: "match", MatchID: m.id, ConversationID: m.conversation, MatchedAt: web.Time(m.at), User: cards[other], LikeType: m.kinds[other],
		}))
	}
}

func (s *Service) announceLike(ctx context.Context, l newLike) {
	cards, err := members.Cards(ctx, s.pool, []uuid.UUID{l.from})
	if err != nil {
		return // it is in the list
	}
	frame := liked{Type: "like_received", LikeID: l.id, User: cards[l.from]}
	if l.kind == SuperLike {
		frame.Type = "super_like"
	}
	s.events.Publish(bus.MemberSubject(l.to), bus.Event("", frame))
}
