package matching

import (
	"context"
	"time"

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

// fillCards loads the cards of the rows by their ids, as viewer sees them.
func fillCards[T any](ctx context.Context, db pg.DB, viewer uuid.UUID, rows []T, card func(*T) *members.UserCard) error {
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i] = card(&rows[i]).ID
	}
	cards, err := members.Cards(ctx, db, viewer, ids)
	for i := range rows {
		*card(&rows[i]) = cards[ids[i]]
	}
	return err
}

// noteColumns are the columns of noteRow, of a like l. The answer is that to the liked question, as it is on the profile.
const noteColumns = `
		l.like_type,
		l.comment,
		l.photo_id,
		l.prompt,
		(
			SELECT a.answer
			FROM profile_answers a
			WHERE a.member_id = l.to_user_id
				AND a.question = l.prompt
			ORDER BY a.position
			LIMIT 1
		) AS answer`

// unansweredLikes is a FROM item: the unanswered likes r of @viewer, and their senders u, whom @viewer may see.
const unansweredLikes = `
	unanswered_likes(@viewer) r
	JOIN visible_members(@viewer) u ON u.id = r.member_id`

// noteRow has the columns of a LikeNote.
type noteRow struct {
	LikeType Kind
	Comment  string
	PhotoID  *uuid.UUID
	Prompt   *string
	Answer   *string
}

func (r noteRow) note() LikeNote {
	return LikeNote{LikeType: r.LikeType, Comment: r.Comment, PhotoURL: thumbOf(r.PhotoID), Prompt: r.Prompt, Answer: r.Answer}
}

type receivedRow struct {
	ID         uuid.UUID
	FromUserID uuid.UUID
	CreatedAt  time.Time
	noteRow
}

const receivedSQL = `
	SELECT
		r.id,
		r.member_id AS from_user_id,
		r.created_at,` + noteColumns + `
	FROM` + unansweredLikes + `
	JOIN user_likes l ON l.id = r.id
	WHERE (r.created_at, r.id) < (@at, @id)
	ORDER BY r.created_at DESC, r.id DESC
	LIMIT @limit`

func selectReceived(ctx context.Context, db pg.DB, viewer uuid.UUID, after web.Cursor, limit int) ([]ReceivedLike, error) {
	rows, _ := db.Query(ctx, receivedSQL, pgx.NamedArgs{"viewer": viewer, "at": after.At, "id": after.ID, "limit": limit})
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[receivedRow])
	likes := make([]ReceivedLike, len(found))
	for i, row := range found {
		likes[i] = ReceivedLike{ID: row.ID, User: members.UserCard{ID: row.FromUserID}, LikedAt: row.CreatedAt, LikeNote: row.note()}
	}
	return likes, err
}

// countReceivedSQL counts at most @limit likes after the position (@at, @id), which are older. The order makes PostgreSQL read
// them by their index, up to the limit.
const countReceivedSQL = `
	SELECT count(*)
	FROM (
		SELECT
		FROM` + unansweredLikes + `
		WHERE (r.created_at, r.id) < (@at, @id)
		ORDER BY r.created_at DESC, r.id DESC
		LIMIT @limit
	) received`

func countReceived(ctx context.Context, db pg.DB, viewer uuid.UUID, after web.Cursor, limit int) (n int, err error) {
	err = db.QueryRow(ctx, countReceivedSQL, pgx.NamedArgs{"viewer": viewer, "at": after.At, "id": after.ID, "limit": limit}).Scan(&n)
	return n, err
}

// countUnseenSQL counts at most @limit likes since the time @from.
const countUnseenSQL = `
	SELECT count(*)
	FROM (
		SELECT
		FROM` + unansweredLikes + `
		WHERE r.created_at >= @from
		ORDER BY r.created_at DESC, r.id DESC
		LIMIT @limit
	) unseen`

