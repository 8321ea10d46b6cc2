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
// makes those who subscribe at once wait for each other.
func saveSubscription(ctx context.Context, pool *pgxpool.Pool, actor web.Actor, to push.Subscription) (created bool, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return false, err
	}
	err = pg.Tx(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, actor.ID); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, `
			INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (endpoint) DO UPDATE SET user_id = excluded.user_id, session_id = excluded.session_id,
				p256dh = excluded.p256dh, auth = excluded.auth
			RETURNING id = $1`, id, actor.ID, actor.SessionID, to.Endpoint, to.P256dh, to.Auth).Scan(&created)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM push_subscriptions WHERE id IN (
			SELECT id FROM push_subscriptions WHERE user_id = $1 AND endpoint <> $2
			ORDER BY created_at DESC, id DESC OFFSET $3)`, actor.ID, to.Endpoint, maxDevices-1)
		return err
	})
	return created, err
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
	Present      bool
	Now          time.Time
}

// readState locks the conversation. ErrNoRows: there is nothing to tell.
func readState(ctx context.Context, tx pgx.Tx, conversation, receiver uuid.UUID) (s state, err error) {
	if _, err = tx.Exec(ctx, `SELECT FROM conversations WHERE id = $1 FOR NO KEY UPDATE`, conversation); err != nil {
		return s, err
	}
	// The next statement sees what was committed while this one waited.
	err = tx.QueryRow(ctx, `
		SELECT m.seq, m.sent_at, clock_timestamp(),
			CASE c.user_a WHEN $2 THEN c.a_delivered_seq ELSE c.b_delivered_seq END,
			EXISTS (SELECT FROM presence p WHERE p.user_id = $2 AND p.seen_at > now() - interval '35 seconds')
		FROM conversations c JOIN messages m ON m.conversation_id = c.id AND m.sender_id <> $2
			AND m.seq > CASE c.user_a WHEN $2 THEN greatest(c.a_read_seq, c.a_notified_seq) ELSE greatest(c.b_read_seq, c.b_notified_seq) END
		WHERE c.id = $1 AND $2 IN (c.user_a, c.user_b) AND c.closed_at IS NULL
		ORDER BY m.seq DESC LIMIT 1`, conversation, receiver).
		Scan(&s.Seq, &s.SentAt, &s.Now, &s.DeliveredSeq, &s.Present)
	return s, err
}

// claim notes that the receiver is told up to seq, and answers with the devices.
func claim(ctx context.Context, tx pgx.Tx, conversation, receiver uuid.UUID, seq int64) ([]uuid.UUID, error) {
	if _, err := tx.Exec(ctx, `UPDATE conversations SET
		a_notified_seq = CASE user_a WHEN $2 THEN $3 ELSE a_notified_seq END,
		b_notified_seq = CASE user_b WHEN $2 THEN $3 ELSE b_notified_seq END WHERE id = $1`, conversation, receiver, seq); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, `SELECT id FROM push_subscriptions WHERE user_id = $1`, receiver)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// unreadTalks counts the conversations of $2 that have something new.
const unreadTalks = `(SELECT count(*) FROM conversations o WHERE $2 IN (o.user_a, o.user_b) AND o.closed_at IS NULL AND o.requested_by IS NULL
	AND o.last_seq > CASE o.user_a WHEN $2 THEN o.a_read_seq ELSE o.b_read_seq END
	AND EXISTS (SELECT FROM users p WHERE p.id = CASE o.user_a WHEN $2 THEN o.user_b ELSE o.user_a END AND p.profile_status = 'active'))`

// readPush reads the device and what to tell it. ErrNoRows: the device is gone
// or another's, the message was read, or the conversation was closed.
func readPush(ctx context.Context, db pg.DB, args PushArgs) (to push.Subscription, n news, err error) {
	err = db.QueryRow(ctx, `
		SELECT s.endpoint, s.p256dh, s.auth, u.first_name, u.id, m.message_type, m.content, m.sent_at,
			`+unreadTalks+`
		FROM push_subscriptions s, conversations c
		JOIN messages m ON m.conversation_id = c.id AND m.seq = $4
		JOIN users u ON u.id = m.sender_id
		WHERE s.id = $1 AND s.user_id = $2 AND c.id = $3 AND c.closed_at IS NULL AND u.profile_status = 'active'
			AND m.seq > CASE c.user_a WHEN $2 THEN c.a_read_seq ELSE c.b_read_seq END`,
		args.SubscriptionID, args.ReceiverID, args.ConversationID, args.Seq).
		Scan(&to.Endpoint, &to.P256dh, &to.Auth, &n.From, &n.PeerID, &n.Type, &n.Content, &n.SentAt, &n.Unread)
	return to, n, err
}
