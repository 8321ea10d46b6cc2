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

// The window of 35 s is defined twice, in Go and in the view.
func TestOnlineMembers_HasTheWindowOfTheHub(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for age, online := range map[time.Duration]bool{live.OnlineWindow - 5*time.Second: true, live.OnlineWindow: false} {
		var got bool
		w.exec(`INSERT INTO presence (user_id, node, seen_at) VALUES ($1, $1, now() - $2::interval)`, uuid.New(), age)
		require.NoError(t, w.pool.QueryRow(context.Background(), `SELECT EXISTS (SELECT FROM online_members)`).Scan(&got))
		require.Equal(t, online, got, age)
		w.exec(`DELETE FROM presence`)
	}
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.pool.Exec(context.Background(), sql, args...)
	require.NoError(w.t, err)
}

// A node that stops for a deploy announces no member as offline, and the next node
// does not announce them as online again. Members who do not reconnect are announced
// as offline when their window has passed.
func TestShutdown_AnnouncesOnlyMembersWhoStayAway(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	timing := fastTiming
	timing.OfflineAfter = 8 * time.Second // for the member who moves, on a busy machine
	w.setOnlineWindow(timing.OfflineAfter)
	nats := startCluster(t)
	hurry := func(d *live.Deps) { d.Timing = timing }
	stopping, staying := w.nodeOn(nats.one, hurry), w.nodeOn(nats.two, hurry)
	waitUntilJoined(t, stopping, staying)
	a, moves := w.pair()
	leaves := w.friend(a)
	watcher := staying.connect(t, a)
	w.here(a)
	for _, member := range []web.Actor{moves, leaves} {
		answers(stopping.connect(t, member))
		require.Equal(t, []any{member.ID.String(), true}, watcher.status())
	}

	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	require.NoError(t, stopping.hub.Shutdown(ctx))
	answers(staying.connect(t, moves))
	require.Equal(t, []any{leaves.ID.String(), false}, watcher.status(), "the first that is announced since")
	require.Equal(t, []any{moves.ID.String()}, watcher.online())
	w.present(leaves, 0)
	w.present(moves, 1)
	watcher.send(`{"type":"ping"}`)
	watcher.wantBefore("pong", "user_status_changed")
}

// Live events round the last activity to five minutes, like REST.
func TestLastSeen_IsBinned(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	watcher := n.connect(t, a)
	w.here(a)
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

// A member under review appears online to no one, in no event or response.
func TestPresence_OfMembersUnderReviewIsNotPublished(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	w.exec(`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, b.ID)
	watcher := n.connect(t, a)
	w.here(a)
	reviewed := n.connect(t, b)
	w.here(b)
	require.Equal(t, []any{}, watcher.online())
	reviewed.send(`{"type":"typing_start","recipientId":%q}`, a.ID)
	require.Equal(t, "forbidden", reviewed.want("error")["kind"])
	w.hide(b, false)
	status := watcher.want("user_status_changed")
	require.Equal(t, []any{b.ID.String(), false, nil}, []any{status["userId"], status["isOnline"], status["lastSeen"]}, "the news of hiding says offline")
	reviewed.conn.Close()
	w.present(b, 0)
	watcher.send(`{"type":"ping"}`)
	watcher.wantBefore("pong", "user_status_changed")

	// A suspended member may have been announced as online, so goes offline.
	w.exec(`UPDATE users SET profile_status = 'active' WHERE id = $1`, b.ID)
	suspended := n.connect(t, b)
	require.Equal(t, []any{b.ID.String(), true}, watcher.status())
	w.exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, b.ID)
	suspended.conn.Close()
	require.Equal(t, []any{b.ID.String(), false}, watcher.status())
}
