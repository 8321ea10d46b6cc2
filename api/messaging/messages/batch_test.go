package messages_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

const timeout = testkit.Timeout

// outcome is the result of a message that was sent in the background.
type outcome struct {
	messages.Sent
	err error
}

// sendLater sends a message in the background, and returns when it is queued or complete.
func (w *env) sendLater(ctx context.Context, from web.Actor, in messages.Outgoing) <-chan outcome {
	w.Helper()
	before, done := w.S.Messages.QueueStats().Accepted, make(chan outcome, 1)
	go func() {
		sent, err := w.S.Messages.Send(ctx, from, in)
		done <- outcome{sent, err}
	}()
	require.Eventually(w, func() bool { return len(done) == 1 || w.S.Messages.QueueStats().Accepted == before+1 }, timeout, 100*time.Microsecond)
	return done
}

func TestSend_ConversationsShareTransaction(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	release := w.S.Messages.PauseQueue()
	var all []<-chan outcome
	for range 30 {
		a, b, _ := w.Pair()
		all = append(all, w.sendLater(context.Background(), a, messagingtest.Input(b, "one")))
		all = append(all, w.sendLater(context.Background(), b, messagingtest.Input(a, "two"))) // the same lane, so the next transaction
	}
	release()
	for i, done := range all {
		o := <-done
		require.NoError(t, o.err)
		require.EqualValues(t, i%2+1, o.Message.Seq)
	}
	require.Equal(t, 60, w.Count(`SELECT count(*) FROM messages`))
	require.Equal(t, 2, w.Count(`SELECT count(DISTINCT xmin::text) FROM messages`), "the first messages share a transaction, and the second ones")
}

// Each message of a batch has its own result, even if others of the batch fail.
func TestSend_EachMessageOfBatchHasItsOwnResult(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	c, d, _ := w.Pair()
	e, f, _ := w.Pair()
	w.Match(a, c)
	stranger, hidden := w.Member("Ada Moss"), w.Member("Ada Moss")
	w.Match(hidden, b)
	w.Exec(`UPDATE users SET is_approved = false WHERE id = $1`, hidden.ID)
	known := messagingtest.Input(b, "known")
	first, err := w.S.Messages.Send(ctx, a, known)
	require.NoError(t, err)
	other := known
	other.Content = "not the same"
	twice := messagingtest.Input(b, "one client id, two recipients")
	toC := twice
	toC.RecipientID = c.ID
	reply := func(to web.Actor, seq int64) messages.Outgoing {
		in := messagingtest.Input(to, "re")
		in.ReplyTo = &seq
		return in
	}

	release := w.S.Messages.PauseQueue()
	lane := []<-chan outcome{}
	for _, text := range []string{"1", "2", "3"} {
		lane = append(lane, w.sendLater(ctx, c, messagingtest.Input(d, text)))
	}
	again := w.sendLater(ctx, a, known)
	clash := w.sendLater(ctx, a, other)
	noConversation := w.sendLater(ctx, a, messagingtest.Input(stranger, "x"))
	notShown := w.sendLater(ctx, hidden, messagingtest.Input(b, "x"))
	toUnknown := w.sendLater(ctx, e, reply(f, 1))
	validReply := w.sendLater(ctx, b, reply(a, 1))
	one, two := w.sendLater(ctx, a, twice), w.sendLater(ctx, a, toC)
	good := w.sendLater(ctx, f, messagingtest.Input(e, "good"))
	w.Events.Take()
	release()

	for i, done := range lane {
		o := <-done
		require.NoError(t, o.err)
		require.EqualValues(t, i+1, o.Message.Seq)
	}
	o := <-again
	require.NoError(t, o.err)
	require.True(t, o.Repeated)
	require.Equal(t, first.Message, o.Message)
	testkit.RequireKind(t, (<-clash).err, fault.Conflict)
	testkit.RequireKind(t, (<-noConversation).err, fault.NotFound)
	testkit.RequireKind(t, (<-notShown).err, fault.Forbidden)
	err = (<-toUnknown).err
	testkit.RequireInvalid(t, err, "replyTo")
	o = <-validReply
	require.NoError(t, o.err)
	require.EqualValues(t, 1, *o.Message.ReplyTo)
	x, y := <-one, <-two
	require.NoError(t, x.err)
	require.NoError(t, y.err)
	require.False(t, x.Repeated || y.Repeated)
	require.NotEqual(t, x.Message.ID, y.Message.ID)
	require.NoError(t, (<-good).err)
	require.Equal(t, 8, w.Count(`SELECT count(*) FROM messages`))
	require.Zero(t, w.Count(`SELECT count(*) FROM conversations c WHERE last_seq <> (SELECT count(*) FROM messages WHERE conversation_id = c.id)`))
	published := 0
	require.Eventually(t, func() bool { published += len(w.Events.Take()); return published >= 16 }, timeout, time.Millisecond)
	require.Equal(t, 16, published, "seven messages and the repeated one are published to both members")
}

