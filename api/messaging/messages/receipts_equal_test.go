package messages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// twinEnvs are two envs with the same members and conversations. The second one stores
// receipts with the reference implementation setReceiptsByLock.
type twinEnvs struct {
	t          *testing.T
	envs       [2]*env
	pairs      [2][]testConversation
	eventMarks [2]map[string]int64 // the highest mark of each kind in the events of a side
}

type testConversation struct {
	sides     [2]web.Actor // a, b as the table has them
	id, match uuid.UUID
}

// idBy returns the id with which a receipt of a side identifies the conversation.
func (k testConversation) idBy(kind string, side int) uuid.UUID {
	switch kind {
	case "conversation":
		return k.id
	case "match":
		return k.match
	}
	return k.sides[1-side].ID
}

func newTwinEnvs(t *testing.T, pairs int) *twinEnvs {
	tw := &twinEnvs{t: t, envs: [2]*env{newEnv(t), newEnv(t)}, eventMarks: [2]map[string]int64{{}, {}}}
	for i, w := range tw.envs {
		for range pairs {
			k := testConversation{sides: [2]web.Actor{w.Member("Ada Moss"), w.Member("Ada Moss")}} // in ascending order
			k.id = w.Match(k.sides[0], k.sides[1])
			k.match = testkit.Select[uuid.UUID](w, w.Pool, `SELECT match_id FROM conversations WHERE id = $1`, k.id)
			tw.pairs[i] = append(tw.pairs[i], k)
		}
	}
	return tw
}

// execOnBoth runs a statement on a conversation of each env.
func (tw *twinEnvs) execOnBoth(pair int, sql string) {
	for i, w := range tw.envs {
		w.Exec(sql, tw.pairs[i][pair].id)
	}
}

