package jobs_test

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/messaging/messages"
	"heartward/api/platform/bus"
	"heartward/api/platform/config"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/wiring"
	"heartward/jobs"
	"heartward/push"
)

// sentPushes is a push service that sends the pushes to the channel, and so to the test.
type sentPushes chan push.Message

func (p sentPushes) Send(_ context.Context, _ push.Subscription, m push.Message) push.Result {
	p <- m
	return push.Result{Outcome: push.Sent}
}

// newDeps returns the dependencies of the shipped workers, with an empty file store, without
// ffmpeg and with another sender of pushes.
func newDeps(t *testing.T, pool *pgxpool.Pool, sender push.Sender) jobs.Deps {
	t.Helper()
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	mailbox, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	events, err := bus.Open(bus.Options{})
	require.NoError(t, err)
	t.Cleanup(events.Close)
	parts := wiring.Deps{
		Config: config.Config{PublicURL: &url.URL{Scheme: "https", Host: "heartward.test"}, Secret: make([]byte, 32), RateLimitScale: 1},
		Pool:   pool, Bus: events, Files: store, Mail: mailbox, Jobs: pgtest.Jobs(t, pool), Push: sender,
	}
	return wiring.Workers(parts, wiring.New(parts))
}

func start(t *testing.T, pool *pgxpool.Pool, to sentPushes) *jobs.Client {
	client, err := jobs.New(pool, newDeps(t, pool, to))
	require.NoError(t, err)
	require.NoError(t, client.Start(context.Background()))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
		defer cancel()
		require.NoError(t, client.Stop(ctx))
	})
	return client.Client
}

func TestNotifyMessages_SendsOnePush(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	sent := make(sentPushes, 10)
	client := start(t, pool, sent)
	a, b, conversation := member(t, pool, "Ada"), member(t, pool, "Bea"), uuid.Must(uuid.NewV7())
	testkit.Exec(t, pool, `INSERT INTO conversations (id, user_a, user_b, last_seq) VALUES ($1, $2, $3, 1)`, conversation, a, b)
	testkit.Exec(t, pool, `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
		VALUES ($1, $1, 1, $2, $1, 'hello', now() - interval '10 s')`, conversation, a)
	device(t, pool, b)
	args := messages.NotifyArgs{ConversationID: conversation, RecipientID: b}
	for range 3 { // the unique job exists already
		require.NoError(t, pgx.BeginFunc(context.Background(), pool, func(tx pgx.Tx) error {
			_, err := client.InsertTx(context.Background(), tx, args, nil)
			return err
		}))
	}
	waiting := testkit.Select[int](t, pool, `SELECT count(*) FROM river_job
		WHERE kind = 'notify' AND scheduled_at > created_at + interval '2 s'`)
	require.Equal(t, 1, waiting)
	testkit.Exec(t, pool, `UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE kind = 'notify'`)
	m := testkit.Receive(t, sent, "the push")
	require.Contains(t, string(m.Payload), "hello")
	require.Eventually(t, func() bool {
		var unfinished int
		err := pool.QueryRow(context.Background(), `SELECT count(*) FROM river_job WHERE kind IN ('notify', 'push') AND state <> 'completed'`).Scan(&unfinished)
		return err == nil && unfinished == 0
	}, testkit.Timeout, 20*time.Millisecond)
	require.Empty(t, sent)
}

// A match is pushed once to the member who is offline, and not to the one who is
// online.
func TestNotifyMatch_SendsOnePush(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	sent := make(sentPushes, 10)
	client := start(t, pool, sent)
	ann, ben := member(t, pool, "Ann"), member(t, pool, "Ben")
	device(t, pool, ann)
	device(t, pool, ben)
	testkit.Exec(t, pool, `INSERT INTO presence (user_id, node) VALUES ($1, gen_random_uuid())`, ann)
	service := matching.New(pool, discardBus{}, client)
	_, err := service.Like(t.Context(), web.Actor{ID: ann}, matching.LikeInput{To: ben, Kind: matching.Like})
	require.NoError(t, err)
	result, err := service.Like(t.Context(), web.Actor{ID: ben}, matching.LikeInput{To: ann, Kind: matching.Like})
	require.NoError(t, err)
	testkit.Exec(t, pool, `UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE kind = 'notify_match'`)
	m := testkit.Receive(t, sent, "the push")
	require.Contains(t, string(m.Payload), "You and Ann like each other")
	require.Contains(t, string(m.Payload), "/matches?celebrate="+result.MatchID.String())
	require.Eventually(t, func() bool {
		var done, unfinished int
		err := pool.QueryRow(context.Background(), `SELECT count(*) FILTER (WHERE state = 'completed'), count(*) FILTER (WHERE state <> 'completed')
			FROM river_job WHERE kind IN ('notify_match', 'push')`).Scan(&done, &unfinished)
		return err == nil && unfinished == 0 && done == 3 // two decisions, one push
	}, testkit.Timeout, 20*time.Millisecond)
	require.Empty(t, sent)
}

type discardBus struct{}

func (discardBus) Publish(string, []byte) {}

func member(t *testing.T, pool *pgxpool.Pool, name string) uuid.UUID {
	t.Helper()
	return testkit.Member(t, pool, name).ID
}

func device(t *testing.T, pool *pgxpool.Pool, owner uuid.UUID) {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	require.NoError(t, err)
	testkit.Exec(t, pool, `INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES ($1, $1, 'https://fcm.googleapis.com/' || $2, $3, $4)`,
		owner, owner.String(), base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), base64.RawURLEncoding.EncodeToString(make([]byte, 16)))
}

