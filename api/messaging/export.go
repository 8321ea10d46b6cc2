package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/conversations"
	"heartward/api/platform/archive"
	"heartward/api/platform/pg"
)

// exportConversations selects the conversations, those that are not shown without the other
// member.
const exportConversations = `
SELECT
	side.conversation_id::text,
	json_build_object(
		'id', side.conversation_id,
		'with_user_id', CASE WHEN side.is_shown THEN side.peer_id END,
		'first_name', CASE
			WHEN side.is_shown THEN coalesce(peer.first_name, 'Former member')
		END,
		'is_shown', side.is_shown,
		'match_id', side.match_id,
		'is_request', side.requested_by IS NOT NULL,
		'requested_by_me', side.requested_by = @viewer,
		'declined_at', CASE WHEN side.requested_by <> @viewer THEN side.declined_at END,
		'closed_at', side.closed_at,
		'last_seq', side.last_seq,
		'last_message_at', CASE WHEN side.is_shown THEN side.last_message_at END,
		'read_seq', side.read_seq,
		'delivered_seq', side.delivered_seq,
		'notified_seq', side.notified_seq,
		'muted_until', CASE WHEN side.muted_until = 'infinity' THEN '9999-12-31T00:00:00Z' ELSE side.muted_until END,
		'pinned_at', CASE c.user_a WHEN @viewer THEN c.a_pinned_at ELSE c.b_pinned_at END,
		'archived_seq', CASE c.user_a WHEN @viewer THEN c.a_archived_seq ELSE c.b_archived_seq END,
		'turn_ended_seq', CASE c.user_a WHEN @viewer THEN c.a_turn_ended_seq ELSE c.b_turn_ended_seq END,
		'pictures_shown_at', CASE c.user_a WHEN @viewer THEN c.a_pictures_shown_at ELSE c.b_pictures_shown_at END,
		'spoke', CASE c.user_a WHEN @viewer THEN c.a_spoke ELSE c.b_spoke END,
		'message_spark_at', c.message_spark_at,
		'voice_connection_at', c.voice_connection_at,
		'both_wrote_at', c.both_wrote_at,
		'lasted_day_at', c.lasted_day_at,
		'created_at', c.created_at
	)
FROM (
	SELECT
		s.*,
		s.closed_at IS NULL
			AND (s.declined_at IS NULL OR s.requested_by = @viewer)
			AND NOT EXISTS (
				SELECT FROM profiles o
				WHERE o.id = s.peer_id
					AND o.profile_status <> 'active'
			) AS is_shown
	FROM conversation_sides s
	WHERE s.member_id = @viewer
		AND s.conversation_id > @after::uuid
) side
JOIN conversations c ON c.id = side.conversation_id
LEFT JOIN profiles peer ON peer.id = side.peer_id
ORDER BY side.conversation_id
LIMIT @limit`

// exportMessages selects the messages of a conversation: of both members if it is shown, and
// otherwise the member's own.
const exportMessages = `
SELECT
	m.seq::text,
	json_build_object(
		'id', m.id,
		'seq', m.seq,
		'sender', CASE WHEN m.sender_id = @viewer THEN 'me' ELSE 'them' END,
		'message_type', m.message_type,
		'content', m.content,
		'reply_to', m.reply_to,
		'date_id', m.date_id,
		'sent_at', m.sent_at,
		'read_at', CASE WHEN m.sender_id <> @viewer THEN m.read_at END,
		'deleted_at', m.deleted_at,
		'my_reaction', CASE WHEN m.sender_id = @viewer THEN m.sender_reaction ELSE m.receiver_reaction END,
		'their_reaction', CASE
			WHEN NOT @shown THEN NULL
			WHEN m.sender_id = @viewer THEN m.receiver_reaction
			ELSE m.sender_reaction
		END,
		'flag', m.sender_id <> @viewer AND m.flag IS NOT NULL,
		'flag_answer', CASE WHEN m.sender_id <> @viewer THEN m.flag_answer END,
		'files', (
			SELECT coalesce(json_agg(json_build_object(
				'file_id', CASE WHEN f.owner_id = @viewer THEN f.id END,
				'position', f.position,
				'content_type', f.content_type,
				'duration_ms', f.duration_ms
			) ORDER BY f.position), '[]')
			FROM attachments f
			WHERE f.conversation_id = m.conversation_id
				AND f.seq = m.seq
		)
	)
FROM messages m
WHERE m.conversation_id = @conversation
	AND m.seq > @after::bigint
	AND (@shown OR m.sender_id = @viewer)
ORDER BY m.seq
LIMIT @limit`

// Export writes the member's conversations and requests with their messages: those of both
// members if the conversation is shown to the member, and otherwise the member's own.
func Export(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteList(ctx, "conversations/conversations.json", archive.BeforeID, exportConversations, nil); err != nil {
		return err
	}
	for after := uuid.Nil; ; {
		page, err := selectForExport(ctx, w.DB(), w.Member(), after)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return nil
		}
		for _, c := range page {
			after = c.ID
			name := "conversations/" + c.ID.String() + ".json"
			args := pgx.NamedArgs{"conversation": c.ID, "shown": c.IsShown}
			if err := w.WriteList(ctx, name, archive.BeforeNumber, exportMessages, args); err != nil {
				return err
			}
		}
	}
}

type exportedConversation struct {
	ID      uuid.UUID
	IsShown bool
}

// selectForExport selects a page of the member's conversations after one.
func selectForExport(ctx context.Context, db pg.DB, member, after uuid.UUID) ([]exportedConversation, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			c.id,
			`+conversations.ShownSQL+`
		FROM conversations c
		WHERE $1 IN (c.user_a, c.user_b)
			AND c.id > $2
		ORDER BY c.id
		LIMIT 200`, member, after)
	page, err := pgx.CollectRows(rows, pgx.RowToStructByPos[exportedConversation])
	return page, pg.Fault(err)
}