// A client id belongs to its conversation. Messages to two members may be in one batch with the same one.
func TestSend_OneClientIDInTwoConversationsIsTwoMessages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	c := w.Member("Ada Moss")
	w.Match(a, c)
	d, e, _ := w.Pair()
	twice := messagingtest.Input(b, "one client id, two recipients")
	toC := twice
	toC.RecipientID = c.ID
	release := w.S.Messages.PauseQueue()
	one, two := w.sendLater(ctx, a, twice), w.sendLater(ctx, a, toC)
	good := w.sendLater(ctx, d, messagingtest.Input(e, "good"))
	release()
	x, y := <-one, <-two
	require.NoError(t, x.err)
	require.NoError(t, y.err)
	require.False(t, x.Repeated || y.Repeated)
	require.NotEqual(t, x.Message.ConversationID, y.Message.ConversationID)
	require.NoError(t, (<-good).err)
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM messages`))
	require.Equal(t, 1, w.Count(`SELECT count(DISTINCT xmin::text) FROM messages`))
	for _, in := range []messages.Outgoing{twice, toC} {
		again, err := w.S.Messages.Send(ctx, a, in)
		require.NoError(t, err)
		require.True(t, again.Repeated)
		require.Equal(t, map[uuid.UUID]messages.Message{b.ID: x.Message, c.ID: y.Message}[in.RecipientID], again.Message)
	}
}

// A repeated call waits for the first one in the lane of the conversation, and does not split its batch.
func TestSend_RepeatedCallIsInNextBatch(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	d, e, _ := w.Pair()
	in := messagingtest.Input(b, "once")
	release := w.S.Messages.PauseQueue()
	one, two := w.sendLater(ctx, a, in), w.sendLater(ctx, a, in)
	good := w.sendLater(ctx, d, messagingtest.Input(e, "good"))
	release()
	x, y := <-one, <-two
	require.NoError(t, x.err)
	require.NoError(t, y.err)
	require.False(t, x.Repeated)
	require.True(t, y.Repeated)
	require.Equal(t, x.Message, y.Message)
	require.NoError(t, (<-good).err)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM messages`))
	require.Equal(t, 1, w.Count(`SELECT count(DISTINCT xmin::text) FROM messages`))
}

// A conversation that another transaction has locked delays only its own messages.
func TestSend_LockedConversationDelaysNoOther(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	c, d, _ := w.Pair()
	tx, err := w.Pool.Begin(ctx)
	require.NoError(t, err)
	defer tx.Rollback(ctx) // it is committed below
	_, err = tx.Exec(ctx, `UPDATE conversations SET last_rev = 7 WHERE user_a = $1`, a.ID)
	require.NoError(t, err)
	release := w.S.Messages.PauseQueue()
	slow := w.sendLater(ctx, a, messagingtest.Input(b, "held"))
	free := w.sendLater(ctx, c, messagingtest.Input(d, "free"))
	release()
	require.NoError(t, (<-free).err)
	w.Send(d, c, "and on")
	require.Empty(t, slow)
	require.NoError(t, tx.Commit(ctx))
	o := <-slow
	require.NoError(t, o.err)
	require.EqualValues(t, 1, o.Message.Seq)
	require.Equal(t, 7, w.Count(`SELECT last_rev FROM conversations WHERE user_a = $1`, a.ID))
}

