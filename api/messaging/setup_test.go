package messaging_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/messaging"
	"heartward/api/platform/bus"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// env is a messaging service with a database.
type env struct {
	testkit.DB
	s      *messaging.Service
	jobs   jobqueue.Inserter
	events *bustest.Recorder
}

func newEnv(t testing.TB) *env {
	t.Helper()
	db, events := pgtest.NewDB(t), &bustest.Recorder{}
	jobs := pgtest.Jobs(t, db.Pool)
	return &env{DB: db, events: events, jobs: jobs, s: newService(db.Pool, events, jobs, messaging.Unguarded).Unlimited()}
}

// newService returns a started service. A second one acts as another node.
func newService(pool *pgxpool.Pool, events bus.Publisher, jobs jobqueue.Inserter, guard func(string) string) *messaging.Service {
	s := messaging.New(pool, events, matching.New(pool, events, jobs), jobs, guard)
	s.Start()
	return s
}

// pushDevice adds a push subscription of the member.
func (w *env) pushDevice(member web.Actor) {
	w.Helper()
	w.Exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES ($1, $2, $3, 'k', 'a')`,
		uuid.Must(uuid.NewV7()), member.ID, "https://push.example/"+member.ID.String())
}

func (w *env) send(from, to web.Actor, content string) messaging.Message {
	w.Helper()
	sent, err := w.s.Send(context.Background(), from, input(to, content))
	require.NoError(w, err)
	return sent.Message
}

func input(to web.Actor, content string) messaging.Outgoing {
	return messaging.Outgoing{RecipientID: to.ID, Content: content, ClientID: newID()}
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// untilRefused repeats call until a limit refuses it, and returns the number of allowed
// calls and the refusal. The test fails if more calls are allowed than burst plus one for
// each elapsed refill, and for another error.
func untilRefused(t testing.TB, burst int, refill time.Duration, call func(n int) error) (allowed int, refusal error) {
	t.Helper()
	began := time.Now()
	for ; ; allowed++ {
		if refusal = call(allowed); refusal != nil {
			testkit.RequireKind(t, refusal, fault.RateLimited)
			return allowed, refusal
		}
		require.LessOrEqual(t, allowed, burst+int(time.Since(began)/refill))
	}
}
