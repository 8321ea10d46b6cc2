package matching

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// unreadCursor is the sort key of a match in the list with unread ones first.
type unreadCursor struct {
	Unread bool `json:"u"`
	web.Cursor
}

// passActive is an SQL condition on p, a row of user_passes: the pass is in effect.
const passActive = `p.created_at > now() - interval '30 days'`

// fillCards loads the cards of the rows by their ids.
func fillCards[T any](ctx context.Context, db pg.DB, rows []T, card func(*T) *members.UserCard) error {
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i] = card(&rows[i]).ID
	}
	cards, err := members.Cards(ctx, db, ids)
	for i := range rows {
		*card(&rows[i]) = cards[ids[i]]
	}
	return err
}

// selectReceived reads the likes of @viewer by their index.
func selectReceived(ctx context.Context, db pg.DB, viewer uuid.UUID, after web.Cursor, limit int) ([]ReceivedLike, error) {
	rows, _ := db.Query(ctx, `
		SELECT r.id, r.from_user_id, r.created_at, r.like_type, r.comment, r.photo_id, r.prompt
		FROM user_likes r JOIN profiles u ON u.id = r.from_user_id
		WHERE r.to_user_id = @viewer AND (r.created_at, r.id) < (@at, @id) AND `+members.Visible+`
			AND NOT EXISTS (SELECT FROM user_likes l WHERE l.from_user_id = @viewer AND l.to_user_id = u.id)
			AND NOT EXISTS (SELECT FROM user_passes p WHERE p.from_user_id = @viewer AND p.to_user_id = u.id AND `+passActive+`)
		ORDER BY r.created_at DESC, r.id DESC LIMIT @limit`,
		pgx.NamedArgs{"viewer": viewer, "at": after.At, "id": after.ID, "limit": limit})
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (l ReceivedLike, err error) {
		var photo *uuid.UUID
		err = row.Scan(&l.ID, &l.User.ID, &l.LikedAt, &l.LikeType, &l.Comment, &photo, &l.Prompt)
		l.PhotoURL = thumbOf(photo)
		return l, err
	})
}

func thumbOf(photo *uuid.UUID) *string {
	if photo == nil {
		return nil
	}
	url := members.ThumbURL(*photo)
	return &url
}

func selectPasses(ctx context.Context, db pg.DB, viewer uuid.UUID, after web.Cursor, limit int) ([]Passed, error) {
	rows, _ := db.Query(ctx, `
		SELECT u.id, p.created_at FROM user_passes p JOIN profiles u ON u.id = p.to_user_id
		WHERE p.from_user_id = @viewer AND `+passActive+` AND (p.created_at, p.to_user_id) < (@at, @id) AND `+members.Visible+`
		ORDER BY p.created_at DESC, p.to_user_id DESC LIMIT @limit`,
		pgx.NamedArgs{"viewer": viewer, "at": after.At, "id": after.ID, "limit": limit})
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p Passed, err error) {
		err = row.Scan(&p.User.ID, &p.PassedAt)
		return p, err
	})
}

// bothSides returns the union of two queries, one for members who are user_a of a pair and
// one for user_b, because each column has its own index. half is called with the member's
// side and the other one, "a" or "b".
func bothSides(half func(mine, otherSide string) string) string {
	return `(` + half("a", "b") + `) UNION ALL (` + half("b", "a") + `)`
}

// openMatch returns FROM and WHERE for open matches with an active member, joined with
// their conversations.
func openMatch(mine, otherSide string) string {
	return `FROM matches m
		JOIN conversations c ON c.user_a = m.user_a AND c.user_b = m.user_b
		JOIN profiles o ON o.id = m.user_` + otherSide + ` AND o.profile_status = 'active'
		WHERE m.user_` + mine + ` = @member AND m.unmatched_at IS NULL`
}

// unreadIn returns an SQL condition on c, a conversation: it has a message that the side
// has not read.
func unreadIn(mine string) string {
	return `c.last_seq > c.` + mine + `_read_seq AND EXISTS (SELECT FROM messages x WHERE x.conversation_id = c.id
		AND x.seq > c.` + mine + `_read_seq AND x.sender_id <> @member AND x.deleted_at IS NULL)`
}

func matchColumns(mine, otherSide string) string {
	return `m.id, m.user_` + otherSide + ` AS other, c.id AS conversation, m.created_at, m.seen_by_` + mine + ` AS seen, c.last_message_at,
		c.` + mine + `_read_seq AS read_seq, ` + unreadIn(mine) + ` AS waits`
}

// shownMatch lists the columns of a Match, selected from a page m of matchColumns. Unread
// messages are counted only for the matches of the page, up to 100 each.
const shownMatch = `m.id, m.other, m.conversation, m.created_at, m.seen, m.last_message_at,
	CASE WHEN m.waits THEN (SELECT count(*) FROM (SELECT FROM messages x WHERE x.conversation_id = m.conversation
		AND x.seq > m.read_seq AND x.sender_id <> @member AND x.deleted_at IS NULL LIMIT 100) unread) ELSE 0 END`

func scanMatch(row pgx.CollectableRow) (m Match, err error) {
	err = row.Scan(&m.ID, &m.User.ID, &m.ConversationID, &m.MatchedAt, &m.Seen, &m.LastMessageAt, &m.Unread)
	m.sortAt = m.MatchedAt
	if m.Unread > 0 && m.LastMessageAt != nil {
		m.sortAt = *m.LastMessageAt
	}
	return m, err
}

