// Package unread reads what a member has not read, for the notifications on the member's devices,
// and marks up to which message they were sent: it owns the columns a_notified_seq and
// b_notified_seq of the table conversations.
package unread

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// MediaTypes are the types of messages, in addition to text and pictures, for which a
// member wants notifications.
type MediaTypes struct{ Voices, Videos bool }

// unreadMessages is what follows FROM, up to the first conditions of WHERE: the messages m of @conversation that @member has
// not read and may be notified of, with their sender u and the member's side c of the conversation. The caller appends further
// conditions with AND.
const unreadMessages = `
	conversation_sides c
	JOIN messages m ON m.conversation_id = c.conversation_id
		AND m.sender_id = c.peer_id
		AND m.seq > c.read_seq
		AND m.deleted_at IS NULL
		AND (m.message_type <> 'audio' OR @voices)
		AND (m.message_type <> 'video' OR @videos)
	JOIN profiles u ON u.id = m.sender_id AND u.profile_status = 'active'
	WHERE c.conversation_id = @conversation
		AND c.member_id = @member
		AND c.closed_at IS NULL
		AND c.declined_at IS NULL
		AND coalesce(c.muted_until, '-infinity') <= clock_timestamp()`

func unreadArgs(conversation, member uuid.UUID, types MediaTypes) pgx.NamedArgs {
	return pgx.NamedArgs{"conversation": conversation, "member": member, "voices": types.Voices, "videos": types.Videos}
}

// Newest is the newest message that a member was not notified of.
type Newest struct {
	Seq          int64
	SentAt       time.Time
	Now          time.Time // by the clock of the database
	Request      bool      // the conversation is a request
	DeliveredSeq int64     // the seq up to which a device of the member has received
	Online       bool      // whether the member is connected
}

// LockNewest locks the conversation until the end of tx, and returns the newest
// message that the member was not notified of. It returns pgx.ErrNoRows if there is none:
// all are read, deleted or notified, or the conversation is muted or closed.
func LockNewest(ctx context.Context, tx pgx.Tx, conversation, member uuid.UUID, types MediaTypes) (Newest, error) {
	if _, err := tx.Exec(ctx, `SELECT FROM conversations WHERE id = $1 FOR NO KEY UPDATE`, conversation); err != nil {
		return Newest{}, err
	}
	// A separate statement sees messages that were committed during the wait for the lock.
	rows, err := tx.Query(ctx, `
		SELECT
			m.seq,
			m.sent_at,
			clock_timestamp() AS now,
			c.requested_by IS NOT NULL AS request,
			c.delivered_seq,
			EXISTS (SELECT FROM online_members o WHERE o.user_id = @member) AS online
		FROM `+unreadMessages+`
			AND m.seq > c.notified_seq
		ORDER BY m.seq DESC
		LIMIT 1`, unreadArgs(conversation, member, types))
	if err != nil {
		return Newest{}, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByName[Newest])
}

// MarkNotified records that the member is notified of the messages up to seq.
func MarkNotified(ctx context.Context, tx pgx.Tx, conversation, member uuid.UUID, seq int64) error {
	_, err := tx.Exec(ctx, `
		UPDATE conversations
		SET a_notified_seq = CASE user_a WHEN $2 THEN $3 ELSE a_notified_seq END,
			b_notified_seq = CASE user_b WHEN $2 THEN $3 ELSE b_notified_seq END
		WHERE id = $1`, conversation, member, seq)
	return err
}

// Summary describes the unread messages of a conversation.
type Summary struct {
	From       string // first name of the sender
	PeerID     uuid.UUID
	Count      int
	Type       string // this and the following fields are of the newest message
	Content    string
	SentAt     time.Time
	Request    bool
	Flagged    bool // and not approved by the recipient
	Files      int
	DurationMs int64 // of a recording
}

// Summarize returns a summary of the member's unread messages up to seq. It returns
// pgx.ErrNoRows if there are none, and if the member was notified of a later one.
func Summarize(ctx context.Context, db pg.DB, conversation, member uuid.UUID, seq int64, types MediaTypes) (Summary, error) {
	args := unreadArgs(conversation, member, types)
	args["seq"] = seq
	rows, err := db.Query(ctx, `
		SELECT
			u.first_name AS "from",
			u.id AS peer_id,
			count(*) OVER () AS count,
			m.message_type AS type,
			m.content,
			m.sent_at,
			c.requested_by IS NOT NULL AS request,
			m.flag IS NOT NULL AND m.flag_answer IS DISTINCT FROM 'fine' AS flagged,
			(SELECT count(*) FROM attachments f WHERE f.conversation_id = m.conversation_id AND f.seq = m.seq) AS files,
			coalesce((
				SELECT max(f.duration_ms)
				FROM attachments f
				WHERE f.conversation_id = m.conversation_id
					AND f.seq = m.seq
			), 0) AS duration_ms
		FROM `+unreadMessages+`
			AND m.seq <= @seq
			AND c.notified_seq <= @seq
		ORDER BY m.seq DESC
		LIMIT 1`, args)
	if err != nil {
		return Summary{}, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByName[Summary])
}

// Count returns the number of conversations with unread messages for the badge of the
// app's icon. It ignores requests, muted and archived conversations, and deleted messages.
func Count(ctx context.Context, db pg.DB, member uuid.UUID) (n int, err error) {
	err = db.QueryRow(ctx, `
		SELECT count(*)
		FROM conversation_sides c
		JOIN profiles peer ON peer.id = c.peer_id AND peer.profile_status = 'active'
		WHERE c.member_id = $1
			AND c.closed_at IS NULL
			AND c.requested_by IS NULL
			AND coalesce(c.muted_until, '-infinity') <= clock_timestamp()
			AND NOT EXISTS (SELECT FROM archived_sides a WHERE a.conversation_id = c.conversation_id AND a.member_id = $1)
			AND c.has_unread`, member).Scan(&n)
	return n, err
}

// ReadUpTo is the newest message that a member has read of a conversation.
type ReadUpTo struct {
	ConversationID uuid.UUID `json:"id"`
	Seq            int64     `json:"seq"`
}

// ReadAfterNotified returns the conversations in which the member has read, on any device, all messages that devices were
// notified of, so that their notifications can be closed: those with the newest messages, at most limit.
func ReadAfterNotified(ctx context.Context, db pg.DB, member uuid.UUID, limit int) ([]ReadUpTo, error) {
	rows, err := db.Query(ctx, `
		SELECT
			c.conversation_id,
			c.read_seq
		FROM conversation_sides c
		WHERE c.member_id = $1
			AND c.closed_at IS NULL
			AND c.notified_seq > 0
			AND c.read_seq >= c.notified_seq
		ORDER BY c.last_message_at DESC, c.conversation_id
		LIMIT $2`, member, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[ReadUpTo])
}