// A message whose caller stopped waiting is stored, and a retry returns it.
func TestSend_CancelledCallIsStoredAndCanBeRepeated(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	ctx, cancel := context.WithCancel(context.Background())
	release := w.S.Messages.PauseQueue()
	in := messagingtest.Input(b, "hello?")
	done := w.sendLater(ctx, a, in)
	cancel()
	testkit.RequireKind(t, (<-done).err, fault.Unavailable)
	release()
	var published []string
	require.Eventually(t, func() bool { published = append(published, w.Events.Take()...); return len(published) == 2 }, timeout, time.Millisecond)
	require.Contains(t, published[0], "hello?")
	sent, err := w.S.Messages.Send(context.Background(), a, in)
	require.NoError(t, err)
	require.True(t, sent.Repeated)
	require.Equal(t, published, w.Events.Take())
}

func TestSend_CancelledWaitForFullQueueStoresNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.S.Messages.SetQueueCapacity(2)
	a, b, _ := w.Pair()
	release := w.S.Messages.PauseQueue()
	one := w.sendLater(context.Background(), a, messagingtest.Input(b, "1"))
	two := w.sendLater(context.Background(), a, messagingtest.Input(b, "2"))
	ctx, cancel := context.WithCancel(context.Background())
	refused := make(chan error, 1)
	go func() {
		_, err := w.S.Messages.Send(ctx, a, messagingtest.Input(b, "refused"))
		refused <- err
	}()
	cancel()
	testkit.RequireKind(t, <-refused, fault.Unavailable)
	release()
	require.NoError(t, (<-one).err)
	require.NoError(t, (<-two).err)
	require.EqualValues(t, 3, w.Send(a, b, "3").Seq, "the refused message is not stored")
}

// Notification jobs are part of the transaction of their messages.
func TestSend_JobsAreInTransactionOfBatch(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	var senders, recipients []web.Actor
	for i := range 12 {
		a, b, _ := w.Pair()
		senders, recipients = append(senders, a), append(recipients, b)
		if i%2 == 0 {
			w.PushDevice(b)
		}
	}
	for range 3 { // after the first round the device cache is filled
		release := w.S.Messages.PauseQueue()
		var all []<-chan outcome
		for i, a := range senders {
			all = append(all, w.sendLater(ctx, a, messagingtest.Input(recipients[i], "x")))
		}
		release()
		for _, done := range all {
			require.NoError(t, (<-done).err)
		}
	}
	require.Equal(t, 6, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'notify'`))
	require.Equal(t, 36, w.Count(`SELECT count(*) FROM messages`))
	require.Equal(t, 2, w.Count(`SELECT count(DISTINCT xmin::text) FROM messages WHERE seq = 3`), "one transaction for recipients with devices, one for those without")
}

// The category that the guard finds is stored, and only the recipient sees it.
func TestSend_OnlyRecipientSeesFlag(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	s := messagingtest.NewService(w.Pool, w.Events, w.Jobs, func(text string) string {
		if strings.Contains(text, "money") {
			return "money"
		}
		return ""
	})
	in := messagingtest.Input(b, "send money")
	sent, err := s.Messages.Send(ctx, a, in)
	require.NoError(t, err)
	require.Nil(t, sent.Message.Flag)
	_, err = s.Messages.Send(ctx, a, messagingtest.Input(b, "good morning"))
	require.NoError(t, err)
	var published []string
	require.Eventually(t, func() bool { published = append(published, w.Events.Take()...); return len(published) == 4 }, timeout, time.Millisecond)
	flags := map[string]int{}
	for _, event := range published {
		if strings.Contains(event, `"flag":"money"`) {
			flags[strings.Fields(event)[0]]++
		} else {
			require.Contains(t, event, `"flag":null`)
		}
	}
	require.Equal(t, map[string]int{"member." + b.ID.String(): 1}, flags)
	for viewer, want := range map[web.Actor]int{a: 0, b: 1} {
		list, err := s.Messages.List(ctx, viewer, map[web.Actor]uuid.UUID{a: b.ID, b: a.ID}[viewer], messages.Page{Limit: 50})
		require.NoError(t, err)
		n := 0
		for _, m := range list {
			if m.Flag != nil {
				n++
			}
		}
		require.Equal(t, want, n)
	}
}
