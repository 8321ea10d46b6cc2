package notifications_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSubscribe_BelongsToSession(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	device := subscription(t, 1)
	stored, err := w.s.Subscribe(ctx, w.b, device, nil)
	require.NoError(t, err)
	require.True(t, stored.Created)
	stored, err = w.s.Subscribe(ctx, w.b, device, nil)
	require.NoError(t, err)
	require.False(t, stored.Created)
	_, err = w.s.Subscribe(ctx, w.a, device, nil)
	require.NoError(t, err)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM push_subscriptions WHERE user_id = $1`, w.a.ID), "the device belongs to a now")
	require.NoError(t, w.s.Unsubscribe(ctx, w.b, device.Endpoint))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM push_subscriptions`), "b cannot delete a device of a")
	w.Exec(`DELETE FROM sessions WHERE id = $1`, w.a.SessionID)
	require.Zero(t, w.Count(`SELECT count(*) FROM push_subscriptions`))
}

// On a device on which another member has signed in, pushes have no contents until the member
// chooses them; elsewhere they have contents until the member turns them off.
func TestSubscribe_HidesContentOnSharedDevice(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	subscribe := func(n int, choice *bool) bool {
		stored, err := w.s.Subscribe(t.Context(), w.b, subscription(t, n), choice)
		require.NoError(t, err)
		require.Equal(t, stored.ShowsContent, w.Count(`SELECT shows_content::int FROM push_subscriptions WHERE endpoint = $1`, subscription(t, n).Endpoint) == 1)
		return stored.ShowsContent
	}
	require.True(t, subscribe(1, nil))
	require.False(t, subscribe(1, new(false)))
	require.False(t, subscribe(1, nil), "the choice stays")
	require.False(t, subscribe(2, nil), "also with a renewed endpoint")

	w.Exec(`DELETE FROM push_subscriptions`)
	w.Exec(`UPDATE sessions SET is_shared = true WHERE id = $1`, w.b.SessionID)
	require.False(t, subscribe(1, nil))
	require.True(t, subscribe(1, new(true)))
	require.True(t, subscribe(1, nil), "the choice stays")

	_, err := w.s.Subscribe(t.Context(), w.a, subscription(t, 3), nil)
	require.NoError(t, err)
	w.Exec(`DELETE FROM push_subscriptions WHERE user_id = $1`, w.b.ID)
	require.False(t, subscribe(3, nil), "the device of another member, who showed contents")
}

func TestSubscribe_KeepsSixteenNewestDevices(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() { w.device(i) })
	}
	all.Wait()
	require.Equal(t, 16, w.Count(`SELECT count(*) FROM push_subscriptions`))
	w.device(99)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM push_subscriptions WHERE endpoint LIKE '%/99'`), "the newest device is not deleted")
}

func TestSubscribe_ValidatesInput(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	api := w.asB()
	body := func(endpoint, p256dh, auth string) map[string]any {
		return map[string]any{"endpoint": endpoint, "keys": map[string]any{"p256dh": p256dh, "auth": auth}}
	}
	good := subscription(t, 1)
	require.Contains(t, api.Get("/api/push/key").Body.String(), `"publicKey":"key"`)
	require.Equal(t, 201, api.Post("/api/push/subscriptions", body(good.Endpoint, good.P256dh, good.Auth)).Code)
	require.Equal(t, 200, api.Post("/api/push/subscriptions", body(good.Endpoint, good.P256dh, good.Auth)).Code)
	for _, bad := range []map[string]any{
		body("https://evil.test/x", good.P256dh, good.Auth), body("http://fcm.googleapis.com/x", good.P256dh, good.Auth),
		body("https://127.0.0.1/x", good.P256dh, good.Auth), body(good.Endpoint, "x", good.Auth), body(good.Endpoint, good.P256dh, "x"),
		body(good.Endpoint+"\x00", good.P256dh, good.Auth), {"endpoint": 1}, {},
	} {
		resp := api.Post("/api/push/subscriptions", bad)
		require.Equal(t, 422, resp.Code, "%v: %s", bad, resp.Body)
	}
	require.Equal(t, 422, api.Do("DELETE", "/api/push/subscriptions", map[string]any{"endpoint": "\x00"}).Code)
	require.Equal(t, 204, api.Do("DELETE", "/api/push/subscriptions", map[string]any{"endpoint": good.Endpoint}).Code)
	require.Zero(t, w.Count(`SELECT count(*) FROM push_subscriptions`))
}