func TestCleanup_DeletesOnlyExpiredRows(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	user := member(t, pool, "A")
	testkit.Exec(t, pool, `INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES
		(gen_random_uuid(), decode(repeat('01', 32), 'hex'), $1, now() + interval '1 day'),
		(gen_random_uuid(), decode(repeat('02', 32), 'hex'), $1, now() - interval '1 second')`, user)
	testkit.Exec(t, pool, `INSERT INTO session_activity (session_id, last_seen_at) SELECT id, now() FROM sessions`)
	admin := member(t, pool, "Admin")
	testkit.Exec(t, pool, `UPDATE users SET is_admin = true WHERE id = $1`, admin)
	testkit.Exec(t, pool, `INSERT INTO sessions (id, token_hash, user_id, expires_at, created_at)
		VALUES ($1, decode(repeat('06', 32), 'hex'), $1, now() + interval '1 day', now() - interval '15 minutes')`, admin)
	device(t, pool, admin)
	testkit.Exec(t, pool, `UPDATE push_subscriptions SET session_id = $1`, admin)
	testkit.Exec(t, pool, `INSERT INTO passkey_challenges (id, purpose, browser_hash, data, expires_at) VALUES
		(gen_random_uuid(), 'sign_in', decode(repeat('01', 32), 'hex'), '{}', now() + interval '1 minute'),
		(gen_random_uuid(), 'sign_in', decode(repeat('01', 32), 'hex'), '{}', now())`)
	testkit.Exec(t, pool, `INSERT INTO factor_setup_codes (user_id, code_hash, expires_at) VALUES ($1, decode(repeat('01', 32), 'hex'), now())`, admin)
	testkit.Exec(t, pool, `INSERT INTO revoked_sessions (token_hash, expires_at) VALUES
		(decode(repeat('04', 32), 'hex'), now() + interval '1 day'), (decode(repeat('05', 32), 'hex'), now() - interval '1 second')`)
	testkit.Exec(t, pool, `INSERT INTO rate_limits (key, tat) SELECT 'old:' || n, now() - interval '1 hour' FROM generate_series(1, 2500) n`)
	testkit.Exec(t, pool, `INSERT INTO rate_limits (key, tat) VALUES ('kept', now() + interval '1 hour')`)
	testkit.Exec(t, pool, `INSERT INTO daily_counts (day, member_id, rule, items) SELECT (now() AT TIME ZONE 'UTC')::date - n, $1, 'r', 1 FROM generate_series(0, 3) n`, user)
	testkit.Exec(t, pool, `INSERT INTO daily_items (day, member_id, rule, item_id) SELECT day, member_id, rule, $1 FROM daily_counts`, user)
	testkit.Exec(t, pool, `INSERT INTO daily_network_counts (day, network, rule, items) SELECT day, 'n', rule, items FROM daily_counts`)
	testkit.Exec(t, pool, `INSERT INTO presence (user_id, node, seen_at) VALUES ($1, gen_random_uuid(), now() - interval '1 hour'), ($1, gen_random_uuid(), now())`, user)
	testkit.Exec(t, pool, `INSERT INTO undone_passes (from_user_id, client_id, undone_at) VALUES
		($1, gen_random_uuid(), now() - interval '8 days'), ($1, gen_random_uuid(), now())`, user)
	testkit.Exec(t, pool, `UPDATE users SET visit_city = 'Lisbon', visit_state = 'Portugal', visit_lat = 38.7, visit_lon = -9.1, visit_until = now() WHERE id = $1`, user)
	testkit.Exec(t, pool, `INSERT INTO town_changes (user_id, is_visit, changed_at) VALUES ($1, false, now() - interval '2 days'),
		($1, true, now() - interval '2 days'), ($1, true, now() - interval '8 days')`, user)
	testkit.Exec(t, pool, `INSERT INTO reports (id, reason, place, priority, evidence, status, reviewed_at)
		SELECT gen_random_uuid(), 'spam', 'card', 2, '{"profile": {}}', 'resolved', now() - n * interval '1 day' FROM generate_series(1, 240) n`)
	testkit.Exec(t, pool, `INSERT INTO digest_runs (week) VALUES (date_trunc('week', now())), (date_trunc('week', now() - interval '43 days'))`)
	testkit.Exec(t, pool, `INSERT INTO digest_mails (user_id, week, state) SELECT $1, week, 'sent' FROM digest_runs`, user)
	start(t, pool, make(sentPushes, 1)) // cleanup runs once at the start
	require.Eventually(t, func() bool {
		return testkit.Count(t, pool, `SELECT count(*) FROM river_job WHERE kind = 'cleanup' AND state = 'completed'`) == 1
	}, testkit.Timeout, 20*time.Millisecond)
	for rows, want := range map[string]int{
		"sessions": 1, "session_activity": 1, "revoked_sessions": 1, "push_subscriptions": 0, "passkey_challenges": 1, "factor_setup_codes": 0,
		"rate_limits": 1, "daily_counts": 1, "daily_items": 1, "daily_network_counts": 1, "presence": 1, "undone_passes": 1,
		"reports WHERE evidence <> '{}'": 89, "users WHERE visit_city IS NOT NULL": 0, "town_changes": 1, "digest_runs": 1, "digest_mails": 1,
	} {
		require.Equal(t, want, testkit.Count(t, pool, `SELECT count(*) FROM `+rows), rows)
	}
}
