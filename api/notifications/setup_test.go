package notifications_test

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/notifications"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/push"
)

// recorder is a push.Sender that records messages.
type recorder struct {
	mu      sync.Mutex
	results []push.Result // returned in this order; the last one is repeated
	sent    []push.Message
}

func (p *recorder) Send(_ context.Context, _ push.Subscription, m push.Message) push.Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, m)
	if len(p.results) == 0 {
		return push.Result{Outcome: push.Sent}
	}
	r := p.results[0]
	if len(p.results) > 1 {
		p.results = p.results[1:]
	}
	return r
}

type env struct {
	testkit.DB
	phone        *recorder
	s            *notifications.Service
	jobs         *river.Client[pgx.Tx]
	a, b         web.Actor
	conversation uuid.UUID
}

func newEnv(t testing.TB) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), phone: &recorder{}}
	w.jobs = pgtest.Jobs(t, w.Pool)
	w.s = notifications.New(w.Pool, w.jobs, w.phone, notifications.Config{PublicKey: "key", Site: "https://heartward.test/"})
	w.a, w.b = w.member("Ada"), w.member("Bea")
	w.conversation = w.Match(w.a, w.b)
	return w
}

// member inserts a member with a session.
func (w *env) member(name string) web.Actor {
	w.Helper()
	actor := w.Member(name)
	w.Exec(`INSERT INTO sessions (id, token_hash, user_id, expires_at)
		VALUES ($1, sha256($1::uuid::text::bytea), $2, now() + interval '1 day')`, actor.SessionID, actor.ID)
	return actor
}

// message stores a message of a that was sent age ago.
func (w *env) message(content string, age time.Duration) {
	w.Helper()
	w.Exec(`UPDATE conversations SET last_seq = last_seq + 1 WHERE id = $1`, w.conversation)
	w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
		SELECT $1, id, last_seq, $3, $1, $4, clock_timestamp() - $5::interval FROM conversations WHERE id = $2`,
		uuid.Must(uuid.NewV7()), w.conversation, w.a.ID, content, age)
}

// device stores a subscription of b.
func (w *env) device(n int) {
	w.Helper()
	_, err := w.s.Subscribe(context.Background(), w.b, subscription(w, n), nil)
	require.NoError(w, err)
}

func subscription(t testing.TB, n int) push.Subscription {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	require.NoError(t, err)
	auth := make([]byte, 16)
	_, _ = rand.Read(auth)
	return push.Subscription{
		Endpoint: fmt.Sprintf("https://fcm.googleapis.com/fcm/send/%d", n),
		P256dh:   base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()),
		Auth:     base64.RawURLEncoding.EncodeToString(auth),
	}
}

// notify runs the decision once, and returns how long the job would be snoozed.
func (w *env) notify(since time.Time) (wait time.Duration) {
	w.Helper()
	args := messages.NotifyArgs{ConversationID: w.conversation, RecipientID: w.b.ID}
	require.NoError(w, pgx.BeginFunc(context.Background(), w.Pool, func(tx pgx.Tx) (err error) {
		wait, err = w.s.NotifyMessages(context.Background(), tx, w.jobs, args, since)
		return err
	}))
	return wait
}

func (w *env) pushes() int { return w.Count(`SELECT count(*) FROM river_job WHERE kind = 'push'`) }

// removePushes deletes the enqueued pushes and returns them, oldest first.
func (w *env) removePushes() []notifications.PushArgs {
	w.Helper()
	return testkit.SelectAll[notifications.PushArgs](w, w.Pool, `
		WITH deleted AS (DELETE FROM river_job WHERE kind = 'push' RETURNING id, args)
		SELECT args FROM deleted ORDER BY id`)
}

// deliver runs a push, and returns the message that was sent, or nil.
func (w *env) deliver(args notifications.PushArgs) *push.Message {
	w.Helper()
	before := len(w.phone.sent)
	result, err := w.s.Deliver(context.Background(), args)
	require.NoError(w, err)
	require.Equal(w, push.Sent, result.Outcome)
	if len(w.phone.sent) == before {
		return nil
	}
	return &w.phone.sent[before]
}

// shownNotification is the notification that a device shows.
type shownNotification struct {
	Title    string `json:"title"`
	Body     string `json:"body"`
	Navigate string `json:"navigate"`
	Tag      string `json:"tag"`
}

func (w *env) shownBy(m push.Message) shownNotification {
	w.Helper()
	var payload struct {
		Notification shownNotification `json:"notification"`
	}
	require.NoError(w, json.Unmarshal(m.Payload, &payload))
	return payload.Notification
}
