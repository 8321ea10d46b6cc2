package notifications_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/notifications"
	"heartward/api/platform/testkit"
)

// enqueueEach enqueues pushes for b of a message, a match and a date, and of a notification of each category but pulses. Each
// has the name of Ada, and a text or a place if it can have one.
func (w *env) enqueueEach() []notifications.PushArgs {
	w.Helper()
	w.message("Meet me at the harbour", time.Minute)
	w.notify(time.Now())
	w.notifyMatch(w.match())
	date := uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, revision, proposed_by, changed_by, accepted_at, message_seq)
		VALUES ($1, $2, $3, $1, 'Café Luna', now() + interval '3 hours', 'UTC', 'accepted', 2, $3, $4, now(), 2)`, date, w.conversation, w.a.ID, w.b.ID)
	all := append(w.removePushes(), w.remind(date, 2)...)
	for _, category := range []notifications.Category{
		notifications.Messages, notifications.Matches, notifications.Likes, notifications.Community,
		notifications.Graduation, notifications.Badges, notifications.Digest,
	} {
		require.NoError(w, pgx.BeginFunc(context.Background(), w.Pool, func(tx pgx.Tx) error {
			return w.s.Push(context.Background(), tx, w.jobs, w.b.ID, notifications.Notification{
				Category: category, Title: "Ada and you", Body: "Ada wrote: harbour", Path: "/", Tag: string(category),
			})
		}))
	}
	return append(all, w.removePushes()...)
}

func TestDeliver_DeviceThatHidesContentShowsNone(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	pushes := w.enqueueEach()
	require.Len(t, pushes, 3+7)
	private := []string{"Ada", "harbour", "Café", "Luna"}
	count := func(payload string) (found int) {
		for _, word := range private {
			found += strings.Count(payload, word)
		}
		return found
	}
	for _, args := range pushes {
		require.Positive(t, count(string(w.deliver(args).Payload)), "%s of a device that shows content", args.Type)
	}
	no := false
	require.NoError(t, w.s.SetDevice(t.Context(), w.b, subscription(t, 1).Endpoint, notifications.DeviceSettings{ShowsContent: &no}))
	for _, args := range pushes {
		sent := w.deliver(args)
		require.Zero(t, count(string(sent.Payload)), "%s: %s", args.Type, sent.Payload)
		shown := w.shownBy(*sent)
		require.NotEmpty(t, shown.Title, args.Type)
		require.Equal(t, "Open Heartward to see it.", shown.Body)
	}
}

// The setting is the device's own, and a renewed endpoint keeps it.
func TestSetDevice_ShowsContentStaysUntilChanged(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	api := w.asB()
	w.device(1)
	shows := func(n int) int {
		return w.Count(`SELECT shows_content::int FROM push_subscriptions WHERE endpoint = $1`, subscription(t, n).Endpoint)
	}
	set := func(n int, body map[string]any) int {
		body["endpoint"], body["categories"] = subscription(t, n).Endpoint, nil
		return api.Put("/api/push/subscriptions", body).Code
	}
	require.Equal(t, 1, shows(1))
	require.Equal(t, 204, set(1, map[string]any{"showsContent": false}))
	require.Zero(t, shows(1))
	require.Equal(t, 204, set(1, map[string]any{}))
	require.Zero(t, shows(1), "an older app that does not know the setting")
	w.device(1)
	require.Zero(t, shows(1))
	w.device(2)
	require.Zero(t, shows(2), "the browser has renewed the endpoint")
	require.Equal(t, 422, set(2, map[string]any{"showsContent": "maybe"}))
	require.Equal(t, 204, set(2, map[string]any{"showsContent": true}))
	require.Equal(t, 1, shows(2))
	_, err := w.s.Subscribe(t.Context(), w.a, subscription(t, 1), nil)
	require.NoError(t, err)
	require.Equal(t, 1, shows(1), "another member's device")
}

// A push has the words for a picture and nothing else of it: no file, no address, no placeholder. Its receiver may not have
// chosen to see it yet.
func TestDeliver_PushHasNothingOfThePicture(t *testing.T) {
	t.Parallel()
	for kind, body := range map[string]string{"image": "Photo", "video": "Video message"} {
		w := newEnv(t)
		w.device(1)
		w.message("x", 6*time.Second)
		w.setMessageType(kind, 1, 0)
		require.Zero(t, w.notify(time.Now()))
		w.deliverAll()
		require.Len(t, w.phone.sent, 1)
		var payload map[string]any
		require.NoError(t, json.Unmarshal(w.phone.sent[0].Payload, &payload))
		require.Equal(t, map[string]any{
			"title": "Ada", "body": body, "app_badge": 1.0,
			"navigate": "https://heartward.test/messages/" + w.a.ID.String(), "tag": "conversation-" + w.conversation.String(),
		}, payload["notification"], kind)
		file := testkit.Select[uuid.UUID](t, w.Pool, `SELECT file_id FROM message_files`)
		require.NotContains(t, string(w.phone.sent[0].Payload), file.String(), kind)
	}
}
