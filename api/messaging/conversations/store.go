package conversations

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// ShownSQL is an SQL condition: conversation c is shown to member $1. It is open, it is not
// a request that $1 has declined, and the other member is active or a former member, that is
// neither suspended, nor under review, nor leaving.
const ShownSQL = `
	c.closed_at IS NULL
	AND (c.declined_at IS NULL OR c.requested_by = $1)
	AND NOT EXISTS (
		SELECT FROM profiles o
		WHERE o.id = CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END
			AND o.profile_status <> 'active'
	)`

// IdentifiedSQL is an SQL condition: conversation c is shown to $1 and identified by $2, the
// id of the other member, the match or the conversation. Each alternative has an index.
const IdentifiedSQL = ShownSQL + `
	AND $1::uuid IN (c.user_a, c.user_b)
	AND (
		c.id = $2::uuid
		OR c.match_id = $2::uuid
		OR (c.user_a = least($1::uuid, $2::uuid) AND c.user_b = greatest($1::uuid, $2::uuid))
	)`

// FindID returns the id of the conversation that is shown to me and identified by other. It
// returns pgx.ErrNoRows if there is none.
func FindID(ctx context.Context, db pg.DB, me, other uuid.UUID) (id uuid.UUID, err error) {
	err = db.QueryRow(ctx, `SELECT c.id FROM conversations c WHERE `+IdentifiedSQL, me, other).Scan(&id)
	return id, err
}

