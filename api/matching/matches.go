package matching

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Order is how a list of matches is sorted.
type Order string

// The orders. ByNewest: the newest match first. ByUnread: matches with unread
// messages first, by the newest message, then the others by the newest match.
const (
	ByNewest Order = "new"
	ByUnread Order = "unread"
)

// Match is a match from one member's side.
type Match struct {
	ID             uuid.UUID        `json:"id"`
	User           members.UserCard `json:"user" doc:"The other member"`
	ConversationID uuid.UUID        `json:"conversationId"`
	MatchedAt      time.Time        `json:"matchedAt"`
	Seen           bool             `json:"seen" doc:"Whether the caller has seen the match"`
	Unread         int              `json:"unread" doc:"The number of unread messages; 100 means 100 or more"`
	LastMessageAt  *time.Time       `json:"lastMessageAt" nullable:"true"`
	TheirLike      *LikeNote        `json:"theirLike"`
	MyLike         *LikeNote        `json:"myLike"`

	sortAt time.Time
}

// normaliseTimes converts the times to the form of the API.
func (m *Match) normaliseTimes() {
	m.MatchedAt = web.Time(m.MatchedAt)
	if m.LastMessageAt != nil {
		at := web.Time(*m.LastMessageAt)
		m.LastMessageAt = &at
	}
}

// MatchCounts are the numbers shown above a member's matches.
type MatchCounts struct {
	Matches       int `json:"matches"`
	NewMatches    int `json:"newMatches" doc:"Matches that the caller has not seen"`
	Conversations int `json:"conversations" doc:"Conversations with at least one message"`
	Unread        int `json:"unread" doc:"Conversations with unread messages"`
	DatesPlanned  int `json:"datesPlanned" doc:"Accepted dates, without cancelled ones and those for which the caller answered that the two did not meet"`
}

// Matches returns a page of actor's matches and the cursor of the next page, empty
// after the last. It omits matches with members who are suspended or under review. It
// returns Invalid for a malformed cursor or one of another order.
func (s *Service) Matches(ctx context.Context, actor web.Actor, order Order, cursor string, limit int) ([]Match, string, error) {
	readPage := readByNewest
	if order == ByUnread {
		readPage = readByUnread
	}
	rows, next, err := readPage(ctx, s.pool, actor.ID, cursor, limit)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	for i := range rows {
		rows[i].normaliseTimes()
	}
	if err := fillLikes(ctx, s.pool, actor.ID, rows); err != nil {
		return nil, "", pg.Fault(err)
	}
	err = fillCards(ctx, s.pool, actor.ID, rows, func(m *Match) *members.UserCard { return &m.User })
	return rows, next, err
}

func readByNewest(ctx context.Context, db pg.DB, member uuid.UUID, cursor string, limit int) ([]Match, string, error) {
	list := web.List{Name: "matches", Member: member}
	after := web.StartCursor
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectMatches(ctx, db, member, after, limit+1)
	rows, next := web.Paginate(list, rows, limit, func(m Match) web.Cursor { return web.Cursor{At: m.MatchedAt, ID: m.ID} })
	return rows, next, err
}

func readByUnread(ctx context.Context, db pg.DB, member uuid.UUID, cursor string, limit int) ([]Match, string, error) {
	list := web.List{Name: "matches by unread", Member: member}
	after := unreadCursor{true, web.StartCursor}
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectMatchesByUnread(ctx, db, member, after, limit+1)
	rows, next := web.Paginate(list, rows, limit, func(m Match) unreadCursor { return unreadCursor{m.Unread > 0, web.Cursor{At: m.sortAt, ID: m.ID}} })
	return rows, next, err
}

// Counts returns the numbers of actor's matches and conversations.
func (s *Service) Counts(ctx context.Context, actor web.Actor) (MatchCounts, error) {
	counts, err := selectCounts(ctx, s.pool, actor.ID)
	return counts, pg.Fault(err)
}

// MarkSeen marks a match as seen by actor. It returns NotFound unless the match is one
// of actor's.
func (s *Service) MarkSeen(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	return updateSeen(ctx, s.pool, actor.ID, id)
}

