package limits_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"heartward/api/platform/limits"
)

func TestReserve_ReturnsWait(t *testing.T) {
	t.Parallel()
	now := time.Now()
	l := rate.NewLimiter(rate.Every(time.Second), 5)
	for range 5 {
		_, ok := limits.Reserve(l, now)
		require.True(t, ok)
	}
	wait, ok := limits.Reserve(l, now)
	require.False(t, ok)
	require.Equal(t, time.Second, wait)
	_, ok = limits.Reserve(l, now.Add(wait))
	require.True(t, ok)
}
