package matching

import (
	"bytes"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// The first half of the advisory locks' keys: the two kinds never meet.
const (
	lockOfActor = 0x6c696b65
	lockOfPair  = 0x70616972
)

// The row need not be locked: an advisory lock leaves the profile editable and
// the foreign keys of others unhindered. Ids that share a hash only wait more.
func lockActor(ctx context.Context, tx pgx.Tx, actor uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, lockOfActor, actor.String())
	return err
}

func lockPair(ctx context.Context, tx pgx.Tx, x, y uuid.UUID) error {
	a, b := pair(x, y)
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, lockOfPair, a.String()+b.String())
	return err
}

// pair returns the smaller id first, as the tables of pairs have it.
func pair(x, y uuid.UUID) (a, b uuid.UUID) {
	if bytes.Compare(x[:], y[:]) < 0 {
		return x, y
	}
	return y, x
}

// standing is how two members stand and what the one has sent of late.
type standing struct {
	actorShown, visible, premium bool
	mine, theirs                 *Kind
	matchID, conversationID      *uuid.UUID
	unmatched                    bool
	minute, day, supers          window
}

// selectStanding must come after the locks, in a statement of its own: only
// then does it see what the call before has committed. NotFound for a member
// that does not exist.
func selectStanding(ctx context.Context, tx pgx.Tx, actor, to uuid.UUID) (s standing, err error) {
	a, b := pair(actor, to)
	err = tx.QueryRow(ctx, `
		SELECT (SELECT `+members.Shown+` FROM users u WHERE u.id = @viewer),
			`+members.Visible+`,
			(SELECT coalesce(v.premium_until > now(), false) FROM users v WHERE v.id = @viewer),
			(SELECT l.like_type FROM user_likes l WHERE l.from_user_id = @viewer AND l.to_user_id = u.id),
			(SELECT l.like_type FROM user_likes l WHERE l.from_user_id = u.id AND l.to_user_id = @viewer),
			m.id, c.id, m.unmatched_at IS NOT NULL,
			sent.minute, sent.minute_oldest, sent.day, sent.day_oldest, sent.supers, sent.supers_oldest
		FROM users u
		LEFT JOIN matches m ON m.user_a = @a AND m.user_b = @b
		LEFT JOIN conversations c ON c.user_a = @a AND c.user_b = @b
		CROSS JOIN LATERAL (
			SELECT count(*) AS day, min(l.created_at) AS day_oldest,
				count(*) FILTER (WHERE l.created_at > now() - interval '1 minute') AS minute,
				min(l.created_at) FILTER (WHERE l.created_at > now() - interval '1 minute') AS minute_oldest,
				count(*) FILTER (WHERE l.like_type = 'super_like') AS supers,
				min(l.created_at) FILTER (WHERE l.like_type = 'super_like') AS supers_oldest
			FROM user_likes l WHERE l.from_user_id = @viewer AND l.created_at > now() - interval '1 day'
		) sent
		WHERE u.id = @to`, pgx.NamedArgs{"viewer": actor, "to": to, "a": a, "b": b}).
		Scan(&s.actorShown, &s.visible, &s.premium, &s.mine, &s.theirs, &s.matchID, &s.conversationID, &s.unmatched,
			&s.minute.count, &s.minute.oldest, &s.day.count, &s.day.oldest, &s.supers.count, &s.supers.oldest)
	if err == pgx.ErrNoRows {
		return s, notFound()
	}
	return s, err
}

// insertLike adds the like and takes back a pass. clock_timestamp, because
// transactions that waited for the same lock began at the same time.
func insertLike(ctx context.Context, tx pgx.Tx, from, to uuid.UUID, kind Kind) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		WITH taken_back AS (DELETE FROM user_passes WHERE from_user_id = $2 AND to_user_id = $3)
		INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at) VALUES ($1, $2, $3, $4, clock_timestamp())`,
		id, from, to, kind)
	return err
}

// match is one that was just made.
type match struct {
	id, conversation, a, b uuid.UUID
	kinds                  map[uuid.UUID]Kind // by the member who liked
}

// insertMatch makes the pair's match and opens their conversation; one that is
// there already, by a message sent without a match, becomes the match's.
func insertMatch(ctx context.Context, tx pgx.Tx, x, y uuid.UUID) (m match, err error) {
	m.a, m.b = pair(x, y)
	if m.id, err = uuid.NewV7(); err != nil {
		return m, err
	}
	if m.conversation, err = uuid.NewV7(); err != nil {
		return m, err
	}
	_, err = tx.Exec(ctx, `INSERT INTO matches (id, user_a, user_b, created_at) VALUES ($1, $2, $3, clock_timestamp())`, m.id, m.a, m.b)
	if err != nil {
		return m, err
	}
	err = tx.QueryRow(ctx, `
		INSERT INTO conversations AS c (id, user_a, user_b, match_id) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_a, user_b) DO UPDATE
		SET match_id = excluded.match_id, closed_at = NULL, changed_xid = pg_current_xact_id()
		RETURNING c.id`, m.conversation, m.a, m.b, m.id).Scan(&m.conversation)
	return m, err
}

func upsertPass(ctx context.Context, tx pgx.Tx, from, to uuid.UUID) error {
	_, err := tx.Exec(ctx, `INSERT INTO user_passes (from_user_id, to_user_id) VALUES ($1, $2)
		ON CONFLICT (from_user_id, to_user_id) DO UPDATE SET created_at = now()`, from, to)
	return err
}

// moment is a place in the list of matches.
type moment struct {
	At time.Time `json:"t"`
	ID uuid.UUID `json:"i"`
}

var newest = moment{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), ID: uuid.Max}

// selectMatches reads each half by its own index, so that a member with very
// many matches pays for one page only.
func selectMatches(ctx context.Context, db pg.DB, member uuid.UUID, after moment, limit int) ([]Match, error) {
	half := func(mine, theirs string) string {
		return `(SELECT m.id, m.` + theirs + ` AS other, c.id AS conversation, m.created_at, m.seen_by_` + mine[len(mine)-1:] + ` AS seen
			FROM matches m
			JOIN conversations c ON c.user_a = m.user_a AND c.user_b = m.user_b
			JOIN users o ON o.id = m.` + theirs + ` AND o.profile_status = 'active'
			WHERE m.` + mine + ` = @member AND m.unmatched_at IS NULL AND (m.created_at, m.id) < (@at, @id)
			ORDER BY m.created_at DESC, m.id DESC LIMIT @limit)`
	}
	rows, _ := db.Query(ctx, half("user_a", "user_b")+` UNION ALL `+half("user_b", "user_a")+`
		ORDER BY created_at DESC, id DESC LIMIT @limit`,
		pgx.NamedArgs{"member": member, "at": after.At, "id": after.ID, "limit": limit})
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (m Match, err error) {
		err = row.Scan(&m.ID, &m.User.ID, &m.ConversationID, &m.MatchedAt, &m.Seen)
		return m, err
	})
	return list, pg.Fault(err)
}

func updateSeen(ctx context.Context, db pg.DB, member, id uuid.UUID) error {
	tag, err := db.Exec(ctx, `
		UPDATE matches SET seen_by_a = seen_by_a OR user_a = $1, seen_by_b = seen_by_b OR user_b = $1
		WHERE id = $2 AND $1 IN (user_a, user_b) AND unmatched_at IS NULL`, member, id)
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(fault.NotFound, "We could not find that match.")
	}
	return pg.Fault(err)
}