func selectOpenConversation(ctx context.Context, db pg.DB, me, peer uuid.UUID) (open OpenConversation, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			c.id,
			u.profile_status = 'active' AND u.is_approved
		FROM conversations c
		JOIN profiles o ON o.id = $2 AND o.profile_status = 'active'
		JOIN profiles u ON u.id = $1
		WHERE c.user_a = least($1::uuid, $2::uuid)
			AND c.user_b = greatest($1::uuid, $2::uuid)
			AND c.closed_at IS NULL
			AND c.requested_by IS NULL`, me, peer).Scan(&open.ID, &open.MayWrite)
	return open, err
}

// conversationRow is a conversation from one member's side as selectConversations selects it. loadCards sets what it lacks.
type conversationRow struct {
	Conversation
	PeerID     uuid.UUID
	SortAt     time.Time // time of the newest message, or of the creation of an empty conversation
	ChangedXID uint64    // the newest transaction that changed the member's side
	Closed     bool      // not shown to the member; see ShownSQL
	lastMessageRow
}

// lastMessageRow is the newest message of a conversation. LastMessageID is nil if there is none; the other fields then have no
// meaning.
type lastMessageRow struct {
	LastMessageID       *uuid.UUID
	LastMessageSenderID *uuid.UUID
	LastMessageContent  *string
	LastMessageType     *string
	LastMessageSentAt   *time.Time
	LastMessageDeleted  *bool
	LastMessageFlagged  *bool
	LastMessageDuration *int // milliseconds, of a recording
	LastMessageFiles    int  // their number
}

// nextTransaction is the first transaction id after the snapshot. A row with this or a
// later transaction id was restored from another cluster.
const nextTransaction = `(SELECT pg_snapshot_xmax(pg_current_snapshot()))`

// selectConversations selects conversations from the side of $1. The caller adds a
// condition.
//
//   - side.changed_xid is the newest transaction that changed the side of $1. Some
//     changes are visible to one member only. A transaction id of another cluster
//     counts as older than all others.
//   - Unread messages are counted up to 100.
//   - Read receipts and presence are omitted if one of the two members hides them. A
//     delivered mark would reveal when a device is online, so without presence it is that
//     of the reading or the last answer. In a request all receipts and the presence of the
//     other member are omitted.
const selectConversations = `
SELECT
	c.id,
	c.match_id,
	c.created_at,
	c.last_seq,
	side.peer AS peer_id,
	side.read_seq,
	side.delivered_seq,
	CASE WHEN c.requested_by IS NULL AND NOT hides.reading THEN side.peer_read_seq END AS peer_read_seq,
	CASE
		WHEN c.requested_by IS NOT NULL THEN 0
		WHEN NOT hides.presence THEN side.peer_delivered_seq
		ELSE greatest(
			0,
			CASE WHEN NOT hides.reading THEN side.peer_read_seq END,
			(
				SELECT answer.seq
				FROM messages answer
				WHERE answer.conversation_id = c.id
					AND answer.sender_id = side.peer
				ORDER BY answer.seq DESC
				LIMIT 1
			)
		)
	END AS peer_delivered_seq,
	coalesce(c.last_message_at, c.created_at) AS sort_at,
	side.changed_xid::text::bigint AS changed_xid,
	NOT (` + ShownSQL + `) AS closed,
	(
		SELECT count(*)
		FROM (
			SELECT FROM messages m
			WHERE m.conversation_id = c.id
				AND m.seq > side.read_seq
				AND m.sender_id <> $1
				AND m.deleted_at IS NULL
			LIMIT 100
		) unread
	) AS unread_count,
	c.requested_by IS NULL
		AND NOT hides.presence
		AND EXISTS (SELECT FROM online_members o WHERE o.user_id = side.peer) AS is_online,
	CASE WHEN c.requested_by IS NULL AND NOT hides.presence THEN date_bin(
		'5 minutes',
		(SELECT a.last_active_at FROM member_activities a WHERE a.user_id = side.peer),
		'2000-01-01T00:00:00Z'
	) END AS last_seen_at,
	CASE WHEN c.requested_by IS NULL THEN 'none' WHEN c.requested_by = $1 THEN 'sent' ELSE 'received' END AS request,
	c.last_rev,
	side.pinned_at,
	CASE WHEN side.muted_until = 'infinity' THEN '9999-12-31T00:00:00Z' ELSE side.muted_until END AS muted_until,
	side.archived_seq,
	side.turn_ended_seq,
	side.pictures_shown_at IS NOT NULL AS pictures_shown,
	c.message_spark_at,
	c.voice_connection_at,
	m.id AS last_message_id,
	m.sender_id AS last_message_sender_id,
	m.content AS last_message_content,
	m.message_type AS last_message_type,
	m.sent_at AS last_message_sent_at,
	m.deleted_at IS NOT NULL AS last_message_deleted,
	m.sender_id <> $1 AND m.flag IS NOT NULL AND m.flag_answer IS NULL AS last_message_flagged,
	files.duration_ms AS last_message_duration,
	coalesce(files.count, 0) AS last_message_files
FROM conversations c
CROSS JOIN LATERAL (
	SELECT
		CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END AS peer,
		CASE c.user_a WHEN $1 THEN c.a_read_seq ELSE c.b_read_seq END AS read_seq,
		CASE c.user_a WHEN $1 THEN c.a_delivered_seq ELSE c.b_delivered_seq END AS delivered_seq,
		CASE c.user_a WHEN $1 THEN c.b_read_seq ELSE c.a_read_seq END AS peer_read_seq,
		CASE c.user_a WHEN $1 THEN c.b_delivered_seq ELSE c.a_delivered_seq END AS peer_delivered_seq,
		CASE c.user_a WHEN $1 THEN c.a_pinned_at ELSE c.b_pinned_at END AS pinned_at,
		CASE c.user_a WHEN $1 THEN c.a_muted_until ELSE c.b_muted_until END AS muted_until,
		CASE c.user_a WHEN $1 THEN c.a_archived_seq ELSE c.b_archived_seq END AS archived_seq,
		CASE c.user_a WHEN $1 THEN c.a_turn_ended_seq ELSE c.b_turn_ended_seq END AS turn_ended_seq,
		CASE c.user_a WHEN $1 THEN c.a_pictures_shown_at ELSE c.b_pictures_shown_at END AS pictures_shown_at,
		coalesce(greatest(
			CASE WHEN c.changed_xid < ` + nextTransaction + ` THEN c.changed_xid END,
			CASE WHEN c.user_a = $1 AND c.a_changed_xid < ` + nextTransaction + ` THEN c.a_changed_xid END,
			CASE WHEN c.user_b = $1 AND c.b_changed_xid < ` + nextTransaction + ` THEN c.b_changed_xid END
		), '0') AS changed_xid
) side
CROSS JOIN LATERAL (
	SELECT
		bool_or(u.hide_online) AS presence,
		bool_or(u.hide_read_receipts) AS reading
	FROM profiles u
	WHERE u.id IN ($1, side.peer)
) hides
LEFT JOIN messages m
	ON m.conversation_id = c.id
	AND m.seq = c.last_seq
LEFT JOIN LATERAL (
	SELECT
		max(f.duration_ms) AS duration_ms,
		count(*) AS count
	FROM attachments f
	WHERE m.message_type IN ('audio', 'video', 'image')
		AND f.conversation_id = c.id
		AND f.seq = c.last_seq
) files ON true
WHERE $1 IN (c.user_a, c.user_b)`

// rowToConversation scans a row of selectConversations into the form of the API.
func rowToConversation(row pgx.CollectableRow) (conversationRow, error) {
	c, err := pgx.RowToStructByName[conversationRow](row)
	if err != nil {
		return c, err
	}
	c.CreatedAt = web.Time(c.CreatedAt)
	for _, t := range []**time.Time{&c.PinnedAt, &c.MutedUntil, &c.LastSeenAt, &c.MessageSparkAt, &c.VoiceConnectionAt} {
		if *t != nil {
			*t = new(web.Time(**t))
		}
	}
	if c.LastMessageID != nil {
		c.LastMessage = c.lastMessage()
	}
	return c, nil
}

// lastMessage returns the newest message of a conversation that has one. Its seq is the last one.
func (c conversationRow) lastMessage() *LastMessage {
	read := &c.ReadSeq // by the recipient of the message
	if *c.LastMessageSenderID != c.PeerID {
		read = c.PeerReadSeq
	}
	return &LastMessage{
		ID: *c.LastMessageID, Seq: c.LastSeq, SenderID: *c.LastMessageSenderID, Content: *c.LastMessageContent, MessageType: *c.LastMessageType,
		SentAt: web.Time(*c.LastMessageSentAt), IsRead: read != nil && c.LastSeq <= *read,
		DurationMs: c.LastMessageDuration, AttachmentCount: c.LastMessageFiles, Deleted: *c.LastMessageDeleted, Flagged: *c.LastMessageFlagged,
	}
}

func selectConversation(ctx context.Context, db pg.DB, me, other uuid.UUID) (conversationRow, error) {
	rows, err := db.Query(ctx, selectConversations+` AND `+IdentifiedSQL, me, other)
	if err != nil {
		return conversationRow{}, err
	}
	return pgx.CollectExactlyOneRow(rows, rowToConversation)
}

// selectConversationsByTime returns the conversations before the cursor, the newest first.
func selectConversationsByTime(ctx context.Context, db pg.DB, me uuid.UUID, after listCursor, limit int) ([]conversationRow, error) {
	rows, err := db.Query(ctx, selectConversations+`
			AND `+ShownSQL+`
			AND (coalesce(c.last_message_at, c.created_at), c.id) < ($2, $3)
		ORDER BY coalesce(c.last_message_at, c.created_at) DESC, c.id DESC
		LIMIT $4`, me, after.At, after.ID, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, rowToConversation)
}
