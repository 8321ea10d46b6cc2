// Package matching owns likes, passes and matches. A match is made when two members
// like each other.
package matching

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Kind is the kind of a like.
type Kind string

// The kinds, as stored in user_likes.
const (
	Like      Kind = "like"
	SuperLike Kind = "super_like"
)

// Service stores likes, passes and matches. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	events bus.Publisher
	jobs   jobqueue.Inserter

	repeats      *limits.Members // of likes whose repetition is published
	repeatedEnds *limits.Members // of ends whose repetition is published

	onLike       func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error                  // nil if not set
	onMatch      func(ctx context.Context, tx pgx.Tx, match uuid.UUID, ids ...uuid.UUID) error // nil if not set
	onCouplesEnd func(couples ...EndedCouple)                                                  // nil if not set
}

// New returns a Service that publishes likes and matches to events and enqueues jobs
// that notify members who are not connected. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, events bus.Publisher, jobs jobqueue.Inserter) *Service {
	nilcheck.Must("matching.New", nilcheck.Deps{"pool": pool, "events": events, "jobs": jobs})
	return &Service{
		pool: pool, events: events, jobs: jobs,
		repeats:      limits.NewRepetitions(),
		repeatedEnds: limits.NewRepetitions(),
	}
}

// WatchLikes sets a function that is called in the transaction of each new like, with its two
// members. It must be called before the service is used.
func (s *Service) WatchLikes(fn func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error) {
	s.onLike = fn
}

// WatchMatches sets a function that is called in the transaction of each new match, with its two
// members. It must be called before the service is used.
func (s *Service) WatchMatches(fn func(ctx context.Context, tx pgx.Tx, match uuid.UUID, ids ...uuid.UUID) error) {
	s.onMatch = fn
}

// WatchEndedCouples sets a function that is called after the commit of the end of a contact or of a ban, with the graduated
// couples and the requests for one that it ended. It must be called before the service is used.
func (s *Service) WatchEndedCouples(fn func(couples ...EndedCouple)) { s.onCouplesEnd = fn }

// LikeInput describes a like to be sent.
type LikeInput struct {
	To      uuid.UUID
	Kind    Kind
	Comment string
	PhotoID uuid.UUID // a photo of To's profile, or Nil
	Prompt  string    // a question that To answers, or empty
}

// LikeResult is the result of sending a like.
type LikeResult struct {
	IsMatch        bool       `json:"isMatch" doc:"Whether the two are matched"`
	LikeType       Kind       `json:"likeType" enum:"like,super_like" doc:"The kind of the first like, which later likes do not change"`
	TargetUserID   uuid.UUID  `json:"targetUserId"`
	MatchID        *uuid.UUID `json:"matchId" nullable:"true"`
	ConversationID *uuid.UUID `json:"conversationId" nullable:"true"`
	Created        bool       `json:"-"` // false when the like existed already
}

// LikeNote is the content of a like.
type LikeNote struct {
	LikeType Kind    `json:"likeType" enum:"like,super_like"`
	Comment  string  `json:"comment"`
	PhotoURL *string `json:"photoUrl" nullable:"true" doc:"The thumbnail of the liked photo"`
	Prompt   *string `json:"prompt" nullable:"true" doc:"The question whose liked answer is on the profile"`
	Answer   *string `json:"answer" nullable:"true" doc:"The answer, as it is on the profile now; null if it is only spoken or was removed"`
}

// Like stores that actor likes in.To, optionally with a comment and about one photo
// or answer. If in.To likes actor, it also makes their match and conversation,
// exactly once under concurrent calls, and publishes it to both. Otherwise it
// publishes the like to in.To, unless in.To has passed on actor.
//
// A like is permanent. Repeating it changes nothing, counts towards no limit of likes,
// and returns the first like's kind with the current match. It publishes what the
// first like should have published, because that may have failed; at most ten times a
// minute. A like deletes an earlier pass.
//
// Errors: Invalid for actor's own id, an invalid comment, and a photo or question
// that is not on the profile; Forbidden while actor's profile is not shown or is
// paused; NotFound for a member whom actor may not see; RateLimited after 10 likes
// a minute, 100 a day, or 3 super likes a day (6 with Premium).
func (s *Service) Like(ctx context.Context, actor web.Actor, in LikeInput) (LikeResult, error) {
	if err := in.clean(actor.ID); err != nil {
		return LikeResult{}, err
	}
	stored, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (storedLike, error) { return s.like(ctx, tx, actor.ID, in) })
	if err != nil {
		return LikeResult{}, err
	}
	if !stored.publication.isEmpty() && (!stored.isRepeated || s.repeats.Allow(actor.ID) == nil) {
		s.publish(ctx, stored.publication)
	}
	return stored.result, nil
}

