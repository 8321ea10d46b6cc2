package live_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/platform/web"
)

// online requests and returns the online members.
func (c *client) online() any {
	c.t.Helper()
	c.send(`{"type":"get_online_users"}`)
	return c.want("online_users")["users"]
}

// status waits for a status change and returns the member and the status.
func (c *client) status() []any {
	c.t.Helper()
	f := c.want("user_status_changed")
	return []any{f["userId"], f["isOnline"]}
}

// answerPings makes a client read in the background, which sends pongs.
func answerPings(c *client) {
	go func() {
		for err := error(nil); err == nil; {
			_, _, err = c.conn.ReadMessage()
		}
	}()
}

// newPeer creates a member who has a conversation with actor.
func (w *env) newPeer(actor web.Actor) web.Actor {
	w.Helper()
	peer := w.member()
	w.Match(actor, peer)
	return peer
}

// fastTiming has short intervals and never closes silent sockets. On a busy machine it takes seconds until a row of the
// presence table is renewed.
var fastTiming = live.Timing{Ping: 100 * time.Millisecond, ReadTimeout: time.Hour, OfflineAfter: 8 * time.Second, Renew: 50 * time.Millisecond}

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
