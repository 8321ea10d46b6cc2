package messaging_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStop_ReturnsWhenLastMessageIsStored(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	release := w.s.PauseQueue()
	sent := w.sendLater(context.Background(), a, input(b, "hello"))
	storedAtStop := make(chan int)
	go func() {
		err := w.s.Stop(context.Background())
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
