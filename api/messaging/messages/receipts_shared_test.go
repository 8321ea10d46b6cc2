package messages_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// statements counts the statements that a service sends to PostgreSQL.
type statements struct {
	mu           sync.Mutex
	transactions int // or statements outside of one
	waiting      int // statements that may wait for the lock of a conversation
}

func (s *statements) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if conn.PgConn().TxStatus() == 'I' {
		s.transactions++
	}
	if strings.Contains(data.SQL, "FOR NO KEY UPDATE") && !strings.Contains(data.SQL, "SKIP LOCKED") {
		s.waiting++
	}
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// countStatements replaces the service by one whose statements are counted.
func (w *env) countStatements() *statements {
	w.Helper()
	s := &statements{}
	w.S = messagingtest.NewService(pgtest.Traced(w, w.Pool, s), w.Events, w.Jobs, messages.Unguarded).Unlimited()
	return s
}

// setReceiptsLater sends a receipt in the background, and returns when it is queued or
// complete.
func (w *env) setReceiptsLater(ctx context.Context, member web.Actor, other uuid.UUID, r messages.Receipt) <-chan error {
	w.Helper()
	before, done := w.S.Messages.QueueStats().Accepted, make(chan error, 1)
	go func() { done <- w.S.Messages.SetReceipts(ctx, member, other, r) }()
	require.Eventually(w, func() bool { return len(done) == 1 || w.S.Messages.QueueStats().Accepted == before+1 }, timeout, 100*time.Microsecond)
	return done
}

func TestSetReceipts_ReceiptsShareCommits(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	type conversation struct{ a, b web.Actor }
	var all []conversation
	for range 30 {
		a, b, _ := w.Pair()
		for range 3 {
			w.Send(a, b, "for b")
		}
		w.Send(b, a, "for a")
		all = append(all, conversation{a, b})
	}
	counts := w.countStatements()
	release := w.S.Messages.PauseQueue()
	var outcomes []<-chan error
	for _, c := range all {
		for seq := range int64(3) {
			outcomes = append(outcomes,
				w.setReceiptsLater(context.Background(), c.b, c.a.ID, messages.Receipt{DeliveredSeq: seq + 1}),
				w.setReceiptsLater(context.Background(), c.b, c.a.ID, messages.Receipt{ReadSeq: seq + 1}))
		}
		outcomes = append(outcomes, w.setReceiptsLater(context.Background(), c.a, c.b.ID, messages.Receipt{DeliveredSeq: 4}))
	}
	release()
	for _, done := range outcomes {
		require.NoError(t, <-done)
	}
	require.Equal(t, 2, counts.transactions, "210 receipts of two members in each of 30 conversations")
	require.Equal(t, 30, w.Count(`SELECT count(*) FROM conversations WHERE last_seq = 4
		AND greatest(a_read_seq, b_read_seq) = 3 AND least(a_read_seq, b_read_seq) = 3
		AND greatest(a_delivered_seq, b_delivered_seq) = 4 AND least(a_delivered_seq, b_delivered_seq) = 3`))
	require.Equal(t, 90, w.Count(`SELECT count(*) FROM messages WHERE read_at IS NOT NULL`))
}

