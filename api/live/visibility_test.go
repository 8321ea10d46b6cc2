package live_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus"
	"heartward/api/platform/files"
	"heartward/api/platform/web"
)

func (w *env) hide(actor web.Actor, hidden bool) {
	w.Helper()
	w.Exec(`UPDATE users SET hide_online = $2 WHERE id = $1`, actor.ID, hidden)
	live.PublishVisibilityChange(context.Background(), w.Pool, w.bus, actor.ID)
}

// A member who hides presence appears offline to others at once, and the others appear
// offline to the member. Connecting and disconnecting is not published.
func TestHideOnline_TakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	watcher := n.connect(t, a)
	w.waitForRow(a)
	hider := n.connect(t, b)
	watcher.want("user_status_changed")

	w.hide(b, true)
	status := watcher.want("user_status_changed")
	require.Equal(t, []any{b.ID.String(), false, nil}, []any{status["userId"], status["isOnline"], status["lastSeen"]})
	require.Equal(t, []any{}, hider.want("online_users")["users"], "a hidden member does not see others online")
	watcher.want("sync")
	hider.want("sync") // for the time of last activity in the conversations of both
	for _, c := range []*client{watcher, hider} {
		c.send(`{"type":"get_online_users"}`)
		require.Equal(t, []any{}, c.want("online_users")["users"])
	}
	hider.conn.Close()
	w.waitForPresence(b, 0)
	hider = n.connect(t, b)
	w.waitForRow(b)
	watcher.send(`{"type":"ping"}`)
	watcher.wantBefore("pong", "user_status_changed")

	w.hide(b, false)
	status = watcher.want("user_status_changed")
	require.Equal(t, []any{b.ID.String(), true}, []any{status["userId"], status["isOnline"]})
	require.Equal(t, []any{a.ID.String()}, hider.want("online_users")["users"])
}

// With a pending request neither side receives presence of the other.
func TestMessageRequest_RevealsNoPresence(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	w.Exec(`UPDATE conversations SET requested_by = $1`, a.ID)
	requester := n.connect(t, a)
	w.waitForRow(a)
	recipient := n.connect(t, b)
	w.waitForRow(b)
	for _, c := range []struct {
		socket *client
		other  uuid.UUID
	}{{requester, b.ID}, {recipient, a.ID}} {
		c.socket.send(`{"type":"get_online_users"}`)
		require.Equal(t, []any{}, c.socket.wantBefore("online_users", "user_status_changed")["users"])
		c.socket.send(`{"type":"typing_start","recipientId":%q}`, c.other)
		require.Equal(t, "not_found", c.socket.wantBefore("error", "user_typing")["kind"])
	}
	w.hide(b, false)
	requester.send(`{"type":"ping"}`)
	requester.wantBefore("pong", "user_status_changed")
	recipient.conn.Close()
	requester.send(`{"type":"ping"}`)
	requester.wantBefore("pong", "user_status_changed")
}

func TestPublish_ReachesOnlyTheDevicesOfTheMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	phone, laptop, other := n.connect(t, a), n.connect(t, a), n.connect(t, b)
	for frame, publish := range map[string]func(bus.Publisher, uuid.UUID){
		"town_changed": live.PublishTownChange, "review_decided": live.PublishReviewDecision, "graduation_changed": live.PublishGraduation, "pulse_changed": live.PublishPulse,
		"badges_changed": live.PublishBadges, "moments_changed": live.PublishMoments, "mail_problem_changed": live.PublishMailProblem,
	} {
		publish(w.bus, a.ID)
		phone.want(frame)
		laptop.want(frame)
		other.send(`{"type":"ping"}`)
		other.wantBefore("pong", frame)
	}
}

// The wall is the same for all members; many changes at once are few frames.
func TestPublishWall_ReachesAllDevices(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	devices := []*client{n.connect(t, a), n.connect(t, a), n.connect(t, b)}
	for range 3 {
		for range 100 {
			live.PublishWall(w.bus)
		}
		for _, device := range devices {
			device.want("wall_changed")
		}
	}
}

// The call that stored the setting may have published nothing, because its connection was lost at COMMIT.
func TestHideOnline_RepeatedCallPublishesAgain(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, _ := w.pair()
	published := 0
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	service := members.New(w.Pool, blobs.New(w.Pool, store))
	service.WatchHiding(func(context.Context, uuid.UUID) { published++ })
	yes := true
	set := members.Field[bool]{Sent: true, Value: &yes}
	for i, changes := range []members.Changes{{HideOnline: set}, {HideOnline: set}, {HideReadReceipts: set}, {HideReadReceipts: set}} {
		_, err := service.Change(context.Background(), a.ID, changes)
		require.NoError(t, err)
		require.Equal(t, i+1, published)
	}
	_, err = service.Change(context.Background(), a.ID, members.Changes{HideBadges: set})
	require.NoError(t, err)
	require.Equal(t, 4, published, "another setting")
	for range 30 {
		_, err = service.Change(context.Background(), a.ID, members.Changes{HideOnline: set})
		require.NoError(t, err)
	}
	require.Less(t, published, 4+20, "other members are not flooded with events")
	published = 0
	_, err = service.Change(context.Background(), a.ID, members.Changes{HideOnline: members.Field[bool]{Sent: true}})
	require.NoError(t, err)
	require.Equal(t, 1, published, "a change is published beyond the limit of repetitions")
}

// Disconnecting sets the last activity that others see.
func TestDisconnect_UpdatesLastActivity(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, _ := w.pair()
	w.Exec(`INSERT INTO member_activity (user_id, last_active_at) SELECT id, now() - interval '1 hour' FROM users`)
	disconnecting := n.connect(t, a)
	w.waitForRow(a)
	disconnecting.conn.Close()
	require.Eventually(t, func() bool {
		var recent bool
		err := w.Pool.QueryRow(context.Background(), `SELECT last_active_at > now() - interval '1 minute' FROM member_activity WHERE user_id = $1`, a.ID).Scan(&recent)
		return err == nil && recent
	}, waitTimeout, time.Millisecond)
}
