package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/push"
)

// saveSubscription keeps at most maxDevices of a member. The lock on the member
// makes those who subscribe at once wait for each other. A session is one
// device: a new address of it is told what the one before was told.
func saveSubscription(ctx context.Context, pool *pgxpool.Pool, actor web.Actor, to push.Subscription) (created bool, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return false, err
	}
	return pg.Tx(ctx, pool, func(tx pgx.Tx) (created bool, err error) {
		if _, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, actor.ID); err != nil {
			return false, err
		}
		err = tx.QueryRow(ctx, `
			INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, categories) VALUES ($1, $2, $3, $4, $5, $6,
				(SELECT categories FROM push_subscriptions WHERE user_id = $2 AND session_id = $3 ORDER BY created_at DESC, id DESC LIMIT 1))
			ON CONFLICT (endpoint) DO UPDATE SET user_id = excluded.user_id, session_id = excluded.session_id,
				p256dh = excluded.p256dh, auth = excluded.auth,
				categories = CASE WHEN push_subscriptions.user_id = excluded.user_id THEN push_subscriptions.categories ELSE excluded.categories END
			RETURNING id = $1`, id, actor.ID, actor.SessionID, to.Endpoint, to.P256dh, to.Auth).Scan(&created)
		if err != nil {
			return false, err
		}
		_, err = tx.Exec(ctx, `DELETE FROM push_subscriptions WHERE id IN (
			SELECT id FROM push_subscriptions WHERE user_id = $1 AND endpoint <> $2
			ORDER BY created_at DESC, id DESC OFFSET $3)`, actor.ID, to.Endpoint, maxDevices-1)
		return created, err
	})
}

// forget deletes a subscription, unless the device has renewed it meanwhile.
func forget(ctx context.Context, db pg.DB, id uuid.UUID, endpoint string) error {
	_, err := db.Exec(ctx, `DELETE FROM push_subscriptions WHERE id = $1 AND endpoint = $2`, id, endpoint)
	return err
}

// state is what is new for a receiver in a conversation.
type state struct {
	Seq          int64 // of the newest message not read and not told of
	SentAt       time.Time
	DeliveredSeq int64
	Request      bool
	Present      bool
	Now          time.Time
}

// toTell are messages m of a conversation c that $2 has not read and may be
// told of: the conversation is not hidden, declined or muted, the message not
// deleted, and of a kind that $3 (voices) and $4 (videos) allow.
const toTell = `conversations c JOIN messages m ON m.conversation_id = c.id AND m.sender_id <> $2
		AND m.seq > CASE c.user_a WHEN $2 THEN c.a_read_seq ELSE c.b_read_seq END
		AND m.deleted_at IS NULL AND (m.message_type <> 'audio' OR $3) AND (m.message_type <> 'video' OR $4)
	JOIN users u ON u.id = m.sender_id AND u.profile_status = 'active'
	WHERE c.id = $1 AND $2 IN (c.user_a, c.user_b) AND c.closed_at IS NULL AND c.declined_at IS NULL
		AND coalesce(CASE c.user_a WHEN $2 THEN c.a_muted_until ELSE c.b_muted_until END, '-infinity') <= clock_timestamp()`

// readState locks the conversation. ErrNoRows: there is nothing to tell.
func readState(ctx context.Context, tx pgx.Tx, conversation, receiver uuid.UUID, settings Preferences) (s state, err error) {
	if _, err = tx.Exec(ctx, `SELECT FROM conversations WHERE id = $1 FOR NO KEY UPDATE`, conversation); err != nil {
		return s, err
	}
	// The next statement sees what was committed while this one waited.
	err = tx.QueryRow(ctx, `
		SELECT m.seq, m.sent_at, clock_timestamp(), c.requested_by IS NOT NULL,
			CASE c.user_a WHEN $2 THEN c.a_delivered_seq ELSE c.b_delivered_seq END,
			EXISTS (SELECT FROM online_members o WHERE o.user_id = $2)
		FROM `+toTell+` AND m.seq > CASE c.user_a WHEN $2 THEN c.a_notified_seq ELSE c.b_notified_seq END
		ORDER BY m.seq DESC LIMIT 1`, conversation, receiver, settings.VoiceMessageNotifications, settings.VideoMessageNotifications).
		Scan(&s.Seq, &s.SentAt, &s.Now, &s.Request, &s.DeliveredSeq, &s.Present)
	return s, err
}

