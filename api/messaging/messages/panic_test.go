package messages_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// panickingPublisher is a publisher that panics until it is repaired.
type panickingPublisher struct {
	bustest.Recorder
	isRepaired atomic.Bool
}

func (p *panickingPublisher) Publish(subject string, data []byte) {
	if !p.isRepaired.Load() {
		panic("no publisher")
	}
	p.Recorder.Publish(subject, data)
}

// logBuffer collects log lines of several goroutines.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logBuffer) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// After a panic the messages of its batch fail, and their lanes, workers and slots are free
// again. The test is not parallel, because it reads the log of the process.
func TestSend_PanicFailsOnlyItsBatch(t *testing.T) {
	log := &logBuffer{}
	testkit.CaptureLog(t, slog.NewTextHandler(log, nil))
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	c, d, _ := w.Pair()
	publisher := &panickingPublisher{}
	w.S = messagingtest.NewService(w.Pool, publisher, w.Jobs, messages.Unguarded).Unlimited()
	w.S.Messages.SetQueueCapacity(4)

	own, other := messagingtest.Input(b, "stored on the sender's goroutine"), messagingtest.Input(d, "stored by a worker")
	for range 3 { // more often than there are workers
		own.ClientID, other.ClientID = messagingtest.NewID(), messagingtest.NewID()
		_, err := w.S.Messages.Send(ctx, a, own)
		testkit.RequireKind(t, err, fault.Internal)
		require.Contains(t, log.take(), "no publisher")

		release := w.S.Messages.PauseQueue()
		one, two := w.sendLater(ctx, c, other), w.sendLater(ctx, a, messagingtest.Input(b, "in the same batch"))
		release()
		testkit.RequireKind(t, (<-one).err, fault.Internal)
		testkit.RequireKind(t, (<-two).err, fault.Internal)
		require.Contains(t, log.take(), "no publisher")
	}

	tx, err := w.Pool.Begin(ctx)
	require.NoError(t, err)
	defer tx.Rollback(ctx) // it is committed below
	_, err = tx.Exec(ctx, `UPDATE conversations SET last_rev = 7 WHERE user_a IN ($1, $2)`, a.ID, b.ID)
	require.NoError(t, err)
	separate := w.sendLater(ctx, a, messagingtest.Input(b, "waits for the conversation"))
	require.NoError(t, tx.Commit(ctx))
	testkit.RequireKind(t, (<-separate).err, fault.Internal)
	require.Contains(t, log.take(), "no publisher")

	w.S.Messages.PauseQueue()() // waits until no worker is running
	require.Zero(t, w.S.Messages.QueueStats().Depth)
	publisher.isRepaired.Store(true)
	sent, err := w.S.Messages.Send(ctx, a, own)
	require.NoError(t, err)
	require.True(t, sent.Repeated, "a retry returns the stored message")
	require.Len(t, messagingtest.EventsOfType(publisher.Take(), b, "new_message"), 1, "which was not published before")
}
