package figures_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/figures"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// env is a database with a service of the figures.
type env struct {
	testkit.DB
	s *figures.Service
}

func newEnv(t testing.TB) *env {
	t.Helper()
	db := pgtest.NewDB(t)
	return &env{DB: db, s: figures.New(db.Pool)}
}

// member inserts a member who signed up at a time.
func (w *env) member(at time.Time) uuid.UUID {
	w.Helper()
	return w.Member("Ann Moss", testkit.Columns{"created_at": at}).ID
}

// match inserts a match that began at a time.
func (w *env) match(a, b uuid.UUID, at time.Time) {
	w.Helper()
	w.Exec(`INSERT INTO matches (id, user_a, user_b, created_at)
		VALUES (gen_random_uuid(), least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $3)`, a, b, at)
}

// message inserts a message that was sent at a time, in a conversation of its own.
func (w *env) message(at time.Time) {
	w.Helper()
	conversation, a, b := uuid.New(), uuid.New(), uuid.New()
	w.Exec(`INSERT INTO conversations (id, user_a, user_b, last_seq) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), 1)`, conversation, a, b)
	w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at) VALUES ($1, $2, 1, $3, $2, 'words', $4)`,
		idAt(at), conversation, a, at)
}

// idAt returns a UUIDv7 with a time.
func idAt(at time.Time) uuid.UUID {
	id := uuid.Must(uuid.NewV7())
	for i, ms := 5, at.UnixMilli(); i >= 0; i, ms = i-1, ms>>8 {
		id[i] = byte(ms)
	}
	return id
}

// report inserts a report, which is pending if decided is zero.
func (w *env) report(at, decided time.Time) {
	w.Helper()
	if decided.IsZero() {
		w.Exec(`INSERT INTO reports (id, reason, place, priority, created_at) VALUES (gen_random_uuid(), 'spam', 'card', 2, $1)`, at)
		return
	}
	w.Exec(`INSERT INTO reports (id, reason, place, priority, created_at, status, reviewed_at, action_taken)
		VALUES (gen_random_uuid(), 'spam', 'card', 2, $1, 'reviewed', $2, 'no_action')`, at, decided)
}

// show records that viewers of lists were shown a member on a day.
func (w *env) show(day time.Time, member uuid.UUID, viewers int) {
	w.Helper()
	w.Exec(`INSERT INTO daily_items (day, member_id, rule, item_id) SELECT $1, gen_random_uuid(), 'people', $2 FROM generate_series(1, $3)`,
		day, member, viewers)
}

func (w *env) store(now time.Time) {
	w.Helper()
	require.NoError(w, figures.Store(w.Context(), w.Pool, now))
}

func (w *env) read(days int, now time.Time) figures.Figures {
	w.Helper()
	f, err := w.s.Read(w.Context(), days, now)
	require.NoError(w, err)
	return f
}

// interrupter makes the statement number failAt and all after it fail.
type interrupter struct{ statements, failAt atomic.Int64 }

func (i *interrupter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	if i.statements.Add(1) > i.failAt.Load() {
		ctx, cancel := context.WithCancelCause(ctx)
		cancel(errors.New("interrupted"))
		return ctx
	}
	return ctx
}

func (i *interrupter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// interruptedStore stores the figures on a pool that fails after n statements.
func (w *env) interruptedStore(n int, now time.Time) error {
	w.Helper()
	tracer := &interrupter{}
	tracer.failAt.Store(int64(n))
	pool := pgtest.Traced(w, w.Pool, tracer)
	defer pool.Close()
	return figures.Store(w.Context(), pool, now)
}
