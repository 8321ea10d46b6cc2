package queue_test

import (
	"os"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

type env struct {
	testkit.DB
	*queue.Service
	admin, moderator web.Actor
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t)}
	w.Service = queue.New(w.Pool)
	w.admin = w.Admin("Ada")
	w.admin.Admin, w.admin.Moderator = true, true
	w.moderator = w.Member("Mo", testkit.Columns{"is_moderator": true})
	w.moderator.Moderator = true
	return w
}

// report adds a report that has waited for hours.
func (w *env) report(reporter, reported uuid.UUID, priority, hours int) uuid.UUID {
	w.Helper()
	id := uuid.New()
	w.Exec(`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority, created_at)
		VALUES ($1, $2, $3, 'scam', 'profile', $4, now() - $5 * interval '1 hour')`, id, reporter, reported, priority, hours)
	return id
}

// reportOverLimit is report of a member who has reported too much: its priority counts for nothing.
func (w *env) reportOverLimit(reporter, reported uuid.UUID, hours int) uuid.UUID {
	w.Helper()
	id := w.report(reporter, reported, 0, hours)
	w.Exec(`UPDATE reports SET over_limit = true WHERE id = $1`, id)
	return id
}

// list returns all that a caller may decide, from pages of two.
func (w *env) list(caller web.Actor, kind queue.Kind) (all []queue.WaitingEntry) {
	w.Helper()
	page := web.Page{Limit: 2}
	for {
		entries, next, err := w.List(w.Context(), caller, kind, page)
		require.NoError(w, err)
		if all = append(all, entries...); next == "" {
			return all
		}
		page.Cursor = next
	}
}

func (w *env) ids(caller web.Actor) (ids []uuid.UUID) {
	w.Helper()
	for _, e := range w.list(caller, "") {
		ids = append(ids, e.ID)
	}
	return ids
}

func (w *env) open(moderator uuid.UUID, kind queue.Kind, id uuid.UUID) error {
	return pg.TxDo(w.Context(), w.Pool, func(tx pgx.Tx) error { return queue.Open(w.Context(), tx, moderator, kind, id) })
}
