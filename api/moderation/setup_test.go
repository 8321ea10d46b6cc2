package moderation_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

// addressSecret is the secret from which the key of the HMACs of addresses is derived.
var addressSecret = []byte("0123456789abcdef0123456789abcdef")

// env is a moderation service with a database and the services that it uses.
type env struct {
	t        testing.TB
	pool     *pgxpool.Pool
	matching *matching.Service
	chat     *messaging.Service
	members  *members.Service
	blobs    *blobs.Service
	files    *files.Store
	jobs     jobqueue.Inserter
	s        *moderation.Service
	events   *bustest.Recorder
}

func newEnv(t testing.TB) *env {
	t.Helper()
	w := &env{t: t, pool: pgtest.New(t), events: &bustest.Recorder{}}
	jobs, err := river.NewClient(riverpgxv5.New(w.pool), &river.Config{})
	require.NoError(t, err)
	w.matching = matching.New(w.pool, w.events, jobs)
	w.chat = messaging.New(w.pool, w.events, w.matching, jobs, messaging.Unguarded).Unlimited()
	w.chat.Start()
	w.files, err = files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.files.Close() })
	w.jobs, w.blobs = jobs, blobs.New(w.pool, w.files)
	w.members = members.New(w.pool, w.blobs)
	w.s = moderation.New(w.pool, w.events, w.matching, w.blobs, jobs, addressSecret)
	return w
}

// published returns the events of a kind that were published to a member.
func (w *env) published(actor web.Actor, kind string) []map[string]any {
	return w.events.Published(actor.ID, kind)
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.pool.Exec(context.Background(), sql, args...)
	require.NoError(w.t, err)
}

func (w *env) count(from string, args ...any) (n int) {
	w.t.Helper()
	require.NoError(w.t, w.pool.QueryRow(context.Background(), `SELECT count(*) FROM `+from, args...).Scan(&n))
	return n
}

func (w *env) member(name string) web.Actor {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		VALUES ($1, $2 || '@example.test', $3 || ' Moss', $3, '1990-01-01', right($2, 12))`, id, id.String(), name)
	return web.Actor{ID: id}
}

func (w *env) like(from, to web.Actor) matching.LikeResult {
	w.t.Helper()
	result, err := w.matching.Like(context.Background(), from, matching.LikeInput{To: to.ID, Kind: matching.Like})
	require.NoError(w.t, err)
	return result
}

// match makes the two like each other.
func (w *env) match(x, y web.Actor) matching.LikeResult {
	w.t.Helper()
	w.like(x, y)
	result := w.like(y, x)
	require.True(w.t, result.IsMatch)
	return result
}

func (w *env) send(from, to web.Actor, content string) error {
	_, err := w.chat.Send(context.Background(), from, messaging.Outgoing{
		RecipientID: to.ID, Content: content, ClientID: uuid.Must(uuid.NewV7()),
	})
	return err
}

func (w *env) block(by, other web.Actor) {
	w.t.Helper()
	require.NoError(w.t, w.s.Block(context.Background(), by, other.ID))
}

func requireKind(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, fault.From(err).Kind, "%v", err)
}

// concurrently starts all functions at the same time and waits for them.
func concurrently(fs ...func()) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for _, f := range fs {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			f()
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}
