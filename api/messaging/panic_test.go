package messaging_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
)

// broken is a publisher that panics.
type broken struct{}

func (broken) Publish(string, []byte) { panic("no publisher") }

// heldLog is what was logged, by several goroutines.
type heldLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *heldLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *heldLog) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// A panic ends with the messages it met: their senders are told, their
// conversations go on, and the places of flushers and of those in line are free
// again. It is not parallel, because it reads the log of the process.
func TestAPanicHoldsNobodyUp(t *testing.T) {
	log, before := &heldLog{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	w := newWorld(t)
	ctx := context.Background()
	a, b := w.pair()
	c, d := w.pair()
	w.s = newService(w.pool, broken{}, w.jobs, messaging.Unguarded).Unlimited()
	w.s.SetQueueCapacity(4)

	own, other := input(b, "on the sender's goroutine"), input(d, "on the flusher's")
	for range 3 { // more often than there are flushers
		own.ClientID, other.ClientID = newID(), newID()
		_, err := w.s.Send(ctx, a, own)
		requireKind(t, err, fault.Internal)
		require.Contains(t, log.take(), "no publisher")

		release := w.s.PauseQueue()
		one, two := w.sendLater(ctx, c, other), w.sendLater(ctx, a, input(b, "beside it"))
		release()
		requireKind(t, (<-one).err, fault.Internal)
		requireKind(t, (<-two).err, fault.Internal)
		require.Contains(t, log.take(), "no publisher")
	}

	tx, err := w.pool.Begin(ctx)
	require.NoError(t, err)
	defer tx.Rollback(ctx) //nolint:errcheck // it is committed below
	_, err = tx.Exec(ctx, `UPDATE conversations SET last_rev = 7 WHERE user_a IN ($1, $2)`, a.ID, b.ID)
	require.NoError(t, err)
	alone := w.sendLater(ctx, a, input(b, "waits for the conversation"))
	require.NoError(t, tx.Commit(ctx))
	requireKind(t, (<-alone).err, fault.Internal)
	require.Contains(t, log.take(), "no publisher")

	w.s.PauseQueue()() // which waits until no flusher is at work
	require.Zero(t, w.s.QueueStats().Depth)
	sent, err := w.s.Send(ctx, a, own)
	require.NoError(t, err)
	require.True(t, sent.Again, "what was stored is found by the same again")
}
