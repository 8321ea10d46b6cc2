package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/delivery"
	"heartward/api/export"
	"heartward/api/platform/mail"
	"heartward/api/platform/mail/mailtest"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/jobs"
)

// mailJobs are running workers that send to a mail server over SMTP.
type mailJobs struct {
	testkit.DB
	server *mailtest.Server
	client *jobs.Client
	email  string // of a member with an export
	args   export.ReadyArgs
}

func startMailJobs(t *testing.T) *mailJobs {
	t.Helper()
	w := &mailJobs{DB: testkit.DB{TB: t, Pool: pgtest.New(t)}, server: mailtest.New(t)}
	w.client = w.start().Client
	ann := w.Member("Ann")
	w.email = testkit.Select[string](t, w.Pool, `SELECT email FROM users WHERE id = $1`, ann.ID)
	w.args = export.ReadyArgs{ExportID: uuid.Must(uuid.NewV7()), MemberID: ann.ID}
	w.Exec(`INSERT INTO exports (id, user_id, file_id, bytes, ready_at) VALUES ($1, $2, $1, 1, now())`, w.args.ExportID, ann.ID)
	return w
}

// start starts workers whose mails go to the server. They end with the test.
func (w *mailJobs) start() *jobs.Workers {
	w.Helper()
	sender, err := mail.NewSMTP(w.server.URL, "hello@heartward.test")
	require.NoError(w, err)
	deps := newDeps(w.TB.(*testing.T), w.Pool, make(sentPushes, 10))
	deps.Mail = delivery.New(w.Pool, sender, pgtest.Jobs(w, w.Pool), delivery.Config{Secret: []byte("secret")})
	workers, err := jobs.New(w.Pool, deps)
	require.NoError(w, err)
	require.NoError(w, workers.Start(context.Background()))
	w.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
		defer cancel()
		_ = workers.Stop(ctx)
	})
	return workers
}

func (w *mailJobs) enqueue() {
	w.Helper()
	require.NoError(w, pgx.BeginFunc(context.Background(), w.Pool, func(tx pgx.Tx) error {
		_, err := w.client.InsertTx(context.Background(), tx, w.args, nil)
		return err
	}))
}

// waitFor waits until the job has a state.
func (w *mailJobs) waitFor(condition string) {
	w.Helper()
	require.Eventually(w, func() bool {
		return exists(w.Pool, `SELECT EXISTS (SELECT FROM river_job WHERE kind = '`+w.args.Kind()+`' AND `+condition+`)`)
	}, testkit.Timeout, 20*time.Millisecond, condition)
}

func exists(pool *pgxpool.Pool, sql string) (found bool) {
	err := pool.QueryRow(context.Background(), sql).Scan(&found)
	return err == nil && found
}

// A mail that the server does not take now is sent again for two days, whatever the number of attempts, and uses none.
func TestMail_TemporaryFailureIsSnoozedUntilItsDeadline(t *testing.T) {
	t.Parallel()
	w := startMailJobs(t)
	w.server.Refuse("RCPT", "451 4.7.1 greylisted")
	w.enqueue()
	for n := range 3 {
		w.waitFor(`state = 'scheduled' AND (metadata->>'snoozes')::int = ` + string(rune('1'+n)))
		require.Equal(t, n+1, w.server.Tries(w.email))
		require.Zero(t, w.Count(`SELECT attempt FROM river_job WHERE kind = $1`, w.args.Kind()), "a snooze uses no attempt")
		w.Exec(`UPDATE river_job SET created_at = created_at - interval '10 hours', state = 'available', scheduled_at = now() WHERE kind = $1`, w.args.Kind())
	}
	w.waitFor(`state = 'scheduled' AND scheduled_at > now() + interval '110 minutes'`)
	w.server.Accept()
	w.Exec(`UPDATE river_job SET state = 'available', scheduled_at = now() WHERE kind = $1`, w.args.Kind())
	w.waitFor(`state = 'completed'`)
	require.Len(t, w.server.Mails(w.email), 1)
}

func TestMail_TemporaryFailureEndsAfterTwoDays(t *testing.T) {
	t.Parallel()
	w := startMailJobs(t)
	w.server.Refuse("RCPT", "451 4.7.1 greylisted")
	w.enqueue()
	w.waitFor(`state = 'scheduled'`)
	w.Exec(`UPDATE river_job SET created_at = now() - interval '49 hours', state = 'available', scheduled_at = now() WHERE kind = $1`, w.args.Kind())
	w.waitFor(`state = 'cancelled'`)
	require.Equal(t, 2, w.server.Tries(w.email))
}

func TestMail_PermanentFailureEndsTheJob(t *testing.T) {
	t.Parallel()
	w := startMailJobs(t)
	w.server.Refuse("RCPT", "550 5.1.1 unknown")
	w.enqueue()
	w.waitFor(`state = 'cancelled'`)
	require.Equal(t, 1, w.server.Tries(w.email))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM mail_suppressions WHERE reason = 'no_mailbox'`))
}

// A mail that the server may have is sent three times at most.
func TestMail_UnknownOutcomeIsRepeatedTwice(t *testing.T) {
	t.Parallel()
	w := startMailJobs(t)
	w.server.Refuse(".", mailtest.DropAfter)
	w.enqueue()
	require.Eventually(t, func() bool {
		w.Exec(`UPDATE river_job SET state = 'available', scheduled_at = now() WHERE kind = $1 AND state = 'retryable'`, w.args.Kind())
		return exists(w.Pool, `SELECT EXISTS (SELECT FROM river_job WHERE kind = '`+w.args.Kind()+`' AND state = 'cancelled')`)
	}, testkit.Timeout, 20*time.Millisecond)
	sent := w.server.Mails(w.email)
	require.Len(t, sent, 3)
	require.Equal(t, sent[0].Header("Message-ID"), sent[2].Header("Message-ID"))
}

// The process ends while the server has the mail and has not answered. Another one sends it again, with the same Message-ID.
func TestMail_KilledWorkerLosesNoMail(t *testing.T) {
	t.Parallel()
	w := startMailJobs(t)
	inData, goOn := make(chan struct{}, 1), make(chan struct{})
	w.server.Answer(func(command, _ string) string {
		if command == "." {
			inData <- struct{}{}
			<-goOn
			return mailtest.Drop
		}
		return ""
	})
	t.Cleanup(func() { close(goOn) })
	w.enqueue()
	testkit.Receive(t, inData, "the content of the mail")
	w.server.Accept()
	// As the process that finds the other one gone does.
	w.Exec(`UPDATE river_job SET state = 'available', scheduled_at = now() WHERE kind = $1`, w.args.Kind())
	require.Eventually(t, func() bool { return len(w.server.Mails(w.email)) == 1 }, testkit.Timeout, 20*time.Millisecond)
	require.Eventually(t, func() bool {
		return exists(w.Pool, `SELECT EXISTS (SELECT FROM mail_deliveries WHERE state = 'sent' AND attempts = 2)`)
	}, testkit.Timeout, 20*time.Millisecond)
}
