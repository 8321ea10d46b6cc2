package digest_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/digest"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// outbox is a mail.Sender that records mails. Send first returns the errors, in order.
type outbox struct {
	mu     sync.Mutex
	errors []error
	mails  []mail.Message
}

func (o *outbox) Send(_ context.Context, m mail.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.errors) > 0 {
		err := o.errors[0]
		o.errors = o.errors[1:]
		return err
	}
	o.mails = append(o.mails, m)
	return nil
}

type env struct {
	testkit.DB
	outbox *outbox
	s      *digest.Service
	now    time.Time
	admin  web.Actor
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), outbox: &outbox{}, now: time.Now()}
	w.s = digest.New(w.Pool, w.outbox, pgtest.Jobs(t, w.Pool), "https://heartward.test")
	w.admin = web.Actor{ID: w.member("Nia"), Admin: true}
	return w
}

// member inserts a member who joined and was active three days ago.
func (w *env) member(name string) uuid.UUID {
	w.Helper()
	return w.Member(name+" Secretsurname", testkit.Columns{"created_at": time.Now().AddDate(0, 0, -3)}).ID
}

func (w *env) like(from, to uuid.UUID) {
	w.Helper()
	w.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES (gen_random_uuid(), $1, $2, 'like')`, from, to)
}

// likedMember returns a member who gets a digest, because of a like.
func (w *env) likedMember(name string) uuid.UUID {
	w.Helper()
	id := w.member(name)
	w.like(w.member("Liker"), id)
	return id
}

// match inserts a match with its conversation, and returns the id of the conversation.
func (w *env) match(x, y uuid.UUID) (conversation uuid.UUID) {
	w.Helper()
	return w.Match(web.Actor{ID: x}, web.Actor{ID: y})
}

func (w *env) message(conversation, from uuid.UUID) {
	w.Helper()
	w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content) VALUES (gen_random_uuid(), $1, 1, $2, gen_random_uuid(), 'Secretwords')`, conversation, from)
	w.Exec(`UPDATE conversations SET last_seq = 1 WHERE id = $1`, conversation)
}

// date inserts a date that both members have accepted, at a time that is an SQL expression.
func (w *env) date(conversation, x, y uuid.UUID, at, zone string) {
	w.Helper()
	w.Exec(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, proposed_by, changed_by, accepted_at, message_seq, proposed_at)
		VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), 'Secretplace', `+at+`, $4, 'accepted', $2, $3, now(), 1, now())`, conversation, x, y, zone)
}

// start starts the run of this week and enqueues its mails.
func (w *env) start() {
	w.Helper()
	_, err := w.s.StartNow(w.Context(), w.admin, w.now)
	require.NoError(w, err)
	require.NoError(w, w.s.Enqueue(w.Context(), digest.WeekOf(w.now)))
}

// jobs returns the arguments of all jobs that mail a digest.
func (w *env) jobs() []digest.SendArgs {
	w.Helper()
	rows, _ := w.Pool.Query(w.Context(), `SELECT (args->>'memberId')::uuid, args->>'week' FROM river_job WHERE kind = 'send_digest' ORDER BY id`)
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[digest.SendArgs])
	require.NoError(w, err)
	return all
}

// sendAll runs the jobs of the enqueued mails, also those that ran before.
func (w *env) sendAll() {
	w.Helper()
	for _, args := range w.jobs() {
		require.NoError(w, w.s.Send(w.Context(), args, false))
	}
}

// run starts a run, sends its mails and returns the mail to a member, or nil.
func (w *env) run(member uuid.UUID) *mail.Message {
	w.Helper()
	w.start()
	w.sendAll()
	return w.mailTo(member)
}

func (w *env) mailTo(member uuid.UUID) *mail.Message {
	w.Helper()
	email := testkit.Select[string](w, w.Pool, `SELECT email FROM users WHERE id = $1`, member)
	for _, m := range w.outbox.mails {
		if m.To == email {
			return &m
		}
	}
	return nil
}

func (w *env) status() digest.RunStatus {
	w.Helper()
	status, err := w.s.Status(w.Context(), w.now)
	require.NoError(w, err)
	return status
}