// Unmatch permanently ends one of actor's matches, closes the conversation for both
// members, and publishes the end. If the match has ended, it only publishes that again, as
// PublishEndAgain does. Messages are not deleted, because they may be evidence. It returns
// NotFound unless the match is one of actor's.
func (s *Service) Unmatch(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	ended, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Ended, error) {
		other, err := selectPeer(ctx, tx, actor.ID, id)
		if err != nil {
			return Ended{}, err
		}
		if err := LockPair(ctx, tx, actor.ID, other); err != nil {
			return Ended{}, err
		}
		return End(ctx, tx, actor.ID, other)
	})
	if fault.Is(err, fault.NotFound) {
		return noMatch()
	}
	if err == nil {
		s.PublishEndAgain(ended)
	}
	return err
}

// Ended is the result of End: the ended match, the closed conversation and the ended couple, if any.
type Ended struct {
	by, other uuid.UUID
	ending
	couples []EndedCouple
}

// EndedCouple is a couple, or the request for one, that has ended because its members parted or one was banned.
type EndedCouple struct {
	Members     []uuid.UUID // only the one who asked, for a request to an address without an account
	WasApproved bool        // the Legacy Wall may have shown it
}

// End ends the match, the graduated couple and the conversation of two members in tx. The caller
// holds the pair's lock and calls PublishEnd or PublishEndAgain after the commit.
func End(ctx context.Context, tx pgx.Tx, by, other uuid.UUID) (Ended, error) {
	ended := Ended{by: by, other: other}
	var err error
	if ended.ending, err = endPair(ctx, tx, by, other); err != nil {
		return ended, err
	}
	rows, _ := tx.Query(ctx, `SELECT member_ids, was_approved FROM end_couples_between($1, $2)`, by, other)
	ended.couples, err = pgx.CollectRows(rows, pgx.RowToStructByPos[EndedCouple])
	return ended, err
}

// EndCouplesOf ends the graduated couple of a member who is banned, and the requests, in tx. The caller calls
// PublishEndedCouples after the commit.
func EndCouplesOf(ctx context.Context, tx pgx.Tx, member uuid.UUID) ([]EndedCouple, error) {
	rows, _ := tx.Query(ctx, `SELECT member_ids, was_approved FROM end_couples_with($1)`, member)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[EndedCouple])
}

// PublishEndedCouples calls the function of WatchEndedCouples, if a couple has ended.
func (s *Service) PublishEndedCouples(couples ...EndedCouple) {
	if s.onCouplesEnd != nil && len(couples) > 0 {
		s.onCouplesEnd(couples...)
	}
}

// PublishEnd publishes the end to both members if the call has ended something. The event does not contain who ended it.
// Nothing is published for a contact that had ended: the other member would learn of a report or a block.
func (s *Service) PublishEnd(e Ended) {
	s.PublishEndedCouples(e.couples...)
	if e.EndedNow {
		s.publishUnmatched(e)
	}
}

// PublishEndAgain is PublishEnd for calls that do nothing else than to end a contact. It also publishes the end again if the
// same member has ended the match in the last 24 hours, because that call may have published nothing (docs/decisions/0106).
// For devices that have removed the other member, the event changes nothing; at most ten a minute keep them from being
// flooded with it.
func (s *Service) PublishEndAgain(e Ended) {
	s.PublishEnd(e)
	if !e.EndedNow && e.EndedToday && s.repeatedEnds.Allow(e.by) == nil {
		s.publishUnmatched(e)
	}
}

func (s *Service) publishUnmatched(e Ended) {
	for recipient, other := range map[uuid.UUID]uuid.UUID{e.by: e.other, e.other: e.by} {
		s.events.Publish(bus.MemberSubject(recipient), bus.Event("", unmatched{
			Type: "unmatched", MatchID: e.MatchID, ConversationID: e.ConversationID, UserID: other,
		}))
	}
}

func noMatch() error { return fault.New(fault.NotFound, "We could not find that match.") }