// claim notes that the receiver is told up to seq, and answers with the devices
// that want to be told of messages.
func claim(ctx context.Context, tx pgx.Tx, conversation, receiver uuid.UUID, seq int64) ([]uuid.UUID, error) {
	if _, err := tx.Exec(ctx, `UPDATE conversations SET
		a_notified_seq = CASE user_a WHEN $2 THEN $3 ELSE a_notified_seq END,
		b_notified_seq = CASE user_b WHEN $2 THEN $3 ELSE b_notified_seq END WHERE id = $1`, conversation, receiver, seq); err != nil {
		return nil, err
	}
	return devicesFor(ctx, tx, receiver, Messages)
}

// wanted are devices s that want to be told of the category $1.
const wanted = `(s.categories IS NULL OR $1 = ANY (s.categories))`

// devicesFor are the member's devices that want a category.
func devicesFor(ctx context.Context, db pg.DB, member uuid.UUID, category Category) ([]uuid.UUID, error) {
	rows, err := db.Query(ctx, `SELECT s.id FROM push_subscriptions s WHERE s.user_id = $2 AND `+wanted, string(category), member)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// readDevice reads where to push. ErrNoRows: the device is gone, another's by
// now, or does not want the category.
func readDevice(ctx context.Context, db pg.DB, id, member uuid.UUID, category Category) (to push.Subscription, err error) {
	err = db.QueryRow(ctx, `SELECT s.endpoint, s.p256dh, s.auth FROM push_subscriptions s WHERE s.id = $2 AND s.user_id = $3 AND `+wanted,
		string(category), id, member).Scan(&to.Endpoint, &to.P256dh, &to.Auth)
	return to, err
}

// unreadTalks counts the conversations of $2 that have something new, as the
// app's badge shows it: requests and muted ones do not count, nor what was taken back.
const unreadTalks = `(SELECT count(*) FROM conversations o WHERE $2 IN (o.user_a, o.user_b) AND o.closed_at IS NULL AND o.requested_by IS NULL
	AND o.last_seq > CASE o.user_a WHEN $2 THEN o.a_read_seq ELSE o.b_read_seq END
	AND EXISTS (SELECT FROM messages x WHERE x.conversation_id = o.id AND x.sender_id <> $2 AND x.deleted_at IS NULL
		AND x.seq > CASE o.user_a WHEN $2 THEN o.a_read_seq ELSE o.b_read_seq END)
	AND coalesce(CASE o.user_a WHEN $2 THEN o.a_muted_until ELSE o.b_muted_until END, '-infinity') <= clock_timestamp()
	AND EXISTS (SELECT FROM users p WHERE p.id = CASE o.user_a WHEN $2 THEN o.user_b ELSE o.user_a END AND p.profile_status = 'active'))`

// readUnread is that count for a member.
func readUnread(ctx context.Context, db pg.DB, member uuid.UUID) (n int, err error) {
	err = db.QueryRow(ctx, `SELECT `+unreadTalks+` FROM (SELECT $1::int) one`, 1, member).Scan(&n)
	return n, err
}

// readPush reads the device and what to tell it. ErrNoRows: the device is gone,
// another's or wants no messages, there is nothing to tell any more, or a later
// push tells it.
func readPush(ctx context.Context, db pg.DB, args PushArgs, settings Preferences) (to push.Subscription, n news, err error) {
	if to, err = readDevice(ctx, db, args.SubscriptionID, args.ReceiverID, Messages); err != nil {
		return to, n, err
	}
	var ms int64
	err = db.QueryRow(ctx, `
		SELECT u.first_name, u.id, count(*) OVER (), m.message_type, m.content, m.sent_at, c.requested_by IS NOT NULL,
			m.flag IS NOT NULL AND m.flag_answer IS DISTINCT FROM 'fine',
			(SELECT count(*) FROM message_files mf WHERE mf.conversation_id = m.conversation_id AND mf.seq = m.seq),
			coalesce((SELECT max(f.duration_ms) FROM message_files mf JOIN files f ON f.id = mf.file_id
				WHERE mf.conversation_id = m.conversation_id AND mf.seq = m.seq), 0),
			`+unreadTalks+`
		FROM `+toTell+` AND m.seq <= $5 AND CASE c.user_a WHEN $2 THEN c.a_notified_seq ELSE c.b_notified_seq END <= $5
		ORDER BY m.seq DESC LIMIT 1`,
		args.ConversationID, args.ReceiverID, settings.VoiceMessageNotifications, settings.VideoMessageNotifications, args.Seq).
		Scan(&n.From, &n.PeerID, &n.Count, &n.Type, &n.Content, &n.SentAt, &n.Request, &n.Hidden, &n.Files, &ms, &n.Unread)
	n.Duration = time.Duration(ms) * time.Millisecond
	return to, n, err
}
