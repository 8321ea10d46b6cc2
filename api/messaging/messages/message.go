package messages

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/media"
	"heartward/api/messaging/conversations"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Message is a message. Seq counts from 1 without gaps within the conversation.
type Message struct {
	ID             uuid.UUID  `json:"id"`
	ClientID       uuid.UUID  `json:"clientId" doc:"The id set by the sender; a retry with it returns the first result"`
	ConversationID uuid.UUID  `json:"conversationId"`
	Seq            int64      `json:"seq" doc:"The number of the message in the conversation, from 1, without gaps"`
	SenderID       uuid.UUID  `json:"senderId"`
	Content        string     `json:"content"`
	MessageType    string     `json:"messageType" enum:"text,audio,video,image,date"`
	SentAt         time.Time  `json:"sentAt"`
	ReadAt         *time.Time `json:"readAt" nullable:"true" doc:"The time at which the recipient read it"`

	Attachments       []media.Attachment `json:"attachments" db:"-"` // of Row.Files
	ReplyTo           *int64             `json:"replyTo" nullable:"true" doc:"The seq of the message to which this one replies"`
	DateID            *uuid.UUID         `json:"dateId" nullable:"true" doc:"The date of a message of type date"`
	DeletedAt         *time.Time         `json:"deletedAt" nullable:"true" doc:"The time at which its sender deleted it; the content is then empty"`
	SenderReaction    *string            `json:"senderReaction" nullable:"true"`
	RecipientReaction *string            `json:"receiverReaction" nullable:"true"`
	Flag              *string            `json:"flag" nullable:"true" enum:"harassment,sexual_pressure,money,off_platform,spam" doc:"The category of the flag; only for the recipient, until they answer"`
	Rev               int64              `json:"rev" doc:"The rev of its last change, 0 if it never changed"`
}

// For returns the message without the fields that viewer may not see: the flag is only for
// the recipient.
func (m Message) For(viewer uuid.UUID) Message {
	if viewer == m.SenderID {
		m.Flag = nil
	}
	return m
}

// Page selects messages of a conversation: those after a seq, those before a seq, or with
// neither the newest.
type Page struct {
	After, Before *int64
	Limit         int
}

// List returns a page of the conversation that other identifies (the other member, the
// match or the conversation), in ascending order. It returns NotFound if the actor has no
// such open conversation.
func (s *Service) List(ctx context.Context, actor web.Actor, other uuid.UUID, page Page) ([]Message, error) {
	if page.After != nil && page.Before != nil {
		return nil, fault.InvalidField("before", "Give before or after, not both.")
	}
	conversation, err := conversations.FindID(ctx, s.pool, actor.ID, other)
	if err != nil {
		return nil, pg.Fault(err)
	}
	list, err := selectMessages(ctx, s.pool, actor.ID, conversation, page)
	return list, pg.Fault(err)
}

// Changes returns the messages of the conversation that other identifies whose rev is above
// after, in the order of rev. A message that changed several times is returned once. more
// reports whether there are further ones. It returns NotFound like List.
func (s *Service) Changes(ctx context.Context, actor web.Actor, other uuid.UUID, after int64, limit int) (list []Message, more bool, err error) {
	conversation, err := conversations.FindID(ctx, s.pool, actor.ID, other)
	if err != nil {
		return nil, false, pg.Fault(err)
	}
	if list, err = selectMessagesByRev(ctx, s.pool, actor.ID, conversation, after, limit+1); err != nil {
		return nil, false, pg.Fault(err)
	}
	if more = len(list) > limit; more {
		list = list[:limit]
	}
	return list, more, nil
}

// Row is a message as ColumnsSQL selects it.
type Row struct {
	Message
	Files []media.Row
}

