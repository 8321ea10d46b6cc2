package live

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// At most 2,000 sockets of a node sync in a second,
// and a few hundred a second on average.
func TestResync_LimitsRate(t *testing.T) {
	t.Parallel()
	for sockets, want := range map[int]struct{ round, pause time.Duration }{
		0:      {20 * time.Millisecond, time.Second},
		1:      {20 * time.Millisecond, time.Second},
		50:     {time.Second, time.Second},
		1000:   {time.Second, 5 * time.Second},
		2000:   {time.Second, 10 * time.Second},
		5000:   {2500 * time.Millisecond, 25 * time.Second},
		20_000: {10 * time.Second, 30 * time.Second},
	} {
		groups := max(1, (sockets+resyncGroup(sockets)-1)/resyncGroup(sockets))
		require.Equal(t, want.round, time.Duration(groups)*resyncTick, "%d sockets", sockets)
		require.Equal(t, want.pause, resyncPause(sockets), "%d sockets", sockets)
	}
}
