package live_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/platform/web"
)

// The window of 35 s is defined in Go and in the view.
func TestOnlineMembers_HasSameWindowAsHub(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for age, online := range map[time.Duration]bool{live.OnlineWindow - 5*time.Second: true, live.OnlineWindow: false} {
		var got bool
		w.Exec(`INSERT INTO presence (user_id, node, seen_at) VALUES ($1, $1, now() - $2::interval)`, uuid.New(), age)
		require.NoError(t, w.Pool.QueryRow(context.Background(), `SELECT EXISTS (SELECT FROM online_members)`).Scan(&got))
		require.Equal(t, online, got, age)
		w.Exec(`DELETE FROM presence`)
	}
}

// A node that stops for a deploy does not announce its members as offline, and the next
// node does not announce them as online again. Members who do not reconnect are announced
// as offline after the online window.
func TestShutdown_AnnouncesOnlyMembersWhoDoNotReconnect(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.setOnlineWindow(fastTiming.OfflineAfter)
	nats := startCluster(t)
	fastRenew := func(d *live.Deps) { d.Timing = fastTiming }
	stoppingNode, stayingNode := w.nodeOn(nats.one, fastRenew), w.nodeOn(nats.two, fastRenew)
	waitUntilConnected(t, stoppingNode, stayingNode)
	a, reconnected := w.pair()
	absent := w.newPeer(a)
	watcher := stayingNode.connect(t, a)
	w.waitForRow(a)
	for _, member := range []web.Actor{reconnected, absent} {
		answerPings(stoppingNode.connect(t, member))
		require.Equal(t, []any{member.ID.String(), true}, watcher.status())
	}

	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	require.NoError(t, stoppingNode.hub.Shutdown(ctx))
	answerPings(stayingNode.connect(t, reconnected))
	require.Equal(t, []any{absent.ID.String(), false}, watcher.status(), "the first announcement since the shutdown")
	require.Equal(t, []any{reconnected.ID.String()}, watcher.online())
	w.waitForPresence(absent, 0)
	w.waitForPresence(reconnected, 1)
	watcher.send(`{"type":"ping"}`)
	watcher.wantBefore("pong", "user_status_changed")
}

// Events round the last activity to five minutes, like the HTTP API.
func TestLastSeen_IsBinned(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	watcher := n.connect(t, a)
	w.waitForRow(a)
	peer := n.connect(t, b)
	for _, online := range []bool{true, false} {
		status := watcher.want("user_status_changed")
		require.Equal(t, online, status["isOnline"])
		seen, err := time.Parse(time.RFC3339, status["lastSeen"].(string))
		require.NoError(t, err)
		require.Equal(t, seen.Truncate(5*time.Minute), seen)
		peer.conn.Close()
	}
}

// No event or response reveals that a member under review is online.
func TestPresence_OfMembersUnderReviewIsNotPublished(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	w.Exec(`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, b.ID)
	watcher := n.connect(t, a)
	w.waitForRow(a)
	reviewed := n.connect(t, b)
	w.waitForRow(b)
	require.Equal(t, []any{}, watcher.online())
	reviewed.send(`{"type":"typing_start","recipientId":%q}`, a.ID)
	require.Equal(t, "forbidden", reviewed.want("error")["kind"])
	w.hide(b, false)
	status := watcher.want("user_status_changed")
	require.Equal(t, []any{b.ID.String(), false, nil}, []any{status["userId"], status["isOnline"], status["lastSeen"]}, "the event of the visibility change says offline")
	reviewed.conn.Close()
	w.waitForPresence(b, 0)
	watcher.send(`{"type":"ping"}`)
	watcher.wantBefore("pong", "user_status_changed")

	// A suspended member may have been announced as online before, and is announced as
	// offline.
	w.Exec(`UPDATE users SET profile_status = 'active' WHERE id = $1`, b.ID)
	suspended := n.connect(t, b)
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, b.ID)
	suspended.conn.Close()
	require.Equal(t, []any{b.ID.String(), false}, watcher.status())
}
