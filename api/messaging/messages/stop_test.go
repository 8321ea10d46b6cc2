package messages_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messagingtest"
)

func TestStop_ReturnsWhenLastMessageIsStored(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	release := w.S.Messages.PauseQueue()
	sent := w.sendLater(context.Background(), a, messagingtest.Input(b, "hello"))
	storedAtStop := make(chan int)
	go func() {
		err := w.S.Stop(context.Background())
		stored := 0
		if err == nil {
			_ = w.Pool.QueryRow(context.Background(), `SELECT count(*) FROM messages`).Scan(&stored)
		}
		storedAtStop <- stored
	}()
	release()
	require.Equal(t, 1, <-storedAtStop, "the message is stored before Stop returns")
	require.NoError(t, (<-sent).err)
}