// selectMatches reads at most one page of each side, so that its cost does not depend on
// the number of matches.
func selectMatches(ctx context.Context, db pg.DB, member uuid.UUID, after web.Cursor, limit int) ([]Match, error) {
	rows, _ := db.Query(ctx, `SELECT `+shownMatch+` FROM (`+bothSides(func(mine, otherSide string) string {
		return `SELECT ` + matchColumns(mine, otherSide) + ` ` + openMatch(mine, otherSide) + `
			AND (m.created_at, m.id) < (@at, @id) ORDER BY m.created_at DESC, m.id DESC LIMIT @limit`
	})+` ORDER BY created_at DESC, id DESC LIMIT @limit) m ORDER BY m.created_at DESC, m.id DESC`,
		pgx.NamedArgs{"member": member, "at": after.At, "id": after.ID, "limit": limit})
	return pgx.CollectRows(rows, scanMatch)
}

// selectMatchesByUnread reads all matches of the member, because the unread state
// changes with every message and has no index. MATERIALIZED makes PostgreSQL evaluate
// it once for each match.
func selectMatchesByUnread(ctx context.Context, db pg.DB, member uuid.UUID, after unreadCursor, limit int) ([]Match, error) {
	rows, _ := db.Query(ctx, `WITH mine AS MATERIALIZED (`+bothSides(func(mine, otherSide string) string {
		return `SELECT ` + matchColumns(mine, otherSide) + ` ` + openMatch(mine, otherSide)
	})+`), page AS MATERIALIZED (
			SELECT * FROM (SELECT *, CASE WHEN waits THEN coalesce(last_message_at, created_at) ELSE created_at END AS sort_at FROM mine) sorted
			WHERE (waits, sort_at, id) < (@unread, @at, @id)
			ORDER BY waits DESC, sort_at DESC, id DESC LIMIT @limit
		) SELECT `+shownMatch+` FROM page m ORDER BY m.waits DESC, m.sort_at DESC, m.id DESC`,
		pgx.NamedArgs{"member": member, "unread": after.Unread, "at": after.At, "id": after.ID, "limit": limit})
	return pgx.CollectRows(rows, scanMatch)
}

// fillLikes loads the likes of both members.
func fillLikes(ctx context.Context, db pg.DB, member uuid.UUID, matches []Match) error {
	others := make([]uuid.UUID, len(matches))
	byMember := map[uuid.UUID]*Match{}
	for i := range matches {
		others[i] = matches[i].User.ID
		byMember[others[i]] = &matches[i]
	}
	rows, _ := db.Query(ctx, `
		SELECT l.from_user_id, l.to_user_id, l.like_type, l.comment, l.photo_id, l.prompt FROM user_likes l
		WHERE l.from_user_id = $1 AND l.to_user_id = ANY($2)
		UNION ALL
		SELECT l.from_user_id, l.to_user_id, l.like_type, l.comment, l.photo_id, l.prompt FROM user_likes l
		WHERE l.to_user_id = $1 AND l.from_user_id = ANY($2)`, member, others)
	var from, to uuid.UUID
	var note LikeNote
	var photo *uuid.UUID
	_, err := pgx.ForEachRow(rows, []any{&from, &to, &note.LikeType, &note.Comment, &photo, &note.Prompt}, func() error {
		like := note
		like.PhotoURL = thumbOf(photo)
		if from == member {
			byMember[to].MyLike = &like
		} else {
			byMember[from].TheirLike = &like
		}
		return nil
	})
	return err
}

func selectCounts(ctx context.Context, db pg.DB, member uuid.UUID) (n MatchCounts, err error) {
	err = db.QueryRow(ctx, `SELECT m.*, t.*, d.* FROM (SELECT count(*), count(*) FILTER (WHERE NOT seen) FROM (`+
		bothSides(func(mine, otherSide string) string {
			return `SELECT m.seen_by_` + mine + ` AS seen ` + openMatch(mine, otherSide)
		})+`) m) m, (SELECT count(*), count(*) FILTER (WHERE waits) FROM (`+bothSides(startedConversations)+`) t) t,
		(SELECT count(*) FROM (`+bothSides(plannedDates)+`) d) d`,
		pgx.NamedArgs{"member": member}).Scan(&n.Matches, &n.NewMatches, &n.Conversations, &n.Unread, &n.DatesPlanned)
	return n, err
}

// startedConversations selects the open conversations with at least one message.
func startedConversations(mine, otherSide string) string {
	return `SELECT ` + unreadIn(mine) + ` AS waits
		FROM conversations c JOIN profiles o ON o.id = c.user_` + otherSide + ` AND o.profile_status = 'active'
		WHERE c.user_` + mine + ` = @member AND c.closed_at IS NULL AND c.requested_by IS NULL AND c.last_seq > 0`
}

// plannedDates selects the accepted dates in open conversations, without those for
// which the member answered that the two did not meet.
func plannedDates(mine, otherSide string) string {
	return `SELECT d.id FROM conversations c JOIN profiles o ON o.id = c.user_` + otherSide + ` AND o.profile_status = 'active'
		JOIN dates d ON d.conversation_id = c.id AND d.status = 'accepted'
		WHERE c.user_` + mine + ` = @member AND c.closed_at IS NULL AND c.requested_by IS NULL
			AND NOT EXISTS (SELECT FROM date_feedback f WHERE f.date_id = d.id AND f.user_id = @member AND f.met = 'no')`
}