// storedLike is the result of a like and what to publish after the commit.
type storedLike struct {
	result      LikeResult
	publication publication
	isRepeated  bool // the publication is that of an earlier call
}

// like runs in the transaction of Like. It is the only function that makes a match.
//
// Lock order: the actor, so that concurrent likes by one member are counted one by one;
// the pair, so that the second of two simultaneous likes sees the first; the recipient's
// likes, shared (LockLikes locks them exclusively). A transaction that holds the lock of
// a pair never waits for another actor or pair.
func (s *Service) like(ctx context.Context, tx pgx.Tx, actor uuid.UUID, in LikeInput) (storedLike, error) {
	var stored storedLike
	if err := LockActor(ctx, tx, actor); err != nil {
		return stored, err
	}
	if err := LockPair(ctx, tx, actor, in.To); err != nil {
		return stored, err
	}
	relation, err := selectRelation(ctx, tx, actor, in.To)
	if err != nil {
		return stored, err
	}
	if err := relation.checkLike(in.Kind); err != nil {
		return stored, err
	}
	stored.result = LikeResult{LikeType: in.Kind, TargetUserID: in.To, Created: relation.SentKind == nil}
	if relation.SentKind != nil {
		stored.result.LikeType = *relation.SentKind
		stored.publication, stored.isRepeated = relation.publicationAgain(actor, in.To), true
	} else {
		created, err := s.createLike(ctx, tx, actor, in)
		if err != nil {
			return stored, err
		}
		if !relation.PassedOn {
			stored.publication.like = &created
		}
	}
	if relation.ReceivedKind != nil && relation.MatchID == nil {
		made, err := s.makeMatch(ctx, tx, actor, in.To)
		if err != nil {
			return stored, err
		}
		made.kinds = map[uuid.UUID]Kind{actor: stored.result.LikeType, in.To: *relation.ReceivedKind}
		relation.MatchID, relation.ConversationID = &made.id, &made.conversation
		stored.publication, stored.isRepeated = publication{match: &made}, false
	}
	if !stored.isRepeated && stored.publication.like != nil {
		if err := s.enqueueNotifyLikes(ctx, tx, in.To); err != nil {
			return stored, err
		}
	}
	stored.result.IsMatch = relation.MatchID != nil && !relation.Unmatched
	if stored.result.IsMatch {
		stored.result.MatchID, stored.result.ConversationID = relation.MatchID, relation.ConversationID
	}
	return stored, nil
}

// createLike stores a first like from one member to another.
func (s *Service) createLike(ctx context.Context, tx pgx.Tx, from uuid.UUID, in LikeInput) (newLike, error) {
	if err := lockLikesShared(ctx, tx, in.To); err != nil {
		return newLike{}, err
	}
	id, err := insertLike(ctx, tx, from, in)
	if err != nil {
		return newLike{}, err
	}
	if s.onLike != nil {
		err = s.onLike(ctx, tx, from, in.To)
	}
	return newLike{id: id, from: from, to: in.To, kind: in.Kind}, err
}

// makeMatch makes the pair's match, and enqueues a job for each side that decides
// whether to send a push.
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
	if s.onMatch != nil {
		err = s.onMatch(ctx, tx, made.id, made.a, made.b)
	}
	return made, err
}

// Allowance is the number of likes that a member may still send.
type Allowance struct {
	LikesLeft         int        `json:"likesLeft"`
	SuperLikesLeft    int        `json:"superLikesLeft"`
	LikesResetAt      *time.Time `json:"likesResetAt" nullable:"true" doc:"The time at which one more is available; null while all are"`
	SuperLikesResetAt *time.Time `json:"superLikesResetAt" nullable:"true" doc:"The time at which one more is available; null while all are"`
}

