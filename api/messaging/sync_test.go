package messaging_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// device is a member's local copy, kept up to date by nothing but Sync.
type device struct {
	w      *world
	actor  web.Actor
	cursor string
	seqs   map[uuid.UUID]int64
}

func (d *device) sync(limit int) (pages int) {
	d.w.t.Helper()
	for {
		changes, err := d.w.s.Sync(context.Background(), d.actor, d.cursor, limit)
		require.NoError(d.w.t, err)
		for _, c := range changes.Conversations {
			require.GreaterOrEqual(d.w.t, c.LastSeq, d.seqs[c.ID], "time does not go back")
			d.seqs[c.ID] = c.LastSeq
		}
		for _, id := range changes.Removed {
			delete(d.seqs, id)
		}
		d.cursor = changes.Cursor
		pages++
		if !changes.HasMore {
			return pages
		}
	}
}

func (w *world) device(actor web.Actor) *device {
	return &device{w: w, actor: actor, seqs: map[uuid.UUID]int64{}}
}

// A reader that syncs while writers commit late and out of order ends up with
// everything, whatever the order was.
func TestSyncNeverMissesAChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me := w.member()
	var conversations []uuid.UUID
	for range 8 {
		conversations = append(conversations, w.conversation(me, w.member()))
	}
	d := w.device(me)
	var writers sync.WaitGroup
	for i := range 8 {
		random := rand.New(rand.NewPCG(1, uint64(i)))
		writers.Go(func() {
			for range 40 {
				hold := time.Duration(random.IntN(8)) * time.Millisecond
				id := conversations[random.IntN(len(conversations))]
				require.NoError(t, pgx.BeginFunc(context.Background(), w.pool, func(tx pgx.Tx) error {
					_, err := tx.Exec(context.Background(), `UPDATE conversations
						SET last_seq = last_seq + 1, changed_xid = pg_current_xact_id() WHERE id = $1`, id)
					if err == nil {
						_, err = tx.Exec(context.Background(), `SELECT pg_sleep($1)`, hold.Seconds())
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
		require.EqualValues(t, w.count(`SELECT last_seq FROM conversations WHERE id = $1`, id), d.seqs[id])
	}
}

// The case a plain "newer than the last I saw" loses: the older transaction
// commits after the newer one was read.
func TestSyncSeesWhatCommitsLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me := w.member()
	slow, quick := w.conversation(me, w.member()), w.conversation(me, w.member())
	d := w.device(me)
	d.sync(50)
	const touch = `UPDATE conversations SET last_seq = 1, changed_xid = pg_current_xact_id() WHERE id = $1`
	tx, err := w.pool.Begin(context.Background())
	require.NoError(t, err)
	_, err = tx.Exec(context.Background(), touch, slow)
	require.NoError(t, err)
	w.exec(touch, quick)
	d.sync(50)
	require.EqualValues(t, 1, d.seqs[quick])
	require.Zero(t, d.seqs[slow])
	require.NoError(t, tx.Commit(context.Background()))
	d.sync(50)
	require.EqualValues(t, 1, d.seqs[slow])
	// Then there is nothing new, once the transactions of others are over too.
	require.Eventually(t, func() bool {
		changes, err := w.s.Sync(context.Background(), me, d.cursor, 50)
		d.cursor = changes.Cursor
		return err == nil && changes.Conversations != nil && len(changes.Conversations) == 0
	}, 10*time.Second, time.Millisecond)
}

func TestSyncPagesAndRemoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me := w.member()
	for range 7 {
		w.conversation(me, w.member())
	}
	w.pair() // not mine
	d := w.device(me)
	require.Equal(t, 3, d.sync(3))
	require.Len(t, d.seqs, 7)
	w.exec(`UPDATE conversations SET closed_at = now(), changed_xid = pg_current_xact_id()
		WHERE id = (SELECT id FROM conversations WHERE $1 IN (user_a, user_b) LIMIT 1)`, me.ID)
	d.sync(50)
	require.Len(t, d.seqs, 6)
	require.Equal(t, 6, func() int { fresh := w.device(me); fresh.sync(50); return len(fresh.seqs) }())
}

func TestSyncStartsAnewOnAnotherDatabase(t *testing.T) {
	t.Parallel()
	here, there := newWorld(t), newWorld(t)
	me, peer := here.pair()
	_ = peer
	away, _ := there.pair()
	foreign := there.device(away)
	foreign.sync(50)
	changes, err := here.s.Sync(context.Background(), me, foreign.cursor, 50)
	require.NoError(t, err)
	require.Len(t, changes.Conversations, 1, "all there is")

	// Put back in time: the cursor is ahead of the database.
	d := here.device(me)
	d.sync(50)
	raw, err := base64.RawURLEncoding.DecodeString(d.cursor)
	require.NoError(t, err)
	var xid uint64
	_, err = fmt.Sscanf(string(raw[strings.Index(string(raw), `"x":`)+4:]), "%d", &xid)
	require.NoError(t, err)
	ahead := strings.Replace(string(raw), fmt.Sprintf(`"x":%d`, xid), fmt.Sprintf(`"x":%d`, xid+1_000_000), 1)
	changes, err = here.s.Sync(context.Background(), me, base64.RawURLEncoding.EncodeToString([]byte(ahead)), 50)
	require.NoError(t, err)
	require.Len(t, changes.Conversations, 1)

	// Restored rows may carry transactions of the old cluster, far ahead.
	here.conversation(me, here.member())
	here.exec(`UPDATE conversations SET changed_xid = '99999999'`)
	fresh := here.device(me)
	require.Equal(t, 2, fresh.sync(1))
	require.Len(t, fresh.seqs, 2)
}

func TestSyncRefusesABadCursor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me, _ := w.pair()
	for _, cursor := range []string{"x", "!!", "bnVsbA", "e30", "W10", "eyJkIjoieCIsIngiOi0xfQ", "eyJkIjoieCIsIngiOjE4NDQ2NzQ0MDczNzA5NTUxNjE1fQ"} {
		_, err := w.s.Sync(context.Background(), me, cursor, 50)
		requireKind(t, err, fault.Invalid)
		_, _, err = w.s.Conversations(context.Background(), me, cursor, 50)
		requireKind(t, err, fault.Invalid)
	}
}

func TestConversationsAreListedByTheNewestMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me := w.member()
	peers := []web.Actor{w.member(), w.member(), w.member()}
	for _, p := range peers {
		w.conversation(me, p)
		w.send(p, me, "hi")
	}
	w.send(me, peers[0], "back to the first")
	w.exec(`INSERT INTO presence (user_id, node) VALUES ($1, $2)`, peers[0].ID, uuid.New())
	w.exec(`INSERT INTO presence (user_id, node, seen_at) VALUES ($1, $2, now() - interval '36 seconds')`, peers[1].ID, uuid.New())
	var got []messaging.Conversation
	cursor := ""
	for pages := 0; ; pages++ {
		page, next, err := w.s.Conversations(context.Background(), me, cursor, 2)
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
