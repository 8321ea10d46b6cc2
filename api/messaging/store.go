package messaging

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// readingHidden says that nobody is told when a message m was read: one of the
// two keeps that to themselves, or it is a request.
const readingHidden = `EXISTS (SELECT FROM conversations h JOIN users u ON u.id IN (h.user_a, h.user_b)
	WHERE h.id = m.conversation_id AND (h.requested_by IS NOT NULL OR u.hide_read_receipts))`

// messageColumns are those of a message m as $1 sees it: what the filter found
// is told to the receiver, until they answered.
const messageColumns = `m.id, m.client_id, m.conversation_id, m.seq, m.sender_id, m.content, m.message_type, m.sent_at,
	CASE WHEN m.read_at IS NOT NULL AND NOT ` + readingHidden + ` THEN m.read_at END, ` + media.AttachmentsOf + `, m.reply_to, m.date_id, m.deleted_at, m.sender_reaction, m.receiver_reaction,
	CASE WHEN m.sender_id <> $1 AND m.flag_answer IS NULL AND m.deleted_at IS NULL THEN m.flag END, m.rev`

// scanTargets are where messageColumns go; files has to be presented.
func (m *Message) scanTargets(files *[]media.Row) []any {
	return []any{&m.ID, &m.ClientID, &m.ConversationID, &m.Seq, &m.SenderID, &m.Content, &m.MessageType, &m.SentAt, &m.ReadAt,
		files, &m.ReplyTo, &m.DateID, &m.DeletedAt, &m.SenderReaction, &m.ReceiverReaction, &m.Flag, &m.Rev}
}

func scanMessage(row pgx.CollectableRow) (Message, error) {
	var m Message
	var files []media.Row
	err := row.Scan(m.scanTargets(&files)...)
	m.finish(files)
	return m, err
}

// finish brings what was scanned into the form that is told.
func (m *Message) finish(files []media.Row) {
	m.Attachments = media.Present(files)
	m.SentAt = web.Time(m.SentAt)
	m.ReadAt, m.DeletedAt = told(m.ReadAt), told(m.DeletedAt)
}

// told is a moment as answers carry it.
func told(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	moment := web.Time(*at)
	return &moment
}

func messageByClientID(ctx context.Context, db pg.DB, sender, clientID uuid.UUID) (m Message, recipient uuid.UUID, err error) {
	var files []media.Row
	err = db.QueryRow(ctx, `
		SELECT `+messageColumns+`, CASE c.user_a WHEN m.sender_id THEN c.user_b ELSE c.user_a END
		FROM messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE m.sender_id = $1 AND m.client_id = $2`, sender, clientID).
		Scan(append(m.scanTargets(&files), &recipient)...)
	m.finish(files)
	return m, recipient, err
}

func messagesPage(ctx context.Context, db pg.DB, viewer, conversation uuid.UUID, page Page) ([]Message, error) {
	where, order, place := "true", "DESC", int64(0)
	switch {
	case page.After != nil:
		where, order, place = "m.seq > $4", "ASC", *page.After
	case page.Before != nil:
		where, place = "m.seq < $4", *page.Before
	default:
		where = "$4 = 0" // no place: the newest
	}
	rows, err := db.Query(ctx, `SELECT `+messageColumns+` FROM messages m
		WHERE m.conversation_id = $2 AND `+where+` ORDER BY m.seq `+order+` LIMIT $3`, viewer, conversation, page.Limit, place)
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, scanMessage)
	if order == "DESC" {
		slices.Reverse(list)
	}
	return list, err
}

func openConversation(ctx context.Context, db pg.DB, me, peer uuid.UUID) (open OpenConversation, err error) {
	err = db.QueryRow(ctx, `
		SELECT c.id, u.profile_status = 'active'
		FROM conversations c
		JOIN users o ON o.id = $2 AND o.profile_status = 'active'
		JOIN users u ON u.id = $1
		WHERE c.user_a = least($1::uuid, $2::uuid)
			AND c.user_b = greatest($1::uuid, $2::uuid)
			AND c.closed_at IS NULL
			AND c.requested_by IS NULL`, me, peer).Scan(&open.ID, &open.Shown)
	return open, err
}

// shown says that a conversation is there for $1: nobody has ended it, it is no
// request that $1 declined, and the other member is active. Whoever is suspended
// or under review is hidden until they are back.
var shown = shownTo("$1")

