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
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/notifications"
	"heartward/api/platform/pgtest"
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
	t            testing.TB
	pool         *pgxpool.Pool
	phone        *recorder
	s            *notifications.Service
	jobs         *river.Client[pgx.Tx]
	a, b         web.Actor
	conversation uuid.UUID
}

func newEnv(t testing.TB) *env {
	t.Helper()
	w := &env{t: t, pool: pgtest.New(t), phone: &recorder{}}
	w.jobs = pgtest.Jobs(t, w.pool)
	w.s = notifications.New(w.pool, w.jobs, w.phone, notifications.Config{PublicKey: "key", Site: "https://heartward.test/"})
	w.a, w.b = w.member("Ada"), w.member("Bea")
	w.conversation = uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO conversations (id, user_a, user_b) VALUES ($1, $2, $3)`, w.conversation, w.a.ID, w.b.ID)
	return w
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	pgtest.Exec(w.t, w.pool, sql, args...)
}

func (w *env) count(sql string, args ...any) int {
	w.t.Helper()
	return pgtest.Count(w.t, w.pool, sql, args...)
}

func (w *env) member(name string) web.Actor {
	w.t.Helper()
	actor := web.Actor{ID: uuid.Must(uuid.NewV7()), SessionID: uuid.Must(uuid.NewV7())}
	w.exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		VALUES ($1, $2, $3, $3, '1990-01-01', $4)`, actor.ID, actor.ID.String()+"@test.example", name, actor.ID.String()[16:])
	token := make([]byte, 32)
	_, _ = rand.Read(token)
	w.exec(`INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`, actor.SessionID, token, actor.ID)
	return actor
}

// message stores a message of a that was sent age ago.
func (w *env) message(content string, age time.Duration) {
	w.t.Helper()
	w.exec(`UPDATE conversations SET last_seq = last_seq + 1 WHERE id = $1`, w.conversation)
	w.exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
		SELECT $1, id, last_seq, $3, $1, $4, clock_timestamp() - $5::interval FROM conversations WHERE id = $2`,
		uuid.Must(uuid.NewV7()), w.conversation, w.a.ID, content, age)
}

// device stores a subscription of b.
func (w *env) device(n int) {
	w.t.Helper()
	_, err := w.s.Subscribe(context.Background(), w.b, subscription(w.t, n), nil)
	require.NoError(w.t, err)
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
	w.t.Helper()
	args := messaging.NotifyArgs{ConversationID: w.conversation, ReceiverID: w.b.ID}
	require.NoError(w.t, pgx.BeginFunc(context.Background(), w.pool, func(tx pgx.Tx) (err error) {
		wait, err = w.s.NotifyMessages(context.Background(), tx, w.jobs, args, since)
		return err
	}))
	return wait
}

func (w *env) pushes() int { return w.count(`SELECT count(*) FROM river_job WHERE kind = 'push'`) }

// removePushes deletes the enqueued pushes and returns them, oldest first.
func (w *env) removePushes() (all []notifications.PushArgs) {
	w.t.Helper()
	rows, err := w.pool.Query(context.Background(), `
		WITH deleted AS (DELETE FROM river_job WHERE kind = 'push' RETURNING id, args)
		SELECT args FROM deleted ORDER BY id`)
	require.NoError(w.t, err)
	all, err = pgx.CollectRows(rows, pgx.RowTo[notifications.PushArgs])
	require.NoError(w.t, err)
	return all
}

// deliver runs a push, and returns the message that was sent, or nil.
func (w *env) deliver(args notifications.PushArgs) *push.Message {
	w.t.Helper()
	before := len(w.phone.sent)
	result, err := w.s.Deliver(context.Background(), args)
	require.NoError(w.t, err)
	require.Equal(w.t, push.Sent, result.Outcome)
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
	w.t.Helper()
	var payload struct {
		Notification shownNotification `json:"notification"`
	}
	require.NoError(w.t, json.Unmarshal(m.Payload, &payload))
	return payload.Notification
}