// Allowance returns the number of likes that actor may still send today.
func (s *Service) Allowance(ctx context.Context, actor web.Actor) (Allowance, error) {
	sent, premium, err := selectSent(ctx, s.pool, actor.ID)
	if err != nil {
		return Allowance{}, pg.Fault(err)
	}
	return sent.allowance(premium), nil
}

// ReceivedLike is a like that its recipient has not answered.
type ReceivedLike struct {
	ID      uuid.UUID        `json:"id"`
	User    members.UserCard `json:"user" doc:"The member who likes the caller"`
	LikedAt time.Time        `json:"likedAt"`
	LikeNote
}

// maxCounted is the largest number of likes that Received and CountUnseen count.
const maxCounted = 1000

// RestOfLikes are the likes after a page. Its zero value is the end of the list.
type RestOfLikes struct {
	Cursor string
	Count  int  // at most maxCounted
	More   bool // whether there are more than Count
}

// Received returns a page of the likes that actor received, the newest first,
// without those answered by a like, a match, or a pass in the last 30 days. It
// returns Invalid for a malformed cursor.
func (s *Service) Received(ctx context.Context, actor web.Actor, cursor string, limit int) ([]ReceivedLike, RestOfLikes, error) {
	list := web.List{Name: "received likes", Member: actor.ID}
	after := web.StartCursor
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, RestOfLikes{}, err
	}
	rows, err := selectReceived(ctx, s.pool, actor.ID, after, limit+1)
	if err != nil {
		return nil, RestOfLikes{}, pg.Fault(err)
	}
	position := func(l ReceivedLike) web.Cursor { return web.Cursor{At: l.LikedAt, ID: l.ID} }
	rows, next := web.Paginate(list, rows, limit, position)
	rest := RestOfLikes{Cursor: next}
	if next != "" {
		n, err := countReceived(ctx, s.pool, actor.ID, position(rows[len(rows)-1]), maxCounted+1)
		if err != nil {
			return nil, RestOfLikes{}, pg.Fault(err)
		}
		rest.Count, rest.More = min(n, maxCounted), n > maxCounted
	}
	for i := range rows {
		rows[i].LikedAt = web.Time(rows[i].LikedAt)
	}
	err = fillCards(ctx, s.pool, actor.ID, rows, func(l *ReceivedLike) *members.UserCard { return &l.User })
	return rows, rest, err
}

// CountUnseen counts the likes of Received that are newer than one whose LikedAt is seenAt.
// more is whether there are more than count.
func (s *Service) CountUnseen(ctx context.Context, actor web.Actor, seenAt time.Time) (count int, more bool, err error) {
	n, err := countUnseen(ctx, s.pool, actor.ID, seenAt, maxCounted+1)
	return min(n, maxCounted), n > maxCounted, pg.Fault(err)
}

// publish publishes a committed like or match. Events are best effort: a client
// that misses one finds it in the lists.
func (s *Service) publish(ctx context.Context, n publication) {
	switch {
	case n.match != nil:
		s.publishMatch(ctx, *n.match)
	case n.like != nil:
		s.publishLike(ctx, *n.like)
	}
}

func (s *Service) publishMatch(ctx context.Context, m match) {
	for recipient, other := range map[uuid.UUID]uuid.UUID{m.a: m.b, m.b: m.a} {
		cards, err := members.Cards(ctx, s.pool, recipient, []uuid.UUID{other})
		if err != nil {
			return // clients get the match by the next sync
		}
		s.events.Publish(bus.MemberSubject(recipient), bus.Event("", matched{
			Type: "match", MatchID: m.id, ConversationID: m.conversation, MatchedAt: web.Time(m.at), User: cards[other], LikeType: m.kinds[other],
		}))
	}
}

func (s *Service) publishLike(ctx context.Context, l newLike) {
	cards, err := members.Cards(ctx, s.pool, l.to, []uuid.UUID{l.from})
	if err != nil {
		return // clients get the like from the list
	}
	frame := liked{Type: "like_received", LikeID: l.id, User: cards[l.from]}
	if l.kind == SuperLike {
		frame.Type = "super_like"
	}
	s.events.Publish(bus.MemberSubject(l.to), bus.Event("", frame))
}