// setReceiptsByLock is the reference implementation: a transaction that locks the
// conversation and then writes the marks and the times of reading. It records in eventMarks
// the events that the two members should get.
func (tw *twinEnvs) setReceiptsByLock(env, pair, side int, receipt messages.Receipt) error {
	ctx, k := context.Background(), tw.pairs[env][pair]
	me := k.sides[side].ID
	return pgx.BeginFunc(ctx, tw.envs[env].Pool, func(tx pgx.Tx) error {
		var last, oldRead, oldDelivered int64
		var isRequest, hidden bool
		prefix := string("ab"[side])
		err := tx.QueryRow(ctx, `SELECT c.last_seq, c.`+prefix+`_read_seq, c.`+prefix+`_delivered_seq, c.requested_by IS NOT NULL,
				c.requested_by IS NOT NULL OR EXISTS (SELECT FROM users u WHERE u.id IN (c.user_a, c.user_b) AND u.hide_read_receipts)
			FROM conversations c JOIN users o ON o.id IN (c.user_a, c.user_b) AND o.id <> $1 AND o.profile_status = 'active'
			WHERE c.id = $2 AND c.closed_at IS NULL AND (c.declined_at IS NULL OR c.requested_by = $1) FOR NO KEY UPDATE OF c`, me, k.id).
			Scan(&last, &oldRead, &oldDelivered, &isRequest, &hidden)
		if err != nil {
			return err
		}
		read := max(oldRead, min(receipt.ReadSeq, last))
		delivered := max(oldDelivered, read, min(receipt.DeliveredSeq, last))
		if read == oldRead && delivered == oldDelivered {
			return nil
		}
		changed := "changed_xid"
		if isRequest || hidden && delivered == oldDelivered {
			changed = prefix + "_changed_xid"
		}
		_, err = tx.Exec(ctx, `UPDATE conversations SET `+changed+` = pg_current_xact_id(), `+prefix+`_read_seq = $2, `+prefix+`_delivered_seq = $3
			WHERE id = $1`, k.id, read, delivered)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE messages SET read_at = clock_timestamp()
			WHERE conversation_id = $1 AND seq > $2 AND seq <= $3 AND sender_id <> $4 AND read_at IS NULL`, k.id, oldRead, read, me)
		if read > oldRead {
			tw.raiseEventMark(env, pair, side, side, "message_read", read)
		}
		if read > oldRead && !hidden {
			tw.raiseEventMark(env, pair, 1-side, side, "message_read", read)
		}
		if delivered > oldDelivered && !isRequest {
			tw.raiseEventMark(env, pair, 1-side, side, "message_delivered", delivered)
		}
		return err
	})
}

// raiseEventMark records that a side gets an event of a type about the marks of the reader,
// which is a side too. A read message counts as delivered.
func (tw *twinEnvs) raiseEventMark(env, pair, side, reader int, eventType string, seq int64) {
	key := func(eventType string) string {
		return fmt.Sprintf("%d gets %s by %d of pair %d", side, eventType, reader, pair)
	}
	tw.eventMarks[env][key(eventType)] = max(tw.eventMarks[env][key(eventType)], seq)
	if eventType == "message_read" {
		tw.eventMarks[env][key("message_delivered")] = max(tw.eventMarks[env][key("message_delivered")], seq)
	}
}

// collectEvents records the published events of an env in eventMarks.
func (tw *twinEnvs) collectEvents(env int) {
	for _, line := range tw.envs[env].Events.Take() {
		subject, data, _ := strings.Cut(line, " ")
		var event struct {
			Type           string
			ConversationID uuid.UUID
			Seq            int64
			ReadBy         uuid.UUID
			DeliveredTo    uuid.UUID
		}
		require.NoError(tw.t, json.Unmarshal([]byte(data), &event))
		if event.Type != "message_read" && event.Type != "message_delivered" {
			continue
		}
		for pair, k := range tw.pairs[env] {
			for side, member := range k.sides {
				if k.id == event.ConversationID && subject == "member."+member.ID.String() {
					reader := slices.IndexFunc(k.sides[:], func(a web.Actor) bool { return a.ID == event.ReadBy || a.ID == event.DeliveredTo })
					tw.raiseEventMark(env, pair, side, reader, event.Type, event.Seq)
				}
			}
		}
	}
}

// state describes the stored conversation and the sides that must sync since the
// transaction ids in previous.
func (tw *twinEnvs) state(env, pair int, previous *[2]string) (text string) {
	w, id := tw.envs[env], tw.pairs[env][pair].id
	var now [2]string
	require.NoError(tw.t, w.Pool.QueryRow(context.Background(), `SELECT greatest(changed_xid, a_changed_xid)::text, greatest(changed_xid, b_changed_xid)::text,
			format('marks %s of %s, read %s, ', (a_read_seq, a_delivered_seq, b_read_seq, b_delivered_seq), last_seq,
				(SELECT array_agg(seq ORDER BY seq) FROM messages WHERE conversation_id = $1 AND read_at IS NOT NULL))
		FROM conversations WHERE id = $1`, id).Scan(&now[0], &now[1], &text))
	text += fmt.Sprintf("to sync %v %v", now[0] != previous[0], now[1] != previous[1])
	*previous = now
	return text
}

// step is one call: a message or a receipt.
type step struct {
	pair, side int
	sends      bool
	by         string // the kind of id in the receipt: peer, conversation or match
	receipt    messages.Receipt
}

// mergeSteps returns the steps in the order in which the send queue stores them: a
// receipt is merged into a queued one of the same member and id.
func mergeSteps(steps []step) (list []step) {
	for _, s := range steps {
		merged := false
		for i := range list {
			e := &list[i]
			if !s.sends && !e.sends && e.pair == s.pair && e.side == s.side && e.by == s.by {
				e.receipt.ReadSeq = max(e.receipt.ReadSeq, s.receipt.ReadSeq)
				e.receipt.DeliveredSeq = max(e.receipt.DeliveredSeq, s.receipt.DeliveredSeq)
				merged = true
			}
		}
		if !merged {
			list = append(list, s)
		}
	}
	return list
}

// Concurrent messages and receipts have the same result as sequential calls, each in a
// separate transaction.
func TestSetReceipts_ConcurrentEqualsSequential(t *testing.T) {
	t.Parallel()
	const pairs, rounds = 7, 15
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	tw := newTwinEnvs(t, pairs)
	ctx, kinds := context.Background(), []string{"peer", "conversation", "match"}
	for _, k := range tw.pairs[0] {
		for side, member := range k.sides {
			for _, by := range kinds { // fills the pair cache
				require.NoError(t, tw.envs[0].S.Messages.SetReceipts(ctx, member, k.idBy(by, side), messages.Receipt{}))
			}
		}
	}
	for pair, sql := range []string{
		`UPDATE conversations SET requested_by = user_a WHERE id = $1`,
		`UPDATE conversations SET requested_by = user_a, declined_at = now() WHERE id = $1`,
		`UPDATE conversations SET closed_at = now() WHERE id = $1`,
		`UPDATE users SET profile_status = 'suspended' WHERE id = (SELECT user_b FROM conversations WHERE id = $1)`,
		`UPDATE users SET hide_read_receipts = true WHERE id = (SELECT user_b FROM conversations WHERE id = $1)`,
	} {
		tw.execOnBoth(pair, `UPDATE conversations SET last_seq = 4, last_sender = user_a WHERE id = $1`)
		tw.execOnBoth(pair, `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content)
			SELECT gen_random_uuid(), id, n, CASE n % 2 WHEN 0 THEN user_a ELSE user_b END, gen_random_uuid(), 'x'
			FROM conversations, generate_series(1, 4) n WHERE id = $1`)
		tw.execOnBoth(pair, sql)
	}
	var previous [2][pairs][2]string
	for round := range rounds {
		steps := make([]step, 4+random.IntN(40))
		for i := range steps {
			pair := random.IntN(pairs)
			last := int64(tw.envs[0].Count(`SELECT last_seq FROM conversations WHERE id = $1`, tw.pairs[0][pair].id))
			steps[i] = step{
				pair: pair, side: random.IntN(2), sends: random.IntN(4) == 0, by: kinds[random.IntN(len(kinds))],
				receipt: messages.Receipt{DeliveredSeq: 1 + random.Int64N(last+1), ReadSeq: max(0, random.Int64N(2*last+1)-last)},
			}
		}
		tw.compare(fmt.Sprintf("round %d: %+v", round, steps), tw.runConcurrently(steps), tw.runSequentially(mergeSteps(steps)))
		for pair := range pairs {
			require.Equal(t, tw.state(1, pair, &previous[1][pair]), tw.state(0, pair, &previous[0][pair]), "pair %d in round %d: %+v", pair, round, steps)
		}
	}
}

// runConcurrently enqueues all steps in one env before the first is stored, and returns the
// refused receipts.
func (tw *twinEnvs) runConcurrently(steps []step) (refused map[string]bool) {
	w := tw.envs[0]
	refused = map[string]bool{}
	release := w.S.Messages.PauseQueue()
	received, sent := map[int]<-chan error{}, []<-chan outcome{}
	for i, s := range steps {
		k := tw.pairs[0][s.pair]
		if s.sends {
			sent = append(sent, w.sendLater(context.Background(), k.sides[s.side], messagingtest.Input(k.sides[1-s.side], "x")))
		} else {
			received[i] = w.setReceiptsLater(context.Background(), k.sides[s.side], k.idBy(s.by, s.side), s.receipt)
		}
	}
	release()
	for i, done := range received {
		if err := <-done; err != nil {
			testkit.RequireKind(tw.t, err, fault.NotFound)
			refused[fmt.Sprint(steps[i].pair, steps[i].side)] = true
		}
	}
	for _, done := range sent {
		<-done
	}
	w.S.Messages.PauseQueue()()
	tw.collectEvents(0)
	return refused
}

// runSequentially runs the steps in the other env with the reference implementation.
func (tw *twinEnvs) runSequentially(steps []step) (refused map[string]bool) {
	w := tw.envs[1]
	refused = map[string]bool{}
	for _, s := range steps {
		k := tw.pairs[1][s.pair]
		if s.sends {
			_, _ = w.S.Messages.Send(context.Background(), k.sides[s.side], messagingtest.Input(k.sides[1-s.side], "x"))
		} else if err := tw.setReceiptsByLock(1, s.pair, s.side, s.receipt); err != nil {
			require.ErrorIs(tw.t, err, pgx.ErrNoRows)
			refused[fmt.Sprint(s.pair, s.side)] = true
		}
	}
	return refused
}

func (tw *twinEnvs) compare(what string, got, want map[string]bool) {
	require.Equal(tw.t, want, got, what)
	require.Equal(tw.t, tw.eventMarks[1], tw.eventMarks[0], what)
}
