package conversations_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// device is a member's local copy, which only Sync updates.
type device struct {
	w      *env
	actor  web.Actor
	cursor string
	isNew  bool // its next sync begins with a full list
	seqs   map[uuid.UUID]int64
}

func (d *device) sync(limit int) (pages int) {
	d.w.Helper()
	for {
		changes, err := d.w.S.Conversations.Sync(context.Background(), d.actor, d.cursor, limit)
		require.NoError(d.w, err)
		require.Equal(d.w, pages == 0 && d.isNew, changes.Reset)
		for _, c := range changes.Conversations {
			require.GreaterOrEqual(d.w, c.LastSeq, d.seqs[c.ID], "the last seq never falls")
			d.seqs[c.ID] = c.LastSeq
		}
		for _, id := range changes.Removed {
			delete(d.seqs, id)
		}
		d.cursor, d.isNew = changes.Cursor, false
		pages++
		if !changes.HasMore {
			return pages
		}
	}
}

// syncUntilStable syncs until no transaction runs, because changes are repeated until then.
func (d *device) syncUntilStable() {
	d.w.Helper()
	require.Eventually(d.w, func() bool {
		changes, err := d.w.S.Conversations.Sync(context.Background(), d.actor, d.cursor, 50)
		d.cursor = changes.Cursor
		return err == nil && !changes.Reset && changes.Conversations != nil && len(changes.Conversations) == 0
	}, testkit.Timeout, time.Millisecond)
}

func (w *env) device(actor web.Actor) *device {
	return &device{w: w, actor: actor, isNew: true, seqs: map[uuid.UUID]int64{}}
}

// A device that syncs while transactions commit late and in any order has all changes at
// the end.
func TestSync_ReturnsAllChangesUnderConcurrency(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me := w.Member("Ada Moss")
	var conversations []uuid.UUID
	for range 8 {
		conversations = append(conversations, w.Match(me, w.Member("Ada Moss")))
	}
	d := w.device(me)
	var writers sync.WaitGroup
	for i := range 8 {
		random := rand.New(rand.NewPCG(1, uint64(i)))
		writers.Go(func() {
			for range 40 {
				delay := time.Duration(random.IntN(8)) * time.Millisecond
				id := conversations[random.IntN(len(conversations))]
				require.NoError(t, pgx.BeginFunc(context.Background(), w.Pool, func(tx pgx.Tx) error {
					_, err := tx.Exec(context.Background(), `UPDATE conversations
						SET last_seq = last_seq + 1, changed_xid = pg_current_xact_id() WHERE id = $1`, id)
					if err == nil {
						_, err = tx.Exec(context.Background(), `SELECT pg_sleep($1)`, delay.Seconds())
					}
					return err
				}))
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		d.sync(3)
	}
	for _, id := range conversations {
		require.EqualValues(t, w.Count(`SELECT last_seq FROM conversations WHERE id = $1`, id), d.seqs[id])
	}
}

// An older transaction commits after a newer one was read. A cursor at the newest
// transaction would miss it.
func TestSync_ReturnsTransactionsThatCommitLate(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me := w.Member("Ada Moss")
	slow, quick := w.Match(me, w.Member("Ada Moss")), w.Match(me, w.Member("Ada Moss"))
	d := w.device(me)
	d.sync(50)
	const touch = `UPDATE conversations SET last_seq = 1, changed_xid = pg_current_xact_id() WHERE id = $1`
	tx, err := w.Pool.Begin(context.Background())
	require.NoError(t, err)
	_, err = tx.Exec(context.Background(), touch, slow)
	require.NoError(t, err)
	w.Exec(touch, quick)
	d.sync(50)
	require.EqualValues(t, 1, d.seqs[quick])
	require.Zero(t, d.seqs[slow])
	require.NoError(t, tx.Commit(context.Background()))
	d.sync(50)
	require.EqualValues(t, 1, d.seqs[slow])
	d.syncUntilStable()
}

func TestSync_ReturnsPagesAndRemovedConversations(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me := w.Member("Ada Moss")
	for range 7 {
		w.Match(me, w.Member("Ada Moss"))
	}
	w.Pair() // a conversation of others
	d := w.device(me)
	require.Equal(t, 3, d.sync(3))
	require.Len(t, d.seqs, 7)
	w.Exec(`UPDATE conversations SET closed_at = now(), changed_xid = pg_current_xact_id()
		WHERE id = (SELECT id FROM conversations WHERE $1 IN (user_a, user_b) LIMIT 1)`, me.ID)
	d.sync(50)
	require.Len(t, d.seqs, 6)
	require.Equal(t, 6, func() int { fresh := w.device(me); fresh.sync(50); return len(fresh.seqs) }())
}

func TestSync_ResetsCursorOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	w, other := newEnv(t), newEnv(t)
	me, _, _ := w.Pair()
	otherActor, _, _ := other.Pair()
	foreign := other.device(otherActor)
	foreign.sync(50)
	at, err := conversations.EditSyncCursor(foreign.cursor, otherActor.ID, me.ID, 0)
	require.NoError(t, err)
	changes, err := w.S.Conversations.Sync(context.Background(), me, at, 50)
	require.NoError(t, err)
	require.True(t, changes.Reset)
	require.Len(t, changes.Conversations, 1, "all conversations")

	// The same database after a restore: the cursor is in the future.
	d := w.device(me)
	d.sync(50)
	ahead, err := conversations.EditSyncCursor(d.cursor, me.ID, me.ID, 1_000_000)
	require.NoError(t, err)
	changes, err = w.S.Conversations.Sync(context.Background(), me, ahead, 50)
	require.NoError(t, err)
	require.True(t, changes.Reset)
	require.Len(t, changes.Conversations, 1)
}

// Rows restored from another cluster have transaction ids far ahead. A device gets them
// once, and it gets later changes, including those of one side.
func TestSync_SendsRestoredRowsOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me := w.Member("Ada Moss")
	first, second := w.Match(me, w.Member("Ada Moss")), w.Match(me, w.Member("Ada Moss"))
	w.Exec(`UPDATE conversations SET changed_xid = '4000000000', a_changed_xid = '4000000001', b_changed_xid = '4000000002'`)
	d := w.device(me)
	require.Equal(t, 2, d.sync(1))
	require.Len(t, d.seqs, 2)
	changedIDs := func() (ids []uuid.UUID) {
		changes, err := w.S.Conversations.Sync(context.Background(), me, d.cursor, 50)
		require.NoError(t, err)
		for _, c := range changes.Conversations {
			ids = append(ids, c.ID)
		}
		return ids
	}
	d.syncUntilStable()
	w.Exec(`UPDATE conversations SET changed_xid = pg_current_xact_id() WHERE id = $1`, first)
	require.Equal(t, []uuid.UUID{first}, changedIDs())
	d.syncUntilStable()
	w.Exec(`UPDATE conversations SET a_changed_xid = CASE user_a WHEN $1 THEN pg_current_xact_id() ELSE a_changed_xid END,
		b_changed_xid = CASE user_b WHEN $1 THEN pg_current_xact_id() ELSE b_changed_xid END WHERE id = $2`, me.ID, second)
	require.Equal(t, []uuid.UUID{second}, changedIDs())
}

// A device with fifteen messages is reset once, after ten of them were backed up, the
// backup was restored, and three new messages were sent.
func TestSync_ResetsOnceAfterRestore(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	write := func(from, to int) {
		for i := from; i <= to; i++ {
			w.Send(a, b, fmt.Sprintf("message %d", i))
		}
	}
	write(1, 10)
	restore := pgtest.BackUp(t, w.Pool)
	write(11, 15)
	d := w.device(b)
	d.sync(50)
	require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, a.ID, messages.Receipt{ReadSeq: 15}))

	restore()
	write(16, 18)
	changes, err := w.S.Conversations.Sync(context.Background(), b, d.cursor, 50)
	require.NoError(t, err)
	require.True(t, changes.Reset)
	require.Len(t, changes.Conversations, 1)
	got := changes.Conversations[0]
	require.Equal(t, []int64{13, 0, 13}, []int64{got.LastSeq, got.ReadSeq, int64(got.UnreadCount)})
	require.Equal(t, "message 18", got.LastMessage.Content)

	d.cursor = changes.Cursor
	d.syncUntilStable()
}

