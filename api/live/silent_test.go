package live_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/platform/web"
)

// online asks who is, and answers with them.
func (c *client) online() any {
	c.t.Helper()
	c.send(`{"type":"get_online_users"}`)
	return c.want("online_users")["users"]
}

// status reads until it is told of somebody, and answers with whom and what.
func (c *client) status() []any {
	c.t.Helper()
	f := c.want("user_status_changed")
	return []any{f["userId"], f["isOnline"]}
}

// answers has a client read, which is what answers pings.
func answers(c *client) {
	go func() {
		for err := error(nil); err == nil; {
			_, _, err = c.conn.ReadMessage()
		}
	}()
}

// friend is somebody new with whom a member talks.
func (w *world) friend(of web.Actor) web.Actor {
	w.t.Helper()
	friend := w.member()
	_, err := w.pool.Exec(context.Background(), `INSERT INTO conversations (id, user_a, user_b) VALUES (gen_random_uuid(), $1, $2)`, of.ID, friend.ID)
	require.NoError(w.t, err)
	return friend
}

// quick has sockets looked after often, and gives none up.
var quick = live.Timing{Ping: 100 * time.Millisecond, Dead: time.Hour, Silent: 3 * time.Second, Beat: 50 * time.Millisecond}

// Whoever is not heard is offline to the others long before the connection is
// given up, and online again with the next word. One who only answers pings is
// online all the time.
func TestAHalfOpenSocketIsOffline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setOnlineWindow(quick.Silent)
	n := w.node(func(d *live.Deps) { d.Timing = quick })
	a, b := w.pair()
	idle := w.friend(a)
	watcher := n.connect(t, a)
	w.here(a)
	answers(n.connect(t, idle))
	require.Equal(t, []any{idle.ID.String(), true}, watcher.status())

	halfOpen := n.dial(t, b) // reads nothing, so no ping is answered
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())
	require.Equal(t, []any{b.ID.String(), false}, watcher.status(), "the idle one stays online")
	require.Equal(t, []any{idle.ID.String()}, watcher.online())
	require.Equal(t, 3, n.hub.Sockets(), "the connection is still held")

	halfOpen.send(`{"type":"ping"}`)
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())
	require.ElementsMatch(t, []any{b.ID.String(), idle.ID.String()}, watcher.online())
}

// A member with another socket that is heard stays online; once that is closed
// the silent one does not count.
func TestOneSilentSocketOfTwo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setOnlineWindow(quick.Silent)
	n := w.node(func(d *live.Deps) { d.Timing = quick })
	a, b := w.pair()
	other := w.friend(a)
	watcher := n.connect(t, a)
	w.here(a)
	n.dial(t, b)
	heard := n.connect(t, b)
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())
	answers(heard)
	n.dial(t, other)
	require.Equal(t, []any{other.ID.String(), true}, watcher.status())
	require.Equal(t, []any{other.ID.String(), false}, watcher.status(), "by now the first would be offline as well")
	require.NoError(t, heard.conn.NetConn().Close())
	require.Equal(t, []any{b.ID.String(), false}, watcher.status())
	require.Equal(t, 3, n.hub.Sockets())
}