// shownTo is shown for the member that the expression stands for.
func shownTo(member string) string {
	return ` c.closed_at IS NULL AND (c.declined_at IS NULL OR c.requested_by = ` + member + `) AND EXISTS (SELECT FROM users o
	WHERE o.id = CASE c.user_a WHEN ` + member + ` THEN c.user_b ELSE c.user_a END AND o.profile_status = 'active') `
}

// named is the conversation shown to $1 that $2 names: the other member, the
// match or the conversation. Three indexes, one row at most.
var named = namedBy("$1::uuid", "$2::uuid")

// namedBy is named for the member and the name that the expressions stand for.
func namedBy(member, other string) string {
	return shownTo(member) + `AND ` + member + ` IN (c.user_a, c.user_b)
	AND (c.id = ` + other + ` OR c.match_id = ` + other + `
		OR (c.user_a = least(` + member + `, ` + other + `) AND c.user_b = greatest(` + member + `, ` + other + `)))`
}

func conversationID(ctx context.Context, db pg.DB, me, other uuid.UUID) (id uuid.UUID, err error) {
	err = db.QueryRow(ctx, `SELECT c.id FROM conversations c WHERE`+named, me, other).Scan(&id)
	return id, err
}

// conversationRow is a conversation from one member's side, without the card.
type conversationRow struct {
	Conversation
	PeerID     uuid.UUID
	SortAt     time.Time // of the newest message, else of the start
	ChangedXID uint64    // of what this side sees
	Closed     bool
}

// nextTransaction is the first transaction that the snapshot knows nothing of. A
// row that names it or a later one was restored from another cluster.
const nextTransaction = `(SELECT pg_snapshot_xmax(pg_current_snapshot()))`

// sideSQL reads conversations from the side of $1. changed_xid is the newest
// transaction that changed what $1 sees: some changes are those of one side
// alone, and one of another cluster counts as older than all others. Unread
// messages are counted up to 100, and someone is online whose socket was seen
// within 35 s. Receipts and presence are told where neither hides them. A
// request tells nothing of the other side.
var sideSQL = `
SELECT c.id, c.match_id, c.created_at, c.last_seq, s.peer, s.read_seq, s.delivered_seq,
	CASE WHEN c.requested_by IS NULL AND NOT hides.reading THEN s.peer_read_seq END,
	CASE WHEN c.requested_by IS NULL THEN s.peer_delivered_seq ELSE 0 END,
	coalesce(c.last_message_at, c.created_at), s.changed_xid::text::bigint, NOT (` + shown + `),
	(SELECT count(*) FROM (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.seq > s.read_seq
		AND m.sender_id <> $1 AND m.deleted_at IS NULL LIMIT 100) unread),
	c.requested_by IS NULL AND NOT hides.presence AND EXISTS (SELECT FROM online_members o WHERE o.user_id = s.peer),
	CASE WHEN c.requested_by IS NULL AND NOT hides.presence THEN date_bin('5 minutes',
		(SELECT ` + members.LastActive + ` FROM ` + members.WithActivity + ` WHERE u.id = s.peer), '2000-01-01T00:00:00Z') END,
	CASE WHEN c.requested_by IS NULL THEN 'none' WHEN c.requested_by = $1 THEN 'sent' ELSE 'received' END,
	c.last_rev, s.pinned_at, CASE WHEN s.muted_until = 'infinity' THEN '9999-12-31T00:00:00Z' ELSE s.muted_until END,
	c.message_spark_at, c.voice_connection_at,
	m.id, m.seq, m.sender_id, m.content, m.message_type, m.sent_at, m.deleted_at IS NOT NULL, files.duration_ms, coalesce(files.count, 0),
	m.sender_id <> $1 AND m.flag IS NOT NULL AND m.flag_answer IS NULL
FROM conversations c
CROSS JOIN LATERAL (SELECT
	CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END AS peer,
	CASE c.user_a WHEN $1 THEN c.a_read_seq ELSE c.b_read_seq END AS read_seq,
	CASE c.user_a WHEN $1 THEN c.a_delivered_seq ELSE c.b_delivered_seq END AS delivered_seq,
	CASE c.user_a WHEN $1 THEN c.b_read_seq ELSE c.a_read_seq END AS peer_read_seq,
	CASE c.user_a WHEN $1 THEN c.b_delivered_seq ELSE c.a_delivered_seq END AS peer_delivered_seq,
	CASE c.user_a WHEN $1 THEN c.a_pinned_at ELSE c.b_pinned_at END AS pinned_at,
	CASE c.user_a WHEN $1 THEN c.a_muted_until ELSE c.b_muted_until END AS muted_until,
	coalesce(greatest(
		CASE WHEN c.changed_xid < ` + nextTransaction + ` THEN c.changed_xid END,
		CASE WHEN c.user_a = $1 AND c.a_changed_xid < ` + nextTransaction + ` THEN c.a_changed_xid END,
		CASE WHEN c.user_b = $1 AND c.b_changed_xid < ` + nextTransaction + ` THEN c.b_changed_xid END), '0') AS changed_xid) s
CROSS JOIN LATERAL (SELECT bool_or(u.hide_online) AS presence, bool_or(u.hide_read_receipts) AS reading
	FROM users u WHERE u.id IN ($1, s.peer)) hides
LEFT JOIN messages m ON m.conversation_id = c.id AND m.seq = c.last_seq
LEFT JOIN LATERAL (SELECT max(f.duration_ms) AS duration_ms, count(*) AS count FROM message_files mf JOIN files f ON f.id = mf.file_id
	WHERE m.message_type IN ('audio', 'video', 'image') AND mf.conversation_id = c.id AND mf.seq = c.last_seq) files ON true
WHERE $1 IN (c.user_a, c.user_b) AND `

