package dates_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/dates"
	"heartward/api/matching"
	"heartward/api/messaging/messages"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

const site = "https://heartward.test"

// env is a dates service with a database and the services that it uses.
type env struct {
	testkit.DB
	s        *dates.Service
	messages *messages.Service
	matching *matching.Service
	events   *bustest.Recorder
}

func newEnv(t testing.TB) *env {
	t.Helper()
	db := pgtest.NewDB(t)
	jobs, events := pgtest.Jobs(t, db.Pool), &bustest.Recorder{}
	match := matching.New(db.Pool, events, jobs)
	posted := messages.New(db.Pool, events, jobs, messages.Unguarded)
	posted.Unlimited()
	posted.Start()
	return &env{
		DB: db, events: events, messages: posted, matching: match,
		s: dates.New(db.Pool, events, jobs, posted, dates.Config{Site: site, RateLimitScale: 1}),
	}
}

// plan returns a valid plan.
func plan() dates.Plan {
	return dates.Plan{Place: "Café Luna", Note: "I'll wear green", At: time.Now().Add(50 * time.Hour).Truncate(time.Second), TimeZone: "America/Los_Angeles"}
}

func (w *env) propose(by web.Actor, conversation uuid.UUID) dates.Date {
	w.Helper()
	result, err := w.s.Propose(context.Background(), by, conversation, uuid.Must(uuid.NewV7()), plan())
	require.NoError(w, err)
	return result.Date
}

// accepted returns a date that ada proposed and ben accepted.
func (w *env) accepted() (ada, ben web.Actor, date dates.Date) {
	w.Helper()
	ada, ben, conversation := w.Pair()
	date = w.propose(ada, conversation)
	date, err := w.s.Accept(context.Background(), ben, date.ID, date.Revision)
	require.NoError(w, err)
	return ada, ben, date
}

// moveToPast moves a date to ago before now.
func (w *env) moveToPast(id uuid.UUID, ago time.Duration) {
	w.Exec(`UPDATE dates SET proposed_at = now() - $2::interval - interval '2 days', at = now() - $2::interval WHERE id = $1`, id, ago)
}
