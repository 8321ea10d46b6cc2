package dates_test

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

	"heartward/api/dates"
	"heartward/api/matching"
	"heartward/api/messaging"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

const site = "https://heartward.test"

// env is a dates service with a database and the services that it uses.
type env struct {
	t        testing.TB
	pool     *pgxpool.Pool
	s        *dates.Service
	messages *messaging.Service
	matching *matching.Service
	events   *bustest.Recorder
}

func newEnv(t testing.TB) *env {
	t.Helper()
	pool := pgtest.New(t)
	jobs, err := river.NewClient[pgx.Tx](riverpgxv5.New(pool), &river.Config{})
	require.NoError(t, err)
	events := &bustest.Recorder{}
	match := matching.New(pool, events, jobs)
	messages := messaging.New(pool, events, match, jobs, messaging.Unguarded).Unlimited()
	messages.Start()
	return &env{
		t: t, pool: pool, events: events, messages: messages, matching: match,
		s: dates.New(pool, events, jobs, messages, dates.Config{Site: site, RateLimitScale: 1}),
	}
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.pool.Exec(context.Background(), sql, args...)
	require.NoError(w.t, err)
}

func (w *env) count(sql string, args ...any) (n int) {
	w.t.Helper()
	require.NoError(w.t, w.pool.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

func (w *env) member(name string) web.Actor {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		VALUES ($1, $2, $4 || ' Moss', $4, '1990-01-01', $3)`, id, fmt.Sprintf("%s@test.example", id), id.String()[16:], name)
	return web.Actor{ID: id, SessionID: uuid.Must(uuid.NewV7())}
}

// conversation stores a conversation of two members and returns its id.
func (w *env) conversation(a, b web.Actor) uuid.UUID {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO conversations (id, user_a, user_b) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid))`, id, a.ID, b.ID)
	return id
}

// pair returns two new members and their conversation.
func (w *env) pair() (ada, ben web.Actor, conversation uuid.UUID) {
	ada, ben = w.member("Ada"), w.member("Ben")
	return ada, ben, w.conversation(ada, ben)
}

// plan returns a valid plan.
func plan() dates.Plan {
	return dates.Plan{Place: "Café Luna", Note: "I'll wear green", At: time.Now().Add(50 * time.Hour).Truncate(time.Second), TimeZone: "America/Los_Angeles"}
}

func (w *env) propose(by web.Actor, conversation uuid.UUID) dates.Date {
	w.t.Helper()
	result, err := w.s.Propose(context.Background(), by, conversation, uuid.Must(uuid.NewV7()), plan())
	require.NoError(w.t, err)
	return result.Date
}

// accepted returns a date that ada proposed and ben accepted.
func (w *env) accepted() (ada, ben web.Actor, date dates.Date) {
	w.t.Helper()
	ada, ben, conversation := w.pair()
	date = w.propose(ada, conversation)
	date, err := w.s.Accept(context.Background(), ben, date.ID, date.Revision)
	require.NoError(w.t, err)
	return ada, ben, date
}

// moveToPast moves a date to ago before now.
func (w *env) moveToPast(id uuid.UUID, ago time.Duration) {
	w.exec(`UPDATE dates SET proposed_at = now() - $2::interval - interval '2 days', at = now() - $2::interval WHERE id = $1`, id, ago)
}

func requireKind(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, fault.From(err).Kind, "%v", err)
}

func requireField(t testing.TB, err error, field string) {
	t.Helper()
	requireKind(t, err, fault.Invalid)
	require.Equal(t, field, fault.From(err).Field)
}