func scanConversation(row pgx.CollectableRow) (conversationRow, error) {
	var c conversationRow
	var m struct {
		ID, SenderID  *uuid.UUID
		Seq           *int64
		Content, Type *string
		SentAt        *time.Time
		Deleted       *bool
		Flagged       *bool
		DurationMs    *int
		Files         int
	}
	err := row.Scan(&c.ID, &c.MatchID, &c.CreatedAt, &c.LastSeq, &c.PeerID, &c.ReadSeq, &c.DeliveredSeq, &c.PeerReadSeq,
		&c.PeerDeliveredSeq, &c.SortAt, &c.ChangedXID, &c.Closed, &c.UnreadCount, &c.IsOnline, &c.LastSeenAt,
		&c.Request, &c.LastRev, &c.PinnedAt, &c.MutedUntil, &c.MessageSparkAt, &c.VoiceConnectionAt,
		&m.ID, &m.Seq, &m.SenderID, &m.Content, &m.Type, &m.SentAt, &m.Deleted, &m.DurationMs, &m.Files, &m.Flagged)
	if err != nil {
		return c, err
	}
	c.CreatedAt = web.Time(c.CreatedAt)
	c.PinnedAt, c.MutedUntil = told(c.PinnedAt), told(c.MutedUntil)
	c.LastSeenAt = told(c.LastSeenAt)
	c.MessageSparkAt, c.VoiceConnectionAt = told(c.MessageSparkAt), told(c.VoiceConnectionAt)
	if m.ID != nil {
		read := &c.ReadSeq
		if *m.SenderID != c.PeerID {
			read = c.PeerReadSeq
		}
		c.LastMessage = &LastMessage{
			ID: *m.ID, Seq: *m.Seq, SenderID: *m.SenderID, Content: *m.Content, MessageType: *m.Type,
			SentAt: web.Time(*m.SentAt), IsRead: read != nil && *m.Seq <= *read,
			DurationMs: m.DurationMs, AttachmentCount: m.Files, Deleted: *m.Deleted, Flagged: *m.Flagged,
		}
	}
	return c, nil
}

func (c conversationRow) summary(card members.UserCard) Conversation {
	c.User = card
	return c.Conversation
}

func conversationWith(ctx context.Context, db pg.DB, me, other uuid.UUID) (conversationRow, error) {
	rows, err := db.Query(ctx, sideSQL+named, me, other)
	if err != nil {
		return conversationRow{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanConversation)
}

// conversationsByTime reads those older than after, the newest first.
func conversationsByTime(ctx context.Context, db pg.DB, me uuid.UUID, after listCursor, limit int) ([]conversationRow, error) {
	rows, err := db.Query(ctx, sideSQL+shown+`
		AND (coalesce(c.last_message_at, c.created_at), c.id) < ($2, $3)
		ORDER BY coalesce(c.last_message_at, c.created_at) DESC, c.id DESC LIMIT $4`, me, after.At, after.ID, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanConversation)
}
