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

// Statements that read a few messages of a conversation do not read all of them, although they are planned for conversations
// with few messages, because most are short. Those that look up a client id must not either with a plan that was made while
// the table was small, which a connection keeps until the next ANALYZE.
func TestStatements_ReadFewMessagesOfLongConversation(t *testing.T) {
	t.Parallel()
	l := newLongConversation(t)
	l.checkClientIDs("while the table is small")
	l.fill(`id = $1`, 100_000, l.conversation)
	l.fill(`id <> $1`, 4, l.conversation)
	l.checkClientIDs("planned before ANALYZE")
	l.exec(`ANALYZE`)
	l.checkClientIDs("planned after ANALYZE")
	l.checkReceipts("planned after ANALYZE")
}

// longConversation is a connection whose statements keep their plans, and a conversation of two members.
type longConversation struct {
	*testing.T
	conn                            *pgxpool.Conn
	conversation, sender, recipient uuid.UUID
	friend                          uuid.UUID // of the sender
}

func newLongConversation(t *testing.T) *longConversation {
	conn, err := pgtest.New(t).Acquire(t.Context())
	require.NoError(t, err)
	t.Cleanup(conn.Release)
	l := &longConversation{T: t, conn: conn}
	l.exec(`SET plan_cache_mode = force_generic_plan`)
	for _, table := range []string{"users", "conversations", "messages"} {
		l.exec(`ALTER TABLE ` + table + ` SET (autovacuum_enabled = off)`) // the test calls ANALYZE
	}
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
		LIMIT 1`).Scan(&l.conversation, &l.sender, &l.recipient, &l.friend)
	require.NoError(t, err)
	l.fill(`id = $1`, 2, l.conversation)
	return l
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

func (l *longConversation) message(recipient uuid.UUID) *Outgoing {
	return &Outgoing{RecipientID: recipient, ClientID: uuid.New(), Content: "x", MessageType: "text", id: uuid.New(), senderID: l.sender}
}

// insert returns a function that inserts a message to each recipient.
func (l *longConversation) insert(group int, recipients ...uuid.UUID) func(context.Context, pgx.Tx) error {
	return func(ctx context.Context, tx pgx.Tx) error {
		var messages []*Outgoing
		for _, recipient := range recipients {
			messages = append(messages, l.message(recipient))
		}
		inserted, err := (&Service{}).insertBatch(ctx, tx, messages, group)
		require.NotContains(l, inserted, (*Stored)(nil))
		return err
	}
}

// checkClientIDs checks the statements that look up a client id.
func (l *longConversation) checkClientIDs(when string) {
	l.Helper()
	l.check(when+", one", l.insert(withJobs, l.recipient))
	l.check(when+", one without push", l.insert(withoutJobs, l.recipient))
	l.check(when+", many", l.insert(withJobs, l.recipient, l.friend))
	l.check(when+", many without push", l.insert(withoutJobs, l.recipient, l.friend))
	l.check(when+", waiting", func(ctx context.Context, tx pgx.Tx) error {
		m := l.message(l.recipient)
		inserted, err := queryInserted(ctx, tx, insertOneSQL, append(insertOneArgs(m), false), []*Outgoing{m})
		require.NotContains(l, inserted, (*Stored)(nil))
		return err
	})
	l.check(when+", client id", func(ctx context.Context, tx pgx.Tx) error {
		var clientID uuid.UUID
		err := tx.QueryRow(ctx, `SELECT client_id FROM messages WHERE conversation_id = $1 AND seq = 1`, l.conversation).Scan(&clientID)
		require.NoError(l, err)
		_, err = ByClientID(ctx, tx, l.sender, l.recipient, clientID)
		return err
	})
}

// checkReceipts checks the statements that read or write the unread messages.
func (l *longConversation) checkReceipts(when string) {
	l.Helper()
	l.check(when+", receipts", func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(l, l.insert(withJobs, l.recipient)(ctx, tx))
		changes, err := advanceReceipts(ctx, tx, []*receiptUpdate{{member: l.recipient, other: l.sender, Receipt: Receipt{ReadSeq: Newest}}})
		require.NotContains(l, changes, (*receiptChange)(nil))
		return err
	})
	l.check(when+", conversation", func(ctx context.Context, tx pgx.Tx) error {
		_, err := selectConversation(ctx, tx, l.recipient, l.conversation)
		return err
	})
	l.check(when+", unread", func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(l, l.insert(withJobs, l.recipient)(ctx, tx))
		_, err := LockNewestUnread(ctx, tx, l.conversation, l.recipient, MediaTypes{Voices: true, Videos: true})
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
