package notifications_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/notifications"
	"heartward/api/platform/testkit"
	"heartward/push"
)

func TestNotifyMessages_EnqueuesPushPerDevice(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	w.device(2)
	w.message("first", 6*time.Second)
	w.message("second", 5*time.Second)
	require.Zero(t, w.notify(time.Now()))
	require.Equal(t, 2, w.pushes())
	require.Zero(t, w.notify(time.Now()))
	require.Equal(t, 2, w.pushes(), "a repeated decision enqueues nothing")
	w.message("third", 5*time.Second)
	require.Zero(t, w.notify(time.Now()))
	require.Equal(t, 4, w.pushes())
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM river_job WHERE queue = 'push' AND args->'event'->>'seq' = '3'`))
}

func TestNotifyMessages_SkipsRecipients(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		pushes int
	}{
		"has read it":                 {`UPDATE conversations SET b_read_seq = 1, b_delivered_seq = 1`, 0},
		"conversation closed":         {`UPDATE conversations SET closed_at = now()`, 0},
		"connected and delivered":     {`WITH p AS (INSERT INTO presence (user_id, node) SELECT user_b, id FROM conversations) UPDATE conversations SET b_delivered_seq = 1`, 0},
		"disconnected after delivery": {`WITH p AS (INSERT INTO presence (user_id, node, seen_at) SELECT user_b, id, now() - interval '36 s' FROM conversations) UPDATE conversations SET b_delivered_seq = 1`, 1},
		"connected but not delivered": {`INSERT INTO presence (user_id, node) SELECT user_b, id FROM conversations`, 1},
		"signed out":                  {`DELETE FROM sessions`, 0},
		"unread":                      {`SELECT`, 1},
	} {
		w := newEnv(t)
		w.device(1)
		w.message("hello", 5*time.Second)
		w.Exec(c.change)
		require.Zero(t, w.notify(time.Now()))
		require.Equal(t, c.pushes, w.pushes(), name)
	}
}

func TestNotifyMessages_DelayOfBurstIsLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	w.message("typing on", -time.Hour) // in the future, so that the burst does not end on a busy machine
	wait := w.notify(time.Now().Add(-10 * time.Second))
	require.InDelta(t, time.Hour+4*time.Second, wait, float64(time.Minute))
	require.Zero(t, w.pushes())
	require.Zero(t, w.notify(time.Now().Add(-16*time.Second)))
	require.Equal(t, 1, w.pushes())
}

// job returns the enqueued push to the only device.
func (w *env) job() (args notifications.PushArgs) {
	w.Helper()
	raw := testkit.Select[[]byte](w, w.Pool, `SELECT args FROM river_job WHERE kind = 'push'`)
	require.NoError(w, json.Unmarshal(raw, &args))
	return args
}

func TestDeliver_PushesMessagesWhileTheyAreUnread(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	w.message(strings.Repeat("word\n", 20), 5*time.Second)
	w.notify(time.Now())
	args := w.job()
	result, err := w.s.Deliver(context.Background(), args)
	require.NoError(t, err)
	require.Equal(t, push.Sent, result.Outcome)
	require.Len(t, w.phone.sent, 1)
	sent := w.phone.sent[0]
	require.Equal(t, push.High, sent.Urgency)
	require.LessOrEqual(t, len(sent.Topic), 32)
	require.NotContains(t, sent.Topic, w.conversation.String()[:8])
	var payload map[string]any
	require.NoError(t, json.Unmarshal(sent.Payload, &payload))
	require.EqualValues(t, 8030, payload["web_push"])
	require.Equal(t, w.b.ID.String(), payload["member"])
	require.Equal(t, map[string]any{
		"title": "Ada", "body": strings.TrimSpace(strings.Repeat("word ", 10)) + "…", "app_badge": 1.0,
		"navigate": "https://heartward.test/messages/" + w.a.ID.String(), "tag": "conversation-" + w.conversation.String(),
	}, payload["notification"])

	w.Exec(`UPDATE conversations SET b_read_seq = 1, b_delivered_seq = 1`)
	_, err = w.s.Deliver(context.Background(), args)
	require.NoError(t, err)
	require.Len(t, w.phone.sent, 1, "messages read in the meantime are not pushed")
}

// A device closes the notification of a message that was read on another device, at the next push of any kind.
func TestDeliver_NamesWhatWasReadElsewhere(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	w.message("read elsewhere", 5*time.Second)
	w.notify(time.Now())
	var payload struct {
		Read []map[string]any `json:"read"`
	}
	sent := w.deliver(w.removePushes()[0])
	require.NotNil(t, sent)
	require.NoError(t, json.Unmarshal(sent.Payload, &payload))
	require.Empty(t, payload.Read, "it is unread")

	first := w.conversation
	w.Exec(`UPDATE conversations SET a_read_seq = 1, a_delivered_seq = 1, b_read_seq = 1, b_delivered_seq = 1 WHERE id = $1`, first)
	c, id := w.member("Cy"), uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO conversations (id, user_a, user_b, last_seq) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3), 1)`, id, c.ID, w.b.ID)
	w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
		VALUES ($1, $2, 1, $3, $1, 'hi', clock_timestamp() - interval '5 seconds')`, uuid.Must(uuid.NewV7()), id, c.ID)
	w.conversation = id
	w.notify(time.Now())
	sent = w.deliver(w.removePushes()[0])
	require.NotNil(t, sent)
	require.NoError(t, json.Unmarshal(sent.Payload, &payload))
	require.Equal(t, []map[string]any{{"id": first.String(), "seq": 1.0}}, payload.Read)
}

func TestDeliver_SendsTheShortBodyAfterTooLarge(t *testing.T) {
	t.Parallel()
	for outcome, devices := range map[push.Outcome]int{
		push.Gone: 0, push.Invalid: 0, push.Later: 1, push.KeyRejected: 1, push.Refused: 1, push.Sent: 1,
	} {
		w := newEnv(t)
		w.device(1)
		w.message("hello", 5*time.Second)
		w.notify(time.Now())
		w.phone.results = []push.Result{{Outcome: push.TooLarge}, {Outcome: outcome}}
		result, err := w.s.Deliver(context.Background(), w.job())
		require.NoError(t, err)
		require.Equal(t, outcome, result.Outcome)
		require.Equal(t, devices, w.Count(`SELECT count(*) FROM push_subscriptions`), outcome)
		require.Contains(t, string(w.phone.sent[1].Payload), "Sent you a message", "the retry has the short body")
	}
}

func TestDeliver_SkipsDeviceOfAnotherMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	w.message("private", 5*time.Second)
	w.notify(time.Now())
	args := w.job()
	w.Exec(`UPDATE push_subscriptions SET user_id = $1`, w.a.ID)
	_, err := w.s.Deliver(context.Background(), args)
	require.NoError(t, err)
	args.DeviceID = uuid.New()
	_, err = w.s.Deliver(context.Background(), args)
	require.NoError(t, err)
	require.Empty(t, w.phone.sent)
}
