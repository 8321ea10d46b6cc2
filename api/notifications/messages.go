package notifications

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging"
	"heartward/api/platform/pg"
)

const (
	// While messages keep coming a push waits for the last one, at most this long.
	maxBurst = 15 * time.Second
	// A push of a message or a match is of no use later than this.
	messageLifetime = 3 * 24 * time.Hour
)

// UnreadMessages are the messages of a conversation up to Seq that the member has
// not read.
type UnreadMessages struct {
	ConversationID uuid.UUID `json:"conversationId"`
	Seq            int64     `json:"seq"`
}

func (UnreadMessages) eventType() string { return "messages" }

// NotifyMessages decides, in tx and under the conversation's lock, whether to
// notify the receiver of unread messages, and enqueues a push for each device.
// Since is when the first of the new messages enqueued the decision.
//
// It returns how long to wait before the next call; zero means done, and then the
// job must be completed in tx: a message that is stored later enqueues a new job,
// and one that was stored earlier was seen here. A second call has no effect.
//
// In quiet hours it waits for their end. Messages that come meanwhile find the job
// waiting, so that there is one push a conversation in the morning, and none for
// messages that were read.
func (s *Service) NotifyMessages(ctx context.Context, tx pgx.Tx, jobs messaging.Inserter, args messaging.NotifyArgs, since time.Time) (time.Duration, error) {
	settings, err := readSettings(ctx, tx, args.ReceiverID)
	if err != nil || !settings.Messages {
		return 0, err
	}
	newest, err := lockUnread(ctx, tx, args.ConversationID, args.ReceiverID, settings)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil // read, notified, deleted, muted or closed
	}
	if err != nil {
		return 0, err
	}
	if newest.Online && (newest.Request || newest.DeliveredSeq >= newest.Seq) {
		return 0, nil // a connected device shows it; requests have no receipts
	}
	if wait := settings.quietFor(newest.Now); wait > 0 {
		return wait, nil
	}
	if age := newest.Now.Sub(newest.SentAt); age < messaging.NotifyDelay-time.Second && newest.Now.Sub(since) < maxBurst {
		return messaging.NotifyDelay - age, nil
	}
	if err := markNotified(ctx, tx, args.ConversationID, args.ReceiverID, newest.Seq); err != nil {
		return 0, err
	}
	devices, err := devicesFor(ctx, tx, args.ReceiverID, Messages)
	if err != nil {
		return 0, err
	}
	return 0, enqueue(ctx, tx, jobs, devices, args.ReceiverID, UnreadMessages{args.ConversationID, newest.Seq})
}

// unreadMessages are the messages m of the conversation @conversation that @member
// has not read and may be notified of, with their sender u and the member's side c
// of the conversation.
const unreadMessages = `
	conversation_sides c
	JOIN messages m ON m.conversation_id = c.conversation_id
		AND m.sender_id = c.peer_id
		AND m.seq > c.read_seq
		AND m.deleted_at IS NULL
		AND (m.message_type <> 'audio' OR @voices)
		AND (m.message_type <> 'video' OR @videos)
	JOIN users u ON u.id = m.sender_id AND u.profile_status = 'active'
	WHERE c.conversation_id = @conversation
		AND c.member_id = @member
		AND c.closed_at IS NULL
		AND c.declined_at IS NULL
		AND coalesce(c.muted_until, '-infinity') <= clock_timestamp()`

func unreadArgs(conversation, member uuid.UUID, settings Preferences) pgx.NamedArgs {
	return pgx.NamedArgs{
		"conversation": conversation, "member": member,
		"voices": settings.VoiceMessageNotifications, "videos": settings.VideoMessageNotifications,
	}
}

// newestUnread is the newest message that a member was not notified of.
type newestUnread struct {
	Seq          int64
	SentAt       time.Time
	Now          time.Time
	Request      bool
	DeliveredSeq int64
	Online       bool
}

// lockUnread locks the conversation and reads the newest message that the receiver
// was not notified of. It fails with pgx.ErrNoRows when there is none.
func lockUnread(ctx context.Context, tx pgx.Tx, conversation, receiver uuid.UUID, settings Preferences) (newestUnread, error) {
	if _, err := tx.Exec(ctx, `SELECT FROM conversations WHERE id = $1 FOR NO KEY UPDATE`, conversation); err != nil {
		return newestUnread{}, err
	}
	// A new statement sees what was committed while the lock was awaited.
	rows, err := tx.Query(ctx, `
		SELECT
			m.seq,
			m.sent_at,
			clock_timestamp(),
			c.requested_by IS NOT NULL,
			c.delivered_seq,
			EXISTS (SELECT FROM online_members o WHERE o.user_id = @member)
		FROM `+unreadMessages+`
			AND m.seq > c.notified_seq
		ORDER BY m.seq DESC
		LIMIT 1`, unreadArgs(conversation, receiver, settings))
	if err != nil {
		return newestUnread{}, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByPos[newestUnread])
}

