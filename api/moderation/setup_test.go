package moderation_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/messaging/messages"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/files"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// addressSecret is the secret from which the key of the HMACs of addresses is derived.
var addressSecret = []byte("0123456789abcdef0123456789abcdef")

// env is a moderation service with a database and the services that it uses.
type env struct {
	testkit.DB
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
	w := &env{DB: pgtest.NewDB(t), events: &bustest.Recorder{}}
	jobs := pgtest.Jobs(t, w.Pool)
	w.matching = matching.New(w.Pool, w.events, jobs)
	w.chat = messaging.New(w.Pool, w.events, w.matching, jobs, messages.Unguarded).Unlimited()
	w.chat.Start()
	var err error
	w.files, err = files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.files.Close() })
	w.jobs, w.blobs = jobs, blobs.New(w.Pool, w.files)
	w.members = members.New(w.Pool, w.blobs)
	w.s = moderation.New(w.Pool, w.events, w.matching, w.blobs, jobs, addressSecret)
	return w
}

// published returns the events of a kind that were published to a member.
func (w *env) published(actor web.Actor, kind string) []map[string]any {
	return w.events.Published(actor.ID, kind)
}

// endJobs returns the number of jobs that close the sockets of a session.
func (w *env) endJobs(session uuid.UUID) int {
	w.Helper()
	return w.Count(`SELECT count(*) FROM river_job WHERE kind = 'sessions_ended' AND args->'sessionIds' ? $1`, session.String())
}

func (w *env) like(from, to web.Actor) matching.LikeResult {
	w.Helper()
	result, err := w.matching.Like(context.Background(), from, matching.LikeInput{To: to.ID, Kind: matching.Like})
	require.NoError(w, err)
	return result
}

// match makes the two like each other.
func (w *env) match(x, y web.Actor) matching.LikeResult {
	w.Helper()
	w.like(x, y)
	result := w.like(y, x)
	require.True(w, result.IsMatch)
	return result
}

func (w *env) send(from, to web.Actor, content string) error {
	_, err := w.chat.Messages.Send(context.Background(), from, messages.Outgoing{
		RecipientID: to.ID, Content: content, ClientID: uuid.Must(uuid.NewV7()),
	})
	return err
}

// establish gives members complete profiles and accounts older than 48 hours, so that they may hide a stranger.
func (w *env) establish(all ...web.Actor) {
	w.Helper()
	for _, of := range all {
		if w.Count(`SELECT count(*) FROM member_prompts WHERE user_id = $1`, of.ID) > 0 {
			continue
		}
		file := uuid.Must(uuid.NewV7())
		w.Exec(`UPDATE users SET created_at = now() - interval '3 days', bio = 'Hi', love_reflection = 'Home', intention_tags = '{Healing}', city = 'Portland',
			occupation = 'Cook', education = 'masters', has_children = false, wants_children = true WHERE id = $1`, of.ID)
		w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, file, of.ID)
		w.Exec(`INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $2, 'photo', 1)`, file, of.ID)
		w.Exec(`INSERT INTO member_prompts (user_id, position, question, answer) VALUES ($1, 1, 'A perfect Sunday', 'Home')`, of.ID)
	}
}

func (w *env) block(by, other web.Actor) {
	w.Helper()
	require.NoError(w, w.s.Block(context.Background(), by, other.ID))
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
