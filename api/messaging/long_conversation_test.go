package messaging

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// Statements that read a few messages of a conversation do not read all of them. This must also hold for a plan that was
// made while the table was small, which a connection keeps until the next ANALYZE, and for one that expects few messages in a
// conversation, because most are short.
func TestStatements_ReadFewMessagesOfLongConversation(t *testing.T) {
	t.Parallel()
	l := newLongConversation(t)
	l.checkAll("while the table is small")
	l.grow()
	l.checkAll("planned before ANALYZE")
	l.exec(`ANALYZE`)
	l.checkAll("planned after ANALYZE")
}

// longConversation is a connection whose statements keep their plans, and a conversation of two members.
type longConversation struct {
	*testing.T
	conn                           *pgxpool.Conn
	conversation, sender, receiver uuid.UUID
	friend                         uuid.UUID // of the sender
}

func newLongConversation(t *testing.T) *longConversation {
	conn, err := pgtest.New(t).Acquire(t.Context())
	require.NoError(t, err)
	t.Cleanup(conn.Release)
	l := &longConversation{T: t, conn: conn}
	l.exec(`SET plan_cache_mode = force_generic_plan`)
	l.exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, hide_online)
		SELECT gen_random_uuid(), n || '@test.example', 'Ada', 'Ada', '1990-01-01', 'code-of-' || n, true
		FROM generate_series(1, 60) n`)
	l.exec(`INSERT INTO conversations (id, user_a, user_b)
		SELECT gen_random_uuid(), a.id, b.id
		FROM users a
		JOIN users b ON a.id < b.id`)
	err = conn.QueryRow(t.Context(), `
		SELECT c.id, c.user_a, c.user_b, other.user_b
		FROM conversations c
		JOIN conversations other ON other.user_a = c.user_a AND other.id <> c.id
		LIMIT 1`).Scan(&l.conversation, &l.sender, &l.receiver, &l.friend)
	require.NoError(t, err)
	l.fill(`id = $1`, 2, l.conversation)
	return l
}

// grow makes the conversation a long one, and the others short ones.
func (l *longConversation) grow() {
	l.fill(`id = $1`, 100_000, l.conversation)
	l.fill(`id <> $1`, 4, l.conversation)
}

// fill adds messages to the conversations of a condition, by one member and the other in turn, the last by user_b. Both have
// read them all.
func (l *longConversation) fill(condition string, count int, conversation uuid.UUID) {
	l.Helper()
	l.exec(`
		INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, read_at)
		SELECT gen_random_uuid(), c.id, c.last_seq + n, CASE n % 2 WHEN 0 THEN c.user_b ELSE c.user_a END, gen_random_uuid(), 'x', now()
		FROM conversations c
		CROSS JOIN generate_series(1, $2::int) n
		WHERE c.`+condition, conversation, count)
	l.exec(`
		UPDATE conversations SET
			last_seq = last_seq + $2,
			a_read_seq = last_seq + $2,
			a_delivered_seq = last_seq + $2,
			b_read_seq = last_seq + $2,
			b_delivered_seq = last_seq + $2,
			last_message_at = now()
		WHERE `+condition, conversation, count)
}

func (l *longConversation) exec(sql string, args ...any) {
	l.Helper()
	_, err := l.conn.Exec(l.Context(), sql, args...)
	require.NoError(l, err)
}

// checkAll runs each statement, and fails for one that reads many messages.
func (l *longConversation) checkAll(when string) {
	l.Helper()
	message := func(recipient uuid.UUID) *Outgoing {
		return &Outgoing{RecipientID: recipient, ClientID: uuid.New(), Content: "x", MessageType: "text", id: uuid.New(), senderID: l.sender}
	}
	insert := func(recipients []uuid.UUID, group int) func(context.Context, pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			var messages []*Outgoing
			for _, recipient := range recipients {
				messages = append(messages, message(recipient))
			}
			inserted, err := (&Service{}).insertBatch(ctx, tx, messages, group)
			require.NotContains(l, inserted, (*Stored)(nil))
			return err
		}
	}
	one, two := []uuid.UUID{l.receiver}, []uuid.UUID{l.receiver, l.friend}
	l.check(when+", one", insert(one, withJobs))
	l.check(when+", one without push", insert(one, withoutJobs))
	l.check(when+", many", insert(two, withJobs))
	l.check(when+", many without push", insert(two, withoutJobs))
	l.check(when+", waiting", func(ctx context.Context, tx pgx.Tx) error {
		m := message(l.receiver)
		inserted, err := queryInserted(ctx, tx, insertOneSQL, append(insertOneArgs(m), false), []*Outgoing{m})
		require.NotContains(l, inserted, (*Stored)(nil))
		return err
	})
	l.check(when+", client id", func(ctx context.Context, tx pgx.Tx) error {
		var clientID uuid.UUID
		err := tx.QueryRow(ctx, `SELECT client_id FROM messages WHERE conversation_id = $1 AND seq = 1`, l.conversation).Scan(&clientID)
		require.NoError(l, err)
		_, err = messageByClientID(ctx, tx, l.sender, l.receiver, clientID)
		return err
	})
	l.check(when+", receipts", func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(l, insert(one, withJobs)(ctx, tx))
		changes, err := advanceReceipts(ctx, tx, []*receiptUpdate{{member: l.receiver, other: l.sender, Receipt: Receipt{ReadSeq: Newest}}})
		require.NotContains(l, changes, (*receiptChange)(nil))
		return err
	})
	l.check(when+", conversation", func(ctx context.Context, tx pgx.Tx) error {
		_, err := selectConversation(ctx, tx, l.receiver, l.conversation)
		return err
	})
	l.check(when+", unread", func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(l, insert(one, withJobs)(ctx, tx))
		_, err := LockNewestUnread(ctx, tx, l.conversation, l.receiver, MediaTypes{Voices: true, Videos: true})
		return err
	})
}

// check runs statements in a transaction that it rolls back, and fails if they read more than 200 messages or entries of
// their indexes.
func (l *longConversation) check(name string, run func(context.Context, pgx.Tx) error) {
	l.Helper()
	ctx := l.Context()
	tx, err := l.conn.Begin(ctx)
	require.NoError(l, err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	before := l.read(ctx, tx)
	require.NoError(l, run(ctx, tx), name)
	if n := l.read(ctx, tx) - before; n > 200 {
		l.Errorf("%s: %d messages or entries of indexes are read", name, n)
	}
}

// read returns how many messages and entries of their indexes the connection has read.
func (l *longConversation) read(ctx context.Context, tx pgx.Tx) (n int) {
	err := tx.QueryRow(ctx, `
		SELECT
			(SELECT pg_stat_get_xact_tuples_returned('messages'::regclass))
			+ (SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) FROM pg_index WHERE indrelid = 'messages'::regclass)`).Scan(&n)
	require.NoError(l, err)
	return n
}