func TestSync_RefusesInvalidCursor(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me, _, _ := w.Pair()
	for _, cursor := range []string{"x", "!!", "bnVsbA", "e30", "W10", "eyJkIjoieCIsIngiOi0xfQ", "eyJkIjoieCIsIngiOjE4NDQ2NzQ0MDczNzA5NTUxNjE1fQ"} {
		_, err := w.S.Conversations.Sync(context.Background(), me, cursor, 50)
		testkit.RequireKind(t, err, fault.Invalid)
		_, _, err = w.S.Conversations.List(context.Background(), me, cursor, 50)
		testkit.RequireKind(t, err, fault.Invalid)
	}
}

func TestConversations_SortsByNewestMessage(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me := w.Member("Ada Moss")
	peers := []web.Actor{w.Member("Ada Moss"), w.Member("Ada Moss"), w.Member("Ada Moss")}
	for _, p := range peers {
		w.Match(me, p)
		w.Send(p, me, "hi")
	}
	w.Send(me, peers[0], "back to the first")
	w.Exec(`INSERT INTO presence (user_id, node) VALUES ($1, $2)`, peers[0].ID, uuid.New())
	w.Exec(`INSERT INTO presence (user_id, node, seen_at) VALUES ($1, $2, now() - interval '36 seconds')`, peers[1].ID, uuid.New())
	var got []conversations.Conversation
	cursor := ""
	for pages := 0; ; pages++ {
		page, next, err := w.S.Conversations.List(context.Background(), me, cursor, 2)
		require.NoError(t, err)
		got = append(got, page...)
		if cursor = next; next == "" {
			require.Equal(t, 1, pages)
			break
		}
	}
	require.Len(t, got, 3)
	require.Equal(t, []uuid.UUID{peers[0].ID, peers[2].ID, peers[1].ID}, []uuid.UUID{got[0].User.ID, got[1].User.ID, got[2].User.ID})
	require.Equal(t, []bool{true, false, false}, []bool{got[0].IsOnline, got[1].IsOnline, got[2].IsOnline})
	require.Equal(t, 1, got[1].UnreadCount)
	require.EqualValues(t, 2, got[0].LastSeq)
	require.Equal(t, me.ID, got[0].LastMessage.SenderID)
	require.False(t, got[0].LastMessage.IsRead)
}
