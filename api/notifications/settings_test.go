package notifications_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/notifications"
	"heartward/api/platform/web"
)

// asB returns an API client whose requests are b's.
func (w *env) asB() humatest.TestAPI {
	web.Prepare()
	_, api := humatest.New(w)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), w.b)))
	})
	notifications.Register(web.ForFeature(api, "notifications"), w.s)
	return api
}

func TestSettings_SaveAndValidate(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	api := w.asB()
	const path = "/api/notifications/settings"
	const defaults = `{"messages": true, "matches": true, "likes": true, "community": true, "graduation": true, "badges": true, "digest": true, "pulse": false, "pulseTime": "20:00",
		"sound": true, "vibration": true, "quietFrom": null, "quietTo": null, "timeZone": "UTC", "autoplayVoice": true, "autoplayVideo": false,
		"downloadForOffline": true, "highQualityMedia": true, "voiceMessageNotifications": true, "videoMessageNotifications": true, "privateMail": false, "discreetMail": false}`
	require.JSONEq(t, defaults, api.Get(path).Body.String(), "defaults of a member without settings")

	change := func(fields map[string]any) map[string]any {
		var all map[string]any
		require.NoError(t, json.Unmarshal([]byte(defaults), &all))
		for name, value := range fields {
			all[name] = value
		}
		return all
	}
	saved := change(map[string]any{"likes": false, "quietFrom": "22:30", "quietTo": "06:15", "timeZone": "Europe/Vienna", "autoplayVideo": true, "privateMail": true, "discreetMail": true})
	for range 2 {
		require.Equal(t, 200, api.Put(path, saved).Code)
		var stored map[string]any
		require.NoError(t, json.Unmarshal(api.Get(path).Body.Bytes(), &stored))
		require.Equal(t, saved, stored)
	}
	for field, bad := range map[string]map[string]any{
		"timeZone":  {"timeZone": "Mars/Olympus"},
		"quietFrom": {"quietTo": "07:00"},
		"quietTo":   {"quietFrom": "22:00"},
	} {
		resp := api.Put(path, change(bad))
		require.Equal(t, 422, resp.Code)
		require.Contains(t, resp.Body.String(), field)
	}
	for _, bad := range []map[string]any{
		{"timeZone": ""}, {"timeZone": "Local"}, {"timeZone": "../../etc/passwd"}, {"timeZone": "UTC\x00"},
		{"quietFrom": "07:00", "quietTo": "07:00"}, {"quietFrom": "24:00", "quietTo": "07:00"}, {"quietFrom": "7:00", "quietTo": "09:00"},
		{"quietFrom": "late", "quietTo": "07:00"}, {"messages": nil}, {"messages": "yes"}, {"more": true},
	} {
		require.Equal(t, 422, api.Put(path, change(bad)).Code, "%v", bad)
	}
	require.Equal(t, 422, api.Put(path, map[string]any{"messages": true}).Code, "all fields are required")
	var stored map[string]any
	require.NoError(t, json.Unmarshal(api.Get(path).Body.Bytes(), &stored))
	require.Equal(t, saved, stored, "refused settings are not stored")
	others, err := w.s.Settings(context.Background(), w.a)
	require.NoError(t, err)
	require.Equal(t, notifications.Defaults(), others, "settings of another member are unchanged")
}

func TestSetDevice_CategoriesPerDevice(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	api := w.asB()
	w.device(1)
	endpoint := subscription(t, 1).Endpoint
	choose := func(endpoint string, categories any) int {
		return api.Put("/api/push/subscriptions", map[string]any{"endpoint": endpoint, "categories": categories}).Code
	}
	chosenCategories := func() int { return w.Count(`SELECT coalesce(cardinality(categories), -1) FROM push_subscriptions`) }
	require.Equal(t, -1, chosenCategories(), "null means all categories")
	require.Equal(t, 204, choose(endpoint, []string{"matches", "likes"}))
	require.Equal(t, 2, chosenCategories())
	require.Equal(t, 422, choose(endpoint, []string{"weather"}))
	require.Equal(t, 404, choose(endpoint+"0", nil))
	w.device(1)
	require.Equal(t, 2, chosenCategories(), "subscribing again does not change the categories")
	require.Equal(t, 204, choose(endpoint, []string{}))
	require.Zero(t, chosenCategories())
	require.Equal(t, 204, choose(endpoint, nil))
	require.Equal(t, -1, chosenCategories())
	w.Exec(`UPDATE push_subscriptions SET user_id = $1`, w.a.ID)
	require.Equal(t, 404, choose(endpoint, nil), "device of another member")
}

// The browser may replace a device's endpoint at any time, with the app closed.
func TestSubscribe_RenewedEndpointKeepsCategories(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	chosenCategories := func(n int) int {
		return w.Count(`SELECT coalesce(cardinality(categories), -1) FROM push_subscriptions WHERE endpoint = $1`, subscription(t, n).Endpoint)
	}
	w.device(1)
	require.NoError(t, w.s.SetDevice(ctx, w.b, subscription(t, 1).Endpoint, notifications.DeviceSettings{Categories: []string{"matches", "likes"}}))
	w.device(2)
	require.Equal(t, 2, chosenCategories(2), "a new endpoint of the session has the same categories")
	require.NoError(t, w.s.SetDevice(ctx, w.b, subscription(t, 2).Endpoint, notifications.DeviceSettings{Categories: []string{}}))
	w.device(3)
	require.Zero(t, chosenCategories(3), "the categories are those chosen last")

	other := web.Actor{ID: w.b.ID, SessionID: uuid.Must(uuid.NewV7())}
	w.Exec(`INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1, sha256('another device'), $2, now() + interval '1 day')`,
		other.SessionID, other.ID)
	_, err := w.s.Subscribe(ctx, other, subscription(t, 4), nil)
	require.NoError(t, err)
	require.Equal(t, -1, chosenCategories(4), "a device of another session has no chosen categories")
	_, err = w.s.Subscribe(ctx, w.a, subscription(t, 3), nil)
	require.NoError(t, err)
	require.Equal(t, -1, chosenCategories(3), "a device that belongs to another member now has no chosen categories")
}
