package figures_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/figures"
	"heartward/api/platform/pgtest"
)

// env is a database with a service of the figures.
type env struct {
	t    testing.TB
	pool *pgxpool.Pool
	s    *figures.Service
}

func newEnv(t testing.TB) *env {
	t.Helper()
	pool := pgtest.New(t)
	return &env{t: t, pool: pool, s: figures.New(pool)}
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	pgtest.Exec(w.t, w.pool, sql, args...)
}

// member inserts a member who signed up at a time.
func (w *env) member(at time.Time) uuid.UUID {
	w.t.Helper()
	id := uuid.New()
	w.exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, created_at)
		VALUES ($1, $2, 'Ann Moss', 'Ann', '1970-01-01', $3, $4)`, id, id.String()+"@example.test", id.String()[24:], at)
	return id
}

// match inserts a match that began at a time.
func (w *env) match(a, b uuid.UUID, at time.Time) {
	w.t.Helper()
	w.exec(`INSERT INTO matches (id, user_a, user_b, created_at)
		VALUES (gen_random_uuid(), least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $3)`, a, b, at)
}

// message inserts a message that was sent at a time, in a conversation of its own.
func (w *env) message(at time.Time) {
	w.t.Helper()
	conversation, a, b := uuid.New(), uuid.New(), uuid.New()
	w.exec(`INSERT INTO conversations (id, user_a, user_b, last_seq) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), 1)`, conversation, a, b)
	w.exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at) VALUES ($1, $2, 1, $3, $2, 'words', $4)`,
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
	w.t.Helper()
	if decided.IsZero() {
		w.exec(`INSERT INTO reports (id, reason, place, priority, created_at) VALUES (gen_random_uuid(), 'spam', 'card', 2, $1)`, at)
		return
	}
	w.exec(`INSERT INTO reports (id, reason, place, priority, created_at, status, reviewed_at, action_taken)
		VALUES (gen_random_uuid(), 'spam', 'card', 2, $1, 'reviewed', $2, 'no_action')`, at, decided)
}

// show records that viewers of lists were shown a member on a day.
func (w *env) show(day time.Time, member uuid.UUID, viewers int) {
	w.t.Helper()
	w.exec(`INSERT INTO daily_items (day, member_id, rule, item_id) SELECT $1, gen_random_uuid(), 'people', $2 FROM generate_series(1, $3)`,
		day, member, viewers)
}

func (w *env) store(now time.Time) {
	w.t.Helper()
	require.NoError(w.t, figures.Store(w.t.Context(), w.pool, now))
}

func (w *env) read(days int, now time.Time) figures.Figures {
	w.t.Helper()
	f, err := w.s.Read(w.t.Context(), days, now)
	require.NoError(w.t, err)
	return f
}

func (w *env) count(sql string, args ...any) int {
	w.t.Helper()
	return pgtest.Count(w.t, w.pool, sql, args...)
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
	w.t.Helper()
	tracer := &interrupter{}
	tracer.failAt.Store(int64(n))
	config := w.pool.Config().Copy()
	config.MaxConns, config.ConnConfig.Tracer = 2, tracer
	pool, err := pgxpool.NewWithConfig(w.t.Context(), config)
	require.NoError(w.t, err)
	defer pool.Close()
	return figures.Store(w.t.Context(), pool, now)
}
