// Package search finds a member's messages by a text. It reads the tables of packages
// conversations and messages and writes nothing.
package search

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/text/unicode/norm"

	"heartward/api/members"
	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// Found is a message that contains the text of a search.
type Found struct {
	Message        messages.Message `json:"message"`
	ConversationID uuid.UUID        `json:"conversationId"`
	User           members.UserCard `json:"user" doc:"The other member of the conversation"`

	peer   uuid.UUID
	sentAt time.Time // with the precision of the database, for the cursor
}

// foundCursor is the sort key of a page's last message. Within a conversation the time of
// sending rises with the seq.
type foundCursor struct {
	At           time.Time `json:"t"`
	Conversation uuid.UUID `json:"c"`
	Seq          int64     `json:"s"`
}

// Service searches messages. It is safe for concurrent use.
type Service struct {
	pool        *pgxpool.Pool
	searches    *limits.Members
	searchSlots *searchSlots
}

// New returns a service. A member is limited to 20 searches in 10 s. New panics if pool is nil.
func New(pool *pgxpool.Pool) *Service {
	nilcheck.Must("search.New", nilcheck.Deps{"pool": pool})
	return &Service{pool: pool, searches: limits.NewMembers(20, 10*time.Second, limits.Searching), searchSlots: newSearchSlots()}
}

// SetLimitClock makes the limit of searches use now as its clock. It is for tests.
func (s *Service) SetLimitClock(now func() time.Time) { s.searches.SetClock(now) }

// Unlimited removes the limit of searches. It is for tests and measurements.
func (s *Service) Unlimited() { s.searches = nil }

// searchTimeout is the time limit of a search.
const searchTimeout = 3 * time.Second

// Search returns a page of the messages of the actor's open conversations that contain the text, the newest first, and the
// cursor of the next page. It ignores case and accents.
//
// It returns Invalid unless the text has 2 to 100 characters and for a malformed cursor, RateLimited, and Unavailable if the
// search takes too long or too many members search.
func (s *Service) Search(ctx context.Context, actor web.Actor, words, cursor string, limit int) ([]Found, string, error) {
	words, err := cleanSearch(words)
	if err != nil {
		return nil, "", err
	}
	list := web.List{Name: "found messages", Member: actor.ID}
	after := foundCursor{At: web.StartCursor.At, Conversation: web.StartCursor.ID}
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	if after.At.Year() < 2000 || after.At.Year() > 9999 {
		return nil, "", conversations.ErrBadCursor()
	}
	if err := s.searches.Allow(actor.ID); err != nil {
		return nil, "", err
	}
	release, err := s.searchSlots.acquire(ctx, actor.ID)
	if err != nil {
		return nil, "", err
	}
	defer release()
	found, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]Found, error) {
		if _, err := tx.Exec(ctx, `SELECT set_config('statement_timeout', $1, true)`, searchTimeout.String()); err != nil {
			return nil, err
		}
		return selectFound(ctx, tx, actor.ID, words, after, limit+1)
	})
	if err != nil {
		return nil, "", err
	}
	found, next := web.Paginate(list, found, limit, func(f Found) foundCursor {
		return foundCursor{At: f.sentAt.UTC(), Conversation: f.ConversationID, Seq: f.Message.Seq}
	})
	return found, next, s.loadFoundCards(ctx, actor.ID, found)
}

// cleanSearch returns words to search for as messages have them.
func cleanSearch(words string) (string, error) {
	const sentence = "Search for 2 to 100 characters."
	words, err := text.Clean("q", text.WithoutDirections(words), text.Rule{Max: 100, Lines: true, TooLong: sentence, Bad: sentence, Empty: sentence})
	// Accents alone would find everything, because the comparison ignores them.
	if err == nil && utf8.RuneCountInString(withoutAccents(words)) < 2 {
		err = fault.InvalidField("q", sentence)
	}
	return words, err
}

// withoutAccents removes the marks that search_form removes.
func withoutAccents(words string) string {
	return strings.Map(func(r rune) rune {
		if r >= '\u0300' && r <= '\u036f' {
			return -1
		}
		return r
	}, norm.NFD.String(words))
}

// loadFoundCards completes found messages with the cards of the other members.
func (s *Service) loadFoundCards(ctx context.Context, viewer uuid.UUID, found []Found) error {
	ids := make([]uuid.UUID, len(found))
	for i := range found {
		ids[i] = found[i].peer
	}
	peers, err := conversations.Peers(ctx, s.pool, viewer, ids)
	for i := range found {
		found[i].User = peers[found[i].peer].Card
	}
	return err
}

// likePattern returns the LIKE pattern for texts that contain words.
func likePattern(words string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(words) + "%"
}

// selectFound reads each of the member's conversations backwards by the primary key, until
// it has a page. There is no full-text index, because it would slow down each insert and a
// member has few messages. search_form removes case and accents, which is expensive; the condition with prefilter excludes most
// messages before. PostgreSQL evaluates it first, because the function has a higher cost than the operator.
func selectFound(ctx context.Context, db pg.DB, me uuid.UUID, words string, after foundCursor, limit int) ([]Found, error) {
	rows, err := db.Query(ctx, `
		WITH own AS MATERIALIZED (
			SELECT
				c.id,
				CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END AS peer
			FROM conversations c
			WHERE $1 IN (c.user_a, c.user_b)
				AND c.requested_by IS NULL
				AND c.last_seq > 0
				AND `+conversations.ShownSQL+`
		), hits AS MATERIALIZED (
			SELECT
				hit.*,
				own.peer
			FROM own
			CROSS JOIN LATERAL (
				SELECT
					x.conversation_id,
					x.seq,
					x.sent_at
				FROM messages x
				WHERE x.conversation_id = own.id
					AND x.content ~ $7
					AND search_form(x.content) LIKE (SELECT search_form($2))
					AND x.deleted_at IS NULL
					AND (x.sent_at, x.conversation_id, x.seq) < ($3, $4, $5)
				ORDER BY x.seq DESC
				LIMIT $6
			) hit
			ORDER BY hit.sent_at DESC, hit.conversation_id DESC, hit.seq DESC
			LIMIT $6
		)
		SELECT `+messages.ColumnsSQL+`,
			hits.peer,
			hits.sent_at AS exact_sent_at
		FROM hits
		JOIN messages m
			ON m.conversation_id = hits.conversation_id
			AND m.seq = hits.seq
		ORDER BY m.sent_at DESC, m.conversation_id DESC, m.seq DESC`,
		me, likePattern(words), after.At, after.Conversation, after.Seq, limit, prefilter(words))
	if err != nil {
		return nil, err
	}
	type row struct {
		messages.Row
		Peer        uuid.UUID
		ExactSentAt time.Time
	}
	hits, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	found := make([]Found, len(hits))
	for i, r := range hits {
		found[i] = Found{Message: r.ToMessage(), ConversationID: r.ConversationID, peer: r.Peer, sentAt: r.ExactSentAt}
	}
	return found, err
}