// markNotified records that the receiver is notified of the messages up to seq.
func markNotified(ctx context.Context, tx pgx.Tx, conversation, receiver uuid.UUID, seq int64) error {
	_, err := tx.Exec(ctx, `
		UPDATE conversations
		SET a_notified_seq = CASE user_a WHEN $2 THEN $3 ELSE a_notified_seq END,
			b_notified_seq = CASE user_b WHEN $2 THEN $3 ELSE b_notified_seq END
		WHERE id = $1`, conversation, receiver, seq)
	return err
}

// unreadSummary describes the unread messages of a conversation.
type unreadSummary struct {
	From       string // first name of the sender
	PeerID     uuid.UUID
	Count      int
	Type       string // of the newest, as are all the following
	Content    string
	SentAt     time.Time
	Request    bool
	Hidden     bool // flagged: its text must not be shown on a locked screen
	Files      int
	DurationMs int64 // of a recording
}

// load fails with pgx.ErrNoRows also when a later push covers these messages.
func (e UnreadMessages) load(ctx context.Context, db pg.DB, member uuid.UUID, settings Preferences) (Notification, error) {
	args := unreadArgs(e.ConversationID, member, settings)
	args["seq"] = e.Seq
	rows, err := db.Query(ctx, `
		SELECT
			u.first_name,
			u.id,
			count(*) OVER (),
			m.message_type,
			m.content,
			m.sent_at,
			c.requested_by IS NOT NULL,
			m.flag IS NOT NULL AND m.flag_answer IS DISTINCT FROM 'fine',
			(SELECT count(*) FROM message_files mf WHERE mf.conversation_id = m.conversation_id AND mf.seq = m.seq),
			coalesce((
				SELECT max(f.duration_ms)
				FROM message_files mf
				JOIN files f ON f.id = mf.file_id
				WHERE mf.conversation_id = m.conversation_id AND mf.seq = m.seq), 0)
		FROM `+unreadMessages+`
			AND m.seq <= @seq
			AND c.notified_seq <= @seq
		ORDER BY m.seq DESC
		LIMIT 1`, args)
	if err != nil {
		return Notification{}, err
	}
	unread, err := pgx.CollectOneRow(rows, pgx.RowToStructByPos[unreadSummary])
	if err != nil {
		return Notification{}, err
	}
	return unread.notification(e), nil
}

const bodyWithoutText = "Sent you a message"

func (s unreadSummary) notification(e UnreadMessages) Notification {
	n := Notification{
		Category: Messages, Title: s.title(), Body: s.body(), shortBody: bodyWithoutText,
		Path: "/messages/" + s.PeerID.String(), Tag: "conversation-" + e.ConversationID.String(),
		Expires:      s.SentAt.Add(messageLifetime),
		conversation: &conversation{ID: e.ConversationID, PeerID: s.PeerID, Seq: e.Seq},
	}
	if s.Request { // it cannot be answered before it is accepted
		n.conversation = nil
		n.Title, n.Body = "Someone new wrote to you", cut(s.From, maxText-20)+" sent you a request"
	}
	return n
}

func (s unreadSummary) title() string {
	name := cut(s.From, maxText)
	if s.Count > 1 {
		return fmt.Sprintf("%d new messages from %s", s.Count, name)
	}
	return name
}

func (s unreadSummary) body() string {
	text := cut(strings.Join(strings.Fields(s.Content), " "), maxText)
	switch {
	case s.Hidden:
		return bodyWithoutText
	case s.Type == "audio":
		return "Voice message" + s.duration()
	case s.Type == "video":
		return "Video message" + s.duration()
	case s.Type == "image" && s.Files > 1:
		return fmt.Sprintf("%d pictures", s.Files)
	case s.Type == "image":
		return "Picture"
	case text == "":
		return bodyWithoutText
	}
	return text
}

// duration returns the length of a recording as players show it: ", 0:12".
func (s unreadSummary) duration() string {
	if s.DurationMs <= 0 {
		return ""
	}
	d := time.Duration(s.DurationMs) * time.Millisecond
	seconds := int(max(d.Round(time.Second)/time.Second, 1))
	return fmt.Sprintf(", %d:%02d", seconds/60, seconds%60)
}
