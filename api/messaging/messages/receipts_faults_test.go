package messages_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// If the database fails in the middle of a batch, all callers get the error, nothing is
// stored or published, and a retry succeeds.
func TestSetReceipts_DatabaseFaultAcknowledgesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		action string
		kind   fault.Kind
	}{
		"full disk":        {`RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'`, fault.Unavailable},
		"connection lost":  {`PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(0)`, fault.Unavailable},
		"unexpected error": {`RAISE EXCEPTION 'unexpected'`, fault.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ctx := context.Background()
			a, b, _ := w.Pair()
			c1, d, _ := w.Pair()
			w.Send(a, b, "x")
			w.Send(c1, d, "x")
			w.S.Messages.PauseQueue()()
			w.Events.Take()
			w.Exec(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ` + c.action + `; RETURN NEW; END $$`)
			w.Exec(`CREATE TRIGGER fail BEFORE UPDATE OF read_at ON messages FOR EACH ROW EXECUTE FUNCTION fail()`)
			release := w.S.Messages.PauseQueue()
			one := w.setReceiptsLater(ctx, b, a.ID, messages.Receipt{ReadSeq: 1})
			again := w.setReceiptsLater(ctx, b, a.ID, messages.Receipt{ReadSeq: 1})
			two := w.setReceiptsLater(ctx, d, c1.ID, messages.Receipt{ReadSeq: 1})
			release()
			testkit.RequireKind(t, <-one, c.kind)
			testkit.RequireKind(t, <-again, c.kind)
			testkit.RequireKind(t, <-two, c.kind)
			require.Empty(t, w.Events.Take())
			require.Equal(t, 2, w.Count(`SELECT count(*) FROM conversations WHERE greatest(a_read_seq, b_read_seq) = 1`), "each sender's read mark includes their own message")

			w.Exec(`DROP TRIGGER fail ON messages`)
			require.NoError(t, w.S.Messages.SetReceipts(ctx, b, a.ID, messages.Receipt{ReadSeq: 1}))
			require.NoError(t, w.S.Messages.SetReceipts(ctx, d, c1.ID, messages.Receipt{ReadSeq: 1}))
			require.Equal(t, 2, w.Count(`SELECT count(*) FROM messages WHERE read_at IS NOT NULL`))
		})
	}
}

// If a receipt makes the statement of a batch fail, only that receipt fails.
func TestSetReceipts_FailureOfOneReceiptFailsNoOther(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	c, d, _ := w.Pair()
	e, f, _ := w.Pair()
	w.Send(a, b, "breaks")
	w.Send(c, d, "x")
	w.Exec(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'unexpected'; END $$`)
	w.Exec(`CREATE TRIGGER fail BEFORE UPDATE OF read_at ON messages FOR EACH ROW WHEN (NEW.content = 'breaks') EXECUTE FUNCTION fail()`)
	release := w.S.Messages.PauseQueue()
	broken := w.setReceiptsLater(ctx, b, a.ID, messages.Receipt{ReadSeq: 1})
	received := w.setReceiptsLater(ctx, d, c.ID, messages.Receipt{ReadSeq: 1})
	stored := w.sendLater(ctx, e, messagingtest.Input(f, "another conversation is not affected"))
	release()
	testkit.RequireKind(t, <-broken, fault.Internal)
	require.NoError(t, <-received)
	o := <-stored
	require.NoError(t, o.err)
	require.EqualValues(t, 1, o.Message.Seq)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages WHERE read_at IS NOT NULL`))
}

// A caller that stops waiting gets an error. The receipt is stored if it was queued.
func TestSetReceipts_StoresQueuedReceiptOfCancelledCaller(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.S.Messages.SetQueueCapacity(1)
	a, b, _ := w.Pair()
	w.Send(a, b, "x")
	release := w.S.Messages.PauseQueue()
	ctx, cancel := context.WithCancel(context.Background())
	queued := w.setReceiptsLater(ctx, b, a.ID, messages.Receipt{ReadSeq: 1})
	refused := make(chan error, 1)
	go func() { refused <- w.S.Messages.SetReceipts(ctx, b, a.ID, messages.Receipt{ReadSeq: 1}) }()
	cancel()
	testkit.RequireKind(t, <-queued, fault.Unavailable)
	testkit.RequireKind(t, <-refused, fault.Unavailable)
	release()
	w.S.Messages.PauseQueue()() // waits until the queue is empty
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages WHERE read_at IS NOT NULL`))
	require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, a.ID, messages.Receipt{ReadSeq: 1}), "a slot is free again")
}

// A merged receipt does not occupy a slot.
func TestSetReceipts_MergedReceiptFreesItsSlot(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.S.Messages.SetQueueCapacity(2)
	a, b, _ := w.Pair()
	for range 3 {
		w.Send(a, b, "x")
	}
	release := w.S.Messages.PauseQueue()
	var all []<-chan error
	for seq := range int64(3) {
		all = append(all, w.setReceiptsLater(context.Background(), b, a.ID, messages.Receipt{ReadSeq: seq + 1}))
	}
	sent := w.sendLater(context.Background(), a, messagingtest.Input(b, "a slot is free"))
	release()
	for _, done := range all {
		require.NoError(t, <-done)
	}
	require.NoError(t, (<-sent).err)
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM messages WHERE read_at IS NOT NULL`))
}

func TestStop_ReturnsWhenLastReceiptIsStored(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	w.Send(a, b, "x")
	release := w.S.Messages.PauseQueue()
	received := w.setReceiptsLater(context.Background(), b, a.ID, messages.Receipt{ReadSeq: 1})
	storedAtStop := make(chan int)
	go func() {
		err := w.S.Stop(context.Background())
		stored := 0
		if err == nil {
			_ = w.Pool.QueryRow(context.Background(), `SELECT count(*) FROM messages WHERE read_at IS NOT NULL`).Scan(&stored)
		}
		storedAtStop <- stored
	}()
	release()
	require.Equal(t, 1, <-storedAtStop, "the receipt is stored before Stop returns")
	require.NoError(t, <-received)
}