// A receipt that is stored with messages needs no separate commit, with or without devices
// to notify.
func TestSetReceipts_SharesTheCommitOfMessages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	c, d, _ := w.Pair()
	w.Send(a, b, "read this")
	for _, device := range []bool{false, true} {
		if device {
			w.PushDevice(d)
			w.Send(c, d, "fills the device cache")
		}
		w.Send(a, b, "and this")
		counts := w.countStatements()
		if device {
			w.Send(c, d, "fills the device cache of the new service")
		}
		before := counts.transactions
		release := w.S.Messages.PauseQueue()
		received := w.setReceiptsLater(context.Background(), b, a.ID, messages.Receipt{ReadSeq: messages.Newest})
		stored := w.sendLater(context.Background(), c, messagingtest.Input(d, "of another conversation"))
		release()
		require.NoError(t, <-received)
		require.NoError(t, (<-stored).err)
		require.Equal(t, before+1, counts.transactions)
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM messages WHERE sender_id = $1 AND read_at IS NULL`, a.ID))
}

// Receipts are in the lane of their conversation with any of its ids, so that they never
// lock the row that a message of the same node needs.
func TestSetReceipts_SharesLaneWithMessages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	id := w.Send(a, b, "first").ConversationID
	counts := w.countStatements()
	require.NoError(t, w.S.Messages.SetReceipts(ctx, b, id, messages.Receipt{}), "fills the pair cache")
	require.NoError(t, w.S.Messages.SetReceipts(ctx, a, id, messages.Receipt{}))
	var all sync.WaitGroup
	for _, side := range [][2]web.Actor{{a, b}, {b, a}} {
		for _, other := range []uuid.UUID{side[1].ID, id} {
			all.Go(func() {
				for range 50 {
					require.NoError(t, w.S.Messages.SetReceipts(ctx, side[0], other, messages.Receipt{ReadSeq: messages.Newest}))
				}
			})
		}
		all.Go(func() {
			for range 50 {
				w.Send(side[0], side[1], "x")
			}
		})
	}
	all.Wait()
	require.Zero(t, counts.waiting, "no message or receipt is stored separately")
	require.Equal(t, 101, w.Count(`SELECT last_seq FROM conversations`))
}

// The statement of a receipt does not see a message that is committed while it waits for
// the lock, so the mark must not include that message.
func TestSetReceipts_MarkExcludesMessagesCommittedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	w.Send(a, b, "first")
	tx, err := w.Pool.Begin(ctx)
	require.NoError(t, err)
	defer tx.Rollback(ctx) // it is committed below
	_, err = tx.Exec(ctx, `UPDATE conversations SET last_seq = 2`)
	require.NoError(t, err)
	_, err = tx.Exec(ctx, `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content)
		SELECT $1, id, 2, $2, $1, 'second' FROM conversations`, messagingtest.NewID(), a.ID)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- w.S.Messages.SetReceipts(ctx, b, a.ID, messages.Receipt{ReadSeq: messages.Newest}) }()
	w.waitForLock()
	require.NoError(t, tx.Commit(ctx))
	require.NoError(t, <-done)
	unread := `SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE m.read_at IS NULL AND m.seq <= greatest(c.a_read_seq, c.b_read_seq)`
	require.Zero(t, w.Count(unread))
	require.NoError(t, w.S.Messages.SetReceipts(ctx, b, a.ID, messages.Receipt{ReadSeq: messages.Newest}))
	require.Zero(t, w.Count(unread))
	require.Equal(t, 2, w.Count(`SELECT greatest(a_read_seq, b_read_seq) FROM conversations`))
}

// The conversation is checked again under the lock.
func TestSetReceipts_NotFoundIfConversationEndsWhileWaiting(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	w.Send(a, b, "x")
	w.S.Messages.PauseQueue()()
	w.Events.Take()
	tx, err := w.Pool.Begin(ctx)
	require.NoError(t, err)
	defer tx.Rollback(ctx) // it is committed below
	_, err = tx.Exec(ctx, `UPDATE conversations SET closed_at = now()`)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- w.S.Messages.SetReceipts(ctx, b, a.ID, messages.Receipt{ReadSeq: 1}) }()
	w.waitForLock()
	require.NoError(t, tx.Commit(ctx))
	testkit.RequireKind(t, <-done, fault.NotFound)
	require.Empty(t, w.Events.Take())
	require.Zero(t, w.Count(`SELECT count(*) FROM messages WHERE read_at IS NOT NULL`))
}

// waitForLock returns once a statement waits for a lock.
func (w *env) waitForLock() {
	w.Helper()
	require.Eventually(w, func() bool {
		return w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	}, timeout, time.Millisecond)
}

func TestSetReceipts_LockedConversationDelaysNoOther(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	c, d, _ := w.Pair()
	w.Send(a, b, "x")
	w.Send(c, d, "x")
	tx, err := w.Pool.Begin(ctx)
	require.NoError(t, err)
	defer tx.Rollback(ctx) // it is committed below
	_, err = tx.Exec(ctx, `UPDATE conversations SET last_rev = 7 WHERE user_a = $1`, a.ID)
	require.NoError(t, err)
	release := w.S.Messages.PauseQueue()
	slow := w.setReceiptsLater(ctx, b, a.ID, messages.Receipt{ReadSeq: 1})
	free := w.setReceiptsLater(ctx, d, c.ID, messages.Receipt{ReadSeq: 1})
	stranger := w.setReceiptsLater(ctx, d, a.ID, messages.Receipt{ReadSeq: 1})
	release()
	require.NoError(t, <-free)
	testkit.RequireKind(t, <-stranger, fault.NotFound)
	require.Empty(t, slow)
	require.NoError(t, tx.Commit(ctx))
	require.NoError(t, <-slow)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM messages WHERE read_at IS NOT NULL`))
}
