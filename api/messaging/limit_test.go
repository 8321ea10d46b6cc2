package messaging

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestTheLimiterForgetsTheQuietAndLooksSeldom(t *testing.T) {
	t.Parallel()
	now := time.Now()
	l := newLimiter(30, 10*time.Second, "sending messages")
	l.now = func() time.Time { return now }
	write := func(members int) {
		for range members {
			require.NoError(t, l.allow(uuid.New()))
		}
	}
	write(20_000)
	require.Len(t, l.tat, 20_000, "all of them have just written")
	require.Equal(t, 40_000, l.room, "looked through twice, not ten thousand times")
	now = now.Add(time.Minute)
	write(20_000)
	require.Len(t, l.tat, 20_000, "those who went quiet are forgotten")
	now = now.Add(time.Minute)
	write(20_000)
	require.Len(t, l.tat, 20_000)
	one := uuid.New()
	for range 30 {
		require.NoError(t, l.allow(one))
	}
	require.Error(t, l.allow(one))
}