// countUnseen counts at most limit likes that are newer than seenAt, a time in milliseconds.
func countUnseen(ctx context.Context, db pg.DB, viewer uuid.UUID, seenAt time.Time, limit int) (n int, err error) {
	// A stored time has microseconds, so that of the seen like may be later than seenAt.
	from := seenAt.Add(time.Millisecond)
	err = db.QueryRow(ctx, countUnseenSQL, pgx.NamedArgs{"viewer": viewer, "from": from, "limit": limit}).Scan(&n)
	return n, err
}

func thumbOf(photo *uuid.UUID) *string {
	if photo == nil {
		return nil
	}
	url := members.ThumbURL(*photo)
	return &url
}

// selectPasses reads the passes of @viewer that are active, or those that have lapsed.
func selectPasses(ctx context.Context, db pg.DB, viewer uuid.UUID, lapsed bool, after web.Cursor, limit int) ([]Passed, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			u.id,
			p.created_at
		FROM user_passes p
		JOIN visible_members(@viewer) u ON u.id = p.to_user_id
		WHERE p.from_user_id = @viewer
			AND (p.created_at, p.to_user_id) < (@at, @id)
			AND @lapsed <> EXISTS (
				SELECT FROM active_passes a
				WHERE a.from_user_id = p.from_user_id
					AND a.to_user_id = p.to_user_id)
		ORDER BY p.created_at DESC, p.to_user_id DESC
		LIMIT @limit`,
		pgx.NamedArgs{"viewer": viewer, "lapsed": lapsed, "at": after.At, "id": after.ID, "limit": limit})
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p Passed, err error) {
		err = row.Scan(&p.User.ID, &p.PassedAt)
		return p, err
	})
}

// openMatches is a FROM item with a condition: the open matches m of @member with an
// active member, and their conversations c. The status is looked up by a subquery,
// because PostgreSQL would join all members to count a member's matches.
const openMatches = `
	match_sides m
	JOIN conversation_sides c
		ON c.member_id = m.member_id
		AND c.peer_id = m.peer_id
	WHERE m.member_id = @member
		AND m.unmatched_at IS NULL
		AND (SELECT o.profile_status = 'active' FROM profiles o WHERE o.id = m.peer_id)`

// matchColumns are the columns of openMatches that the lists read.
const matchColumns = `
	m.match_id AS id,
	m.peer_id AS other,
	c.conversation_id AS conversation,
	m.created_at,
	m.seen,
	c.last_message_at,
	c.has_unread`

// matchResultColumns lists the columns of a Match, selected from a page m of matchColumns.
// Unread messages are counted only for the matches of the page.
const matchResultColumns = `
	m.id,
	m.other,
	m.conversation,
	m.created_at,
	m.seen,
	m.last_message_at,
	CASE WHEN m.has_unread THEN (
		SELECT c.unread_count
		FROM conversation_sides c
		WHERE c.conversation_id = m.conversation
			AND c.member_id = @member
	) ELSE 0 END AS unread`

// matchRow has the columns of matchResultColumns.
type matchRow struct {
	ID            uuid.UUID
	Other         uuid.UUID
	Conversation  uuid.UUID
	CreatedAt     time.Time
	Seen          bool
	LastMessageAt *time.Time
	Unread        int
}

// match returns the match without the card and the likes. Its sort key is that of matchesByUnreadSQL.
func (r matchRow) match() Match {
	m := Match{
		ID: r.ID, User: members.UserCard{ID: r.Other}, ConversationID: r.Conversation, MatchedAt: r.CreatedAt, Seen: r.Seen,
		Unread: r.Unread, LastMessageAt: r.LastMessageAt, sortAt: r.CreatedAt,
	}
	if m.Unread > 0 && m.LastMessageAt != nil {
		m.sortAt = *m.LastMessageAt
	}
	return m
}

// collectMatches returns the matches of rows of matchResultColumns.
func collectMatches(rows pgx.Rows) ([]Match, error) {
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[matchRow])
	matches := make([]Match, len(found))
	for i, row := range found {
		matches[i] = row.match()
	}
	return matches, err
}

// selectMatches reads at most one page of each of the two queries in match_sides, so that
// its cost does not depend on the number of matches.
func selectMatches(ctx context.Context, db pg.DB, member uuid.UUID, after web.Cursor, limit int) ([]Match, error) {
	rows, _ := db.Query(ctx, matchesSQL, pgx.NamedArgs{"member": member, "at": after.At, "id": after.ID, "limit": limit})
	return collectMatches(rows)
}

const matchesSQL = `
SELECT ` + matchResultColumns + `
FROM (
	SELECT ` + matchColumns + `
	FROM ` + openMatches + `
		AND (m.created_at, m.match_id) < (@at, @id)
	ORDER BY m.created_at DESC, m.match_id DESC
	LIMIT @limit
) m
ORDER BY m.created_at DESC, m.id DESC`

// selectMatchesByUnread reads all matches of the member, because the unread state
// changes with every message and has no index. MATERIALIZED makes PostgreSQL evaluate
// it once for each match.
func selectMatchesByUnread(ctx context.Context, db pg.DB, member uuid.UUID, after unreadCursor, limit int) ([]Match, error) {
	rows, _ := db.Query(ctx, matchesByUnreadSQL,
		pgx.NamedArgs{"member": member, "unread": after.Unread, "at": after.At, "id": after.ID, "limit": limit})
	return collectMatches(rows)
}

const matchesByUnreadSQL = `
WITH member_matches AS MATERIALIZED (
	SELECT ` + matchColumns + `
	FROM ` + openMatches + `
), page AS MATERIALIZED (
	SELECT *
	FROM (
		SELECT
			*,
			CASE WHEN has_unread THEN coalesce(last_message_at, created_at) ELSE created_at END AS sort_at
		FROM member_matches
	) sorted
	WHERE (has_unread, sort_at, id) < (@unread, @at, @id)
	ORDER BY has_unread DESC, sort_at DESC, id DESC
	LIMIT @limit
)
SELECT ` + matchResultColumns + `
FROM page m
ORDER BY m.has_unread DESC, m.sort_at DESC, m.id DESC`

type likeRow struct {
	FromUserID uuid.UUID
	ToUserID   uuid.UUID
	noteRow
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
		SELECT
			l.from_user_id,
			l.to_user_id,`+noteColumns+`
		FROM (
			SELECT *
			FROM user_likes
			WHERE from_user_id = $1
				AND to_user_id = ANY($2)
			UNION ALL
			SELECT *
			FROM user_likes
			WHERE to_user_id = $1
				AND from_user_id = ANY($2)
		) l`, member, others)
	likes, err := pgx.CollectRows(rows, pgx.RowToStructByName[likeRow])
	for _, l := range likes {
		if l.FromUserID == member {
			byMember[l.ToUserID].MyLike = new(l.note())
		} else {
			byMember[l.FromUserID].TheirLike = new(l.note())
		}
	}
	return err
}

