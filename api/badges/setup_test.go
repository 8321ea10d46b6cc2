package badges_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/badges"
	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

// env has the services that cause awards, connected as wiring.New does.
type env struct {
	*badges.Service
	t        *testing.T
	pool     *pgxpool.Pool
	members  *members.Service
	matching *matching.Service
	chat     *messaging.Service

	mu      sync.Mutex
	changed map[uuid.UUID]int // announcements by member
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{t: t, pool: pgtest.New(t), changed: map[uuid.UUID]int{}}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	jobs := pgtest.Jobs(t, w.pool)
	w.Service = badges.New(w.pool, jobs)
	w.WatchChanges(func(member uuid.UUID) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changed[member]++
	})
	w.members = members.New(w.pool, blobs.New(w.pool, store))
	mails, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	friends := referrals.New(w.pool, mails, jobs, referrals.Config{Secret: make([]byte, 32)})
	w.members.Watch(func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		if err := friends.Complete(ctx, tx, id); err != nil {
			return err
		}
		return w.ProfileSaved(ctx, tx, id)
	})
	events := &bustest.Recorder{}
	w.matching = matching.New(w.pool, events, jobs)
	w.matching.WatchLikes(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.LikeSent, ids...)
	})
	w.matching.WatchMatches(func(ctx context.Context, tx pgx.Tx, _ uuid.UUID, ids ...uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.MatchMade, ids...)
	})
	w.chat = messaging.New(w.pool, events, w.matching, jobs, messaging.Unguarded).Unlimited()
	w.chat.WatchMilestones(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.MessageSent, ids...)
	})
	w.chat.Start()
	t.Cleanup(func() { require.NoError(t, w.chat.Stop(context.Background())) })
	return w
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.pool.Exec(w.t.Context(), sql, args...)
	require.NoError(w.t, err)
}

func (w *env) count(sql string, args ...any) (n int) {
	w.t.Helper()
	require.NoError(w.t, w.pool.QueryRow(w.t.Context(), sql, args...).Scan(&n))
	return n
}

// join adds a member as a sign-up does.
func (w *env) join(name string) uuid.UUID {
	w.t.Helper()
	draft, err := w.members.Check(w.t.Context(), members.NewMember{
		Email: strings.ToLower(name) + "@example.test", FullName: name + " Doe", Age: new(30), City: "Portland", State: "OR",
	})
	require.NoError(w.t, err)
	id, err := pg.Tx(w.t.Context(), w.pool, func(tx pgx.Tx) (uuid.UUID, error) { return members.Create(w.t.Context(), tx, draft) })
	require.NoError(w.t, err)
	return id
}

func (w *env) like(from, to uuid.UUID) {
	w.t.Helper()
	_, err := w.matching.Like(w.t.Context(), web.Actor{ID: from}, matching.LikeInput{To: to, Kind: matching.Like})
	require.NoError(w.t, err)
}

func (w *env) match(one, two uuid.UUID) {
	w.t.Helper()
	w.like(one, two)
	w.like(two, one)
}

func (w *env) write(from, to uuid.UUID) {
	w.t.Helper()
	_, err := w.chat.Send(w.t.Context(), web.Actor{ID: from}, messaging.Outgoing{RecipientID: to, ClientID: uuid.Must(uuid.NewV7()), Content: "Hello"})
	require.NoError(w.t, err)
}

// check is a job that an event has enqueued.
type check struct {
	id   int64
	args badges.CheckArgs
}

// takeChecks returns the enqueued checks, each once.
func (w *env) takeChecks() []check {
	w.t.Helper()
	rows, _ := w.pool.Query(w.t.Context(), `DELETE FROM river_job WHERE kind = 'check_badges' RETURNING id, args`)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c check, err error) {
		var args []byte
		if err := row.Scan(&c.id, &args); err != nil {
			return c, err
		}
		return c, json.Unmarshal(args, &c.args)
	})
	require.NoError(w.t, err)
	return list
}

// work runs checks as the worker does.
func (w *env) work(checks ...check) {
	w.t.Helper()
	for _, c := range checks {
		_, err := pg.Tx(w.t.Context(), w.pool, func(tx pgx.Tx) (bool, error) { return w.Award(w.t.Context(), tx, c.args) })
		require.NoError(w.t, err)
	}
}

// has returns the icons of the member's badges, in the order of the list.
func (w *env) has(member uuid.UUID) []string {
	w.t.Helper()
	rows, _ := w.pool.Query(w.t.Context(), `SELECT icon FROM earned_badges WHERE user_id = $1 ORDER BY badge_id`, member)
	icons, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w.t, err)
	return icons
}

// all returns who has which badge.
func (w *env) all() []string {
	w.t.Helper()
	rows, _ := w.pool.Query(w.t.Context(), `SELECT user_id || ' ' || icon FROM earned_badges ORDER BY 1`)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w.t, err)
	return list
}
