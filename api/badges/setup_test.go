package badges_test

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
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
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

// env has the services that cause awards, connected as wiring.New does.
type env struct {
	testkit.DB
	*badges.Service
	members  *members.Service
	matching *matching.Service
	chat     *messaging.Service

	mu      sync.Mutex
	changed map[uuid.UUID]int // announcements by member
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), changed: map[uuid.UUID]int{}}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	jobs := pgtest.Jobs(t, w.Pool)
	w.Service = badges.New(w.Pool, jobs)
	w.WatchChanges(func(member uuid.UUID) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changed[member]++
	})
	w.members = members.New(w.Pool, blobs.New(w.Pool, store))
	mails, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	friends := referrals.New(w.Pool, mails, jobs, referrals.Config{Secret: make([]byte, 32)})
	w.members.Watch(func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		if err := friends.Complete(ctx, tx, id); err != nil {
			return err
		}
		return w.ProfileSaved(ctx, tx, id)
	})
	events := &bustest.Recorder{}
	w.matching = matching.New(w.Pool, events, jobs)
	w.matching.WatchLikes(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.LikeSent, ids...)
	})
	w.matching.WatchMatches(func(ctx context.Context, tx pgx.Tx, _ uuid.UUID, ids ...uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.MatchMade, ids...)
	})
	w.chat = messaging.New(w.Pool, events, w.matching, jobs, messaging.Unguarded).Unlimited()
	w.chat.WatchMilestones(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.MessageSent, ids...)
	})
	w.chat.Start()
	t.Cleanup(func() { require.NoError(t, w.chat.Stop(context.Background())) })
	return w
}

func (w *env) join(name string) uuid.UUID {
	w.Helper()
	return w.Member(name + " Doe").ID
}

func (w *env) like(from, to uuid.UUID) {
	w.Helper()
	_, err := w.matching.Like(w.Context(), web.Actor{ID: from}, matching.LikeInput{To: to, Kind: matching.Like})
	require.NoError(w, err)
}

func (w *env) match(one, two uuid.UUID) {
	w.Helper()
	w.like(one, two)
	w.like(two, one)
}

func (w *env) write(from, to uuid.UUID) {
	w.Helper()
	_, err := w.chat.Send(w.Context(), web.Actor{ID: from}, messaging.Outgoing{RecipientID: to, ClientID: uuid.Must(uuid.NewV7()), Content: "Hello"})
	require.NoError(w, err)
}

// check is a job that an event has enqueued.
type check struct {
	id   int64
	args badges.CheckArgs
}

// takeChecks returns the enqueued checks, each once.
func (w *env) takeChecks() []check {
	w.Helper()
	rows, _ := w.Pool.Query(w.Context(), `DELETE FROM river_job WHERE kind = 'check_badges' RETURNING id, args`)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c check, err error) {
		var args []byte
		if err := row.Scan(&c.id, &args); err != nil {
			return c, err
		}
		return c, json.Unmarshal(args, &c.args)
	})
	require.NoError(w, err)
	return list
}

// work runs checks as the worker does.
func (w *env) work(checks ...check) {
	w.Helper()
	for _, c := range checks {
		_, err := pg.Tx(w.Context(), w.Pool, func(tx pgx.Tx) (bool, error) { return w.Award(w.Context(), tx, c.args) })
		require.NoError(w, err)
	}
}

// has returns the icons of the member's badges, in the order of the list.
func (w *env) has(member uuid.UUID) []string {
	w.Helper()
	return testkit.SelectAll[string](w, w.Pool, `SELECT icon FROM earned_badges WHERE user_id = $1 ORDER BY badge_id`, member)
}

// all returns who has which badge.
func (w *env) all() []string {
	w.Helper()
	return testkit.SelectAll[string](w, w.Pool, `SELECT user_id || ' ' || icon FROM earned_badges ORDER BY 1`)
}