// ColumnsSQL are the columns of Row, of a message m for member $1.
// The time of reading is null in requests and if one of the two members hides read
// receipts. The flag is only for the recipient, until they have answered it.
const ColumnsSQL = `
	m.id,
	m.client_id,
	m.conversation_id,
	m.seq,
	m.sender_id,
	m.content,
	m.message_type,
	m.sent_at,
	CASE WHEN m.read_at IS NOT NULL AND NOT EXISTS (
		SELECT FROM conversations conv
		JOIN profiles u ON u.id IN (conv.user_a, conv.user_b)
		WHERE conv.id = m.conversation_id
			AND (conv.requested_by IS NOT NULL OR u.hide_read_receipts)
	) THEN m.read_at END AS read_at,
	` + media.AttachmentsSQL + ` AS files,
	m.reply_to,
	m.date_id,
	m.deleted_at,
	m.sender_reaction,
	m.receiver_reaction AS recipient_reaction,
	CASE WHEN m.sender_id <> $1 AND m.flag_answer IS NULL AND m.deleted_at IS NULL THEN m.flag END AS flag,
	m.rev`

// ToMessage returns the message in the form of the API.
func (r Row) ToMessage() Message {
	m := r.Message
	m.Attachments = media.ToAttachments(r.Files)
	m.SentAt = web.Time(m.SentAt)
	m.ReadAt, m.DeletedAt = toAPITime(m.ReadAt), toAPITime(m.DeletedAt)
	return m
}

func toAPITime(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	converted := web.Time(*t)
	return &converted
}

func rowToMessage(collectable pgx.CollectableRow) (Message, error) {
	row, err := pgx.RowToStructByName[Row](collectable)
	return row.ToMessage(), err
}

// selectMessage runs a statement that selects one message, and returns it or pgx.ErrNoRows.
func selectMessage(ctx context.Context, db pg.DB, sql string, args ...any) (Message, error) {
	rows, _ := db.Query(ctx, sql, args...)
	return pgx.CollectExactlyOneRow(rows, rowToMessage)
}

// ByClientID returns the message of the sender to the recipient with this client id, or pgx.ErrNoRows.
func ByClientID(ctx context.Context, db pg.DB, sender, recipient, clientID uuid.UUID) (Message, error) {
	return selectMessage(ctx, db, `
		SELECT `+ColumnsSQL+`
		FROM conversations c
		JOIN messages m ON m.conversation_id = c.id
		WHERE c.user_a = least($1::uuid, $2::uuid)
			AND c.user_b = greatest($1::uuid, $2::uuid)
			AND m.sender_id = $1
			AND m.client_id = $3`, sender, recipient, clientID)
}

// BySeq returns a message of a conversation from the side of viewer, or pgx.ErrNoRows. It does not
// check whether viewer may see it.
func BySeq(ctx context.Context, db pg.DB, viewer, conversation uuid.UUID, seq int64) (Message, error) {
	return selectMessage(ctx, db, `
		SELECT `+ColumnsSQL+`
		FROM messages m
		WHERE m.conversation_id = $2
			AND m.seq = $3`, viewer, conversation, seq)
}

func selectMessages(ctx context.Context, db pg.DB, viewer, conversation uuid.UUID, page Page) ([]Message, error) {
	const (
		ascending = `
		SELECT ` + ColumnsSQL + `
		FROM messages m
		WHERE m.conversation_id = $2
			AND m.seq > $3
		ORDER BY m.seq
		LIMIT $4`
		descending = `
		SELECT ` + ColumnsSQL + `
		FROM messages m
		WHERE m.conversation_id = $2
			AND m.seq < $3
		ORDER BY m.seq DESC
		LIMIT $4`
	)
	sql, seq := descending, Newest // a page before the end
	switch {
	case page.After != nil:
		sql, seq = ascending, *page.After
	case page.Before != nil:
		seq = *page.Before
	}
	rows, err := db.Query(ctx, sql, viewer, conversation, seq, page.Limit)
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, rowToMessage)
	if page.After == nil {
		slices.Reverse(list)
	}
	return list, err
}

// selectMessagesByRev uses the index messages_rev, which contains only messages
// that have changed.
func selectMessagesByRev(ctx context.Context, db pg.DB, viewer, conversation uuid.UUID, after int64, limit int) ([]Message, error) {
	rows, err := db.Query(ctx, `
		SELECT `+ColumnsSQL+`
		FROM messages m
		WHERE m.conversation_id = $2
			AND m.rev > 0
			AND m.rev > $3
		ORDER BY m.rev
		LIMIT $4`, viewer, conversation, after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, rowToMessage)
}

// ErrNoMessage returns the error for a message that the actor may not know or change.
func ErrNoMessage() error { return fault.New(fault.NotFound, "We could not find that message.") }
