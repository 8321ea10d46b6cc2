package live_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/live"
)

// A client that sends nothing is offline long before its connection is closed, and
// online again with its next frame. A client that only answers pings stays online.
func TestPresence_HalfOpenSocketIsOffline(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.setOnlineWindow(fastTiming.OfflineAfter)
	n := w.node(func(d *live.Deps) { d.Timing = fastTiming })
	a, b := w.pair()
	idle := w.newPeer(a)
	watcher := n.connect(t, a)
	w.waitForRow(a)
	answerPings(n.connect(t, idle))
	require.Equal(t, []any{idle.ID.String(), true}, watcher.status())

	halfOpen := n.dial(t, b) // reads nothing, so no ping is answered
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())
	require.Equal(t, []any{b.ID.String(), false}, watcher.status(), "only the half-open one goes offline")
	require.Equal(t, []any{idle.ID.String()}, watcher.online())
	require.Equal(t, 3, n.hub.Sockets(), "the half-open connection is still open")

	halfOpen.send(`{"type":"ping"}`)
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())
	require.ElementsMatch(t, []any{b.ID.String(), idle.ID.String()}, watcher.online())
}

// A member with another responsive socket stays online; once that one is closed,
// the half-open one does not count.
func TestPresence_OneHalfOpenSocketOfTwo(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.setOnlineWindow(fastTiming.OfflineAfter)
	n := w.node(func(d *live.Deps) { d.Timing = fastTiming })
	a, b := w.pair()
	other := w.newPeer(a)
	watcher := n.connect(t, a)
	w.waitForRow(a)
	n.dial(t, b)
	responsive := n.connect(t, b)
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())
	answerPings(responsive)
	n.dial(t, other)
	require.Equal(t, []any{other.ID.String(), true}, watcher.status())
	require.Equal(t, []any{other.ID.String(), false}, watcher.status(), "the timeout of b's half-open socket has passed as well")
	require.NoError(t, responsive.conn.NetConn().Close())
	require.Equal(t, []any{b.ID.String(), false}, watcher.status())
	require.Equal(t, 3, n.hub.Sockets())
}