// countsSQL counts the open matches, the open conversations with at least one message,
// and the accepted dates in open conversations, without those for which the member
// answered that the two did not meet.
const countsSQL = `
SELECT
	m.matches,
	m.new_matches,
	c.conversations,
	c.unread,
	d.dates_planned
FROM (
	SELECT
		count(*) AS matches,
		count(*) FILTER (WHERE NOT m.seen) AS new_matches
	FROM ` + openMatches + `
) m, (
	SELECT
		count(*) AS conversations,
		count(*) FILTER (WHERE c.has_unread) AS unread
	FROM conversation_sides c
	WHERE c.member_id = @member
		AND c.closed_at IS NULL
		AND c.requested_by IS NULL
		AND c.last_seq > 0
		AND (SELECT o.profile_status = 'active' FROM profiles o WHERE o.id = c.peer_id)
) c, (
	SELECT count(*) AS dates_planned
	FROM planned_dates d
	WHERE d.member_id = @member
		AND NOT d.in_request
		AND NOT d.did_not_meet
		AND (SELECT o.profile_status = 'active' FROM profiles o WHERE o.id = d.peer_id)
) d`

func selectCounts(ctx context.Context, db pg.DB, member uuid.UUID) (MatchCounts, error) {
	rows, _ := db.Query(ctx, countsSQL, pgx.NamedArgs{"member": member})
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[MatchCounts])
}
