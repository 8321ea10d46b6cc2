package notifications_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/notifications"
	"heartward/api/platform/testkit"
	"heartward/push"
)

// match returns the id of the match of a and b.
func (w *env) match() uuid.UUID {
	w.Helper()
	return testkit.Select[uuid.UUID](w, w.Pool, `SELECT id FROM matches`)
}

// notifyMatch runs the decision for b once, and returns the number of enqueued
// pushes.
func (w *env) notifyMatch(match uuid.UUID) int {
	w.Helper()
	args := matching.NotifyMatchArgs{MatchID: match, MemberID: w.b.ID}
	require.NoError(w, pgx.BeginFunc(context.Background(), w.Pool, func(tx pgx.Tx) error {
		return w.s.NotifyMatch(context.Background(), tx, w.jobs, args)
	}))
	return w.Count(`SELECT count(*) FROM river_job WHERE kind = 'push' AND args->>'type' = 'match'`)
}

func TestNotifyMatch_EnqueuesPushPerDevice(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	match := w.match()
	require.Zero(t, w.notifyMatch(match), "no device")
	w.device(1)
	w.device(2)
	require.Equal(t, 2, w.notifyMatch(match))
	require.Equal(t, 2, w.notifyMatch(match), "a repeated decision enqueues nothing")
}

func TestNotifyMatch_SkipsRecipients(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"connected":              `INSERT INTO presence (user_id, node) VALUES ($1, gen_random_uuid())`,
		"match was seen":         `UPDATE matches SET seen_by_b = true WHERE user_b = $1`,
		"match has ended":        `UPDATE matches SET unmatched_at = now() WHERE user_b = $1`,
		"other member suspended": `UPDATE users SET profile_status = 'suspended' WHERE id <> $1`,
	} {
		w := newEnv(t)
		match := w.match()
		w.device(1)
		w.Exec(change, w.b.ID)
		require.Zero(t, w.notifyMatch(match), name)
	}
	w := newEnv(t)
	match := w.match()
	w.device(1)
	w.Exec(`INSERT INTO presence (user_id, node, seen_at) VALUES ($1, gen_random_uuid(), now() - interval '1 minute')`, w.b.ID)
	w.Exec(`INSERT INTO presence (user_id, node) VALUES ($1, gen_random_uuid())`, w.a.ID)
	w.Exec(`UPDATE matches SET seen_by_a = true`)
	require.Equal(t, 1, w.notifyMatch(match), "presence of a dead node and of the other member is ignored")
}

func TestDeliver_PushesAMatchWhileItIsUnseen(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	match := w.match()
	w.device(1)
	w.message("hello", 0)
	w.Exec(`UPDATE users SET first_name = 'Maya' WHERE id = $1`, w.a.ID)
	args := w.matchPush(match)
	result, err := w.s.Deliver(context.Background(), args)
	require.NoError(t, err)
	require.Equal(t, push.Sent, result.Outcome)
	require.Len(t, w.phone.sent, 1)
	sent := w.phone.sent[0]
	require.Equal(t, push.High, sent.Urgency)
	require.NotContains(t, sent.Topic, match.String()[:8])
	var payload map[string]any
	require.NoError(t, json.Unmarshal(sent.Payload, &payload))
	require.EqualValues(t, 8030, payload["web_push"])
	require.Equal(t, w.b.ID.String(), payload["member"])
	require.Equal(t, map[string]any{
		"title": "It's a Match!", "body": "You and Maya like each other", "app_badge": 1.0,
		"navigate": "https://heartward.test/matches?celebrate=" + match.String(), "tag": "match-" + match.String(),
	}, payload["notification"])

	w.Exec(`UPDATE push_subscriptions SET user_id = $1`, w.a.ID)
	w.requireNotDelivered(args, "the device belongs to another member now")
	w.Exec(`UPDATE push_subscriptions SET user_id = $1`, w.b.ID)
	w.Exec(`UPDATE matches SET created_at = now() - interval '4 days'`)
	w.requireNotDelivered(args, "the notification has expired")
	w.Exec(`UPDATE matches SET created_at = now(), seen_by_b = true`)
	w.requireNotDelivered(args, "the match was seen in the meantime")
	w.Exec(`UPDATE matches SET seen_by_b = false, unmatched_at = now()`)
	w.requireNotDelivered(args, "the match ended in the meantime")
}

// matchPush runs the decision and returns the enqueued push.
func (w *env) matchPush(match uuid.UUID) (args notifications.PushArgs) {
	w.Helper()
	require.Equal(w, 1, w.notifyMatch(match))
	raw := testkit.Select[[]byte](w, w.Pool, `SELECT args FROM river_job WHERE kind = 'push' AND args->>'type' = 'match'`)
	require.NoError(w, json.Unmarshal(raw, &args))
	return args
}

func (w *env) requireNotDelivered(args notifications.PushArgs, why string) {
	w.Helper()
	before := len(w.phone.sent)
	result, err := w.s.Deliver(context.Background(), args)
	require.NoError(w, err)
	require.Equal(w, push.Sent, result.Outcome, "%s: no retry")
	require.Len(w, w.phone.sent, before, why)
}

// A push device whose admin left it is not used, before a job deletes the session.
func TestNotifyMatch_IgnoresEndedSessionOfAdmin(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	match := w.match()
	w.device(1)
	args := w.matchPush(match)
	w.Exec(`DELETE FROM river_job`)
	w.Exec(`UPDATE sessions SET created_at = now() - interval '16 minutes' WHERE user_id = $1`, w.b.ID)
	require.Equal(t, 1, w.notifyMatch(match), "a member's session lasts longer")
	w.Exec(`DELETE FROM river_job`)
	w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, w.b.ID)
	require.Zero(t, w.notifyMatch(match))
	w.requireNotDelivered(args, "a push that was enqueued before")
	w.Exec(`INSERT INTO session_activity (session_id, last_seen_at) VALUES ($1, now() - interval '1 minute')`, w.b.SessionID)
	require.Equal(t, 1, w.notifyMatch(match), "the session is in use")
	w.Exec(`DELETE FROM river_job`)
	w.Exec(`UPDATE sessions SET created_at = now() - interval '8 hours' WHERE user_id = $1`, w.b.ID)
	require.Zero(t, w.notifyMatch(match), "the session has its maximum age")
}

func TestDeliver_DeletesTheDeviceOfAPermanentOutcome(t *testing.T) {
	t.Parallel()
	for outcome, devices := range map[push.Outcome]int{push.Gone: 0, push.Invalid: 0, push.Later: 1, push.KeyRejected: 1} {
		w := newEnv(t)
		match := w.match()
		w.device(1)
		w.phone.results = []push.Result{{Outcome: outcome}}
		result, err := w.s.Deliver(context.Background(), w.matchPush(match))
		require.NoError(t, err)
		require.Equal(t, outcome, result.Outcome)
		require.Equal(t, devices, w.Count(`SELECT count(*) FROM push_subscriptions`), outcome)
	}
}
