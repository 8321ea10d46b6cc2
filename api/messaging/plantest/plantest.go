// Package plantest checks how many messages the statements of messaging read of a long
// conversation.
package plantest

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// Conversation is a connection whose statements keep their plans, and a conversation of two members.
type Conversation struct {
	*testing.T
	conn                  *pgxpool.Conn
	ID, Sender, Recipient uuid.UUID
	Friend                uuid.UUID // of the sender
}

// New returns a conversation with two messages, and 1,769 empty ones of other pairs.
func New(t *testing.T) *Conversation {
	t.Helper()
	conn, err := pgtest.New(t).Acquire(t.Context())
	require.NoError(t, err)
	t.Cleanup(conn.Release)
	l := &Conversation{T: t, conn: conn}
	l.Exec(`SET plan_cache_mode = force_generic_plan`)
	for _, table := range []string{"users", "conversations", "messages"} {
		l.Exec(`ALTER TABLE ` + table + ` SET (autovacuum_enabled = off)`) // the test calls ANALYZE
	}
	l.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, hide_online)
		SELECT gen_random_uuid(), n || '@test.example', 'Ada', 'Ada', '1990-01-01', 'code-of-' || n, true
		FROM generate_series(1, 60) n`)
	l.Exec(`INSERT INTO conversations (id, user_a, user_b)
		SELECT gen_random_uuid(), a.id, b.id
		FROM users a
		JOIN users b ON a.id < b.id`)
	err = conn.QueryRow(t.Context(), `
		SELECT c.id, c.user_a, c.user_b, other.user_b
		FROM conversations c
		JOIN conversations other ON other.user_a = c.user_a AND other.id <> c.id
		LIMIT 1`).Scan(&l.ID, &l.Sender, &l.Recipient, &l.Friend)
	require.NoError(t, err)
	l.Fill(`id = $1`, 2, l.ID)
	return l
}

// Lengthen gives the conversation 100,000 messages more and all others 4.
func (l *Conversation) Lengthen() {
	l.Helper()
	l.Fill(`id = $1`, 100_000, l.ID)
	l.Fill(`id <> $1`, 4, l.ID)
}

// Fill adds messages to the conversations of a condition, by one member and the other in turn, the last by user_b. Both have
// read them all.
func (l *Conversation) Fill(condition string, count int, conversation uuid.UUID) {
	l.Helper()
	l.Exec(`
		INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, read_at)
		SELECT gen_random_uuid(), c.id, c.last_seq + n, CASE n % 2 WHEN 0 THEN c.user_b ELSE c.user_a END, gen_random_uuid(), 'x', now()
		FROM conversations c
		CROSS JOIN generate_series(1, $2::int) n
		WHERE c.`+condition, conversation, count)
	l.Exec(`
		UPDATE conversations SET
			last_seq = last_seq + $2,
			a_read_seq = last_seq + $2,
			a_delivered_seq = last_seq + $2,
			b_read_seq = last_seq + $2,
			b_delivered_seq = last_seq + $2,
			last_message_at = now()
		WHERE `+condition, conversation, count)
}

// Exec runs a statement on the connection.
func (l *Conversation) Exec(sql string, args ...any) {
	l.Helper()
	_, err := l.conn.Exec(l.Context(), sql, args...)
	require.NoError(l, err)
}

// Check runs statements in a transaction that it rolls back, and fails if they read more than 200 messages or entries of
// their indexes.
func (l *Conversation) Check(name string, run func(context.Context, pgx.Tx) error) {
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
func (l *Conversation) read(ctx context.Context, tx pgx.Tx) (n int) {
	err := tx.QueryRow(ctx, `
		SELECT
			(SELECT pg_stat_get_xact_tuples_returned('messages'::regclass))
			+ (SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) FROM pg_index WHERE indrelid = 'messages'::regclass)`).Scan(&n)
	require.NoError(l, err)
	return n
}
