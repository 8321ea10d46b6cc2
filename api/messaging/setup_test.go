package messaging_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/messaging"
	"heartward/api/platform/bus"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

// env is a messaging service with a database.
type env struct {
	t      testing.TB
	pool   *pgxpool.Pool
	s      *messaging.Service
	jobs   jobqueue.Inserter
	events *bustest.Recorder
}

func newEnv(t testing.TB) *env {
	t.Helper()
	pool := pgtest.New(t)
	jobs, err := river.NewClient[pgx.Tx](riverpgxv5.New(pool), &river.Config{})
	require.NoError(t, err)
	events := &bustest.Recorder{}
	return &env{t: t, pool: pool, events: events, jobs: jobs, s: newService(pool, events, jobs, messaging.Unguarded).Unlimited()}
}

// newService returns a started service. A second one acts as another node.
func newService(pool *pgxpool.Pool, events bus.Publisher, jobs jobqueue.Inserter, guard func(string) string) *messaging.Service {
	s := messaging.New(pool, events, matching.New(pool, events, jobs), jobs, guard)
	s.Start()
	return s
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.pool.Exec(context.Background(), sql, args...)
	require.NoError(w.t, err)
}

func (w *env) member() web.Actor {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		VALUES ($1, $2, 'Ada Moss', 'Ada', '1990-01-01', $3)`, id, fmt.Sprintf("%s@test.example", id), id.String()[16:])
	return web.Actor{ID: id, SessionID: uuid.Must(uuid.NewV7())}
}

// pushDevice adds a push subscription of the member.
func (w *env) pushDevice(member web.Actor) {
	w.t.Helper()
	w.exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES ($1, $2, $3, 'k', 'a')`,
		uuid.Must(uuid.NewV7()), member.ID, "https://push.example/"+member.ID.String())
}

// conversation inserts a conversation of two members and returns its id.
func (w *env) conversation(a, b web.Actor) uuid.UUID {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO conversations (id, user_a, user_b) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid))`, id, a.ID, b.ID)
	return id
}

func (w *env) pair() (a, b web.Actor) {
	a, b = w.member(), w.member()
	w.conversation(a, b)
	return a, b
}

func (w *env) send(from, to web.Actor, content string) messaging.Message {
	w.t.Helper()
	sent, err := w.s.Send(context.Background(), from, input(to, content))
	require.NoError(w.t, err)
	return sent.Message
}

func input(to web.Actor, content string) messaging.Outgoing {
	return messaging.Outgoing{RecipientID: to.ID, Content: content, ClientID: newID()}
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

func (w *env) count(sql string, args ...any) (n int) {
	w.t.Helper()
	require.NoError(w.t, w.pool.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

func requireKind(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, fault.From(err).Kind, "%v", err)
}

// untilRefused repeats call until a limit refuses it, and returns the number of allowed
// calls and the refusal. The test fails if more calls are allowed than burst plus one for
// each elapsed refill, and for another error.
func untilRefused(t testing.TB, burst int, refill time.Duration, call func(n int) error) (allowed int, refusal error) {
	t.Helper()
	began := time.Now()
	for ; ; allowed++ {
		if refusal = call(allowed); refusal != nil {
			requireKind(t, refusal, fault.RateLimited)
			return allowed, refusal
		}
		require.LessOrEqual(t, allowed, burst+int(time.Since(began)/refill))
	}
}
