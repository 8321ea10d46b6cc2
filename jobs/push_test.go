package jobs_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/jobs"
	"heartward/push"
)

// pushService is a local push service whose responses a test sets.
type pushService struct {
	*httptest.Server
	mu      sync.Mutex
	respond http.HandlerFunc
	bodies  []int // sizes of the received pushes
}

func newPushService(t *testing.T, respond http.HandlerFunc) *pushService {
	t.Helper()
	s := &pushService{respond: respond}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.bodies = append(s.bodies, len(body))
		respond := s.respond
		s.mu.Unlock()
		respond(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *pushService) setResponse(respond http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.respond = respond
}

func (s *pushService) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

// sender returns a sender that allows this service only.
func (s *pushService) sender(t *testing.T) push.Sender {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	public, private, err := push.NewKeys()
	require.NoError(t, err)
	return push.NewSender(push.Options{
		PublicKey: public, PrivateKey: private, Subject: "ops@heartward.test", Hosts: []string{u.Host},
		AllowPrivate: true, TLS: &tls.Config{RootCAs: roots},
	})
}

// startWorkers starts workers that push with sender. killWorkers stops them without
// waiting for running jobs, like the kill of a process.
func startWorkers(t *testing.T, pool *pgxpool.Pool, sender push.Sender) (client *jobs.Client, killWorkers func()) {
	t.Helper()
	return startWorkersWith(t, pool, newDeps(t, pool, sender))
}

func startWorkersWith(t *testing.T, pool *pgxpool.Pool, deps jobs.Deps) (client *jobs.Client, killWorkers func()) {
	t.Helper()
	workers, err := jobs.New(pool, deps)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	require.NoError(t, workers.Start(ctx))
	killWorkers = sync.OnceFunc(func() {
		cancel()
		stop, end := context.WithTimeout(context.Background(), 15*time.Second)
		defer end()
		_ = workers.StopAndCancel(stop)
	})
	t.Cleanup(killWorkers)
	return workers.Client, killWorkers
}

// conversation stores a conversation of two new members, the second of whom has a
// device at address.
func conversation(t *testing.T, pool *pgxpool.Pool, address string) (id, from, to uuid.UUID) {
	t.Helper()
	from, to, id = member(t, pool, "Maya"), member(t, pool, "Bea"), uuid.Must(uuid.NewV7())
	testkit.Exec(t, pool, `INSERT INTO conversations (id, user_a, user_b) VALUES ($1, $2, $3)`, id, from, to)
	device(t, pool, to)
	testkit.Exec(t, pool, `UPDATE push_subscriptions SET endpoint = $1 WHERE user_id = $2`, fmt.Sprintf("%s/to/%s", address, to), to)
	return id, from, to
}

// write stores an old message of from and enqueues its job.
func write(t *testing.T, pool *pgxpool.Pool, client *jobs.Client, id, from, to uuid.UUID) {
	t.Helper()
	writeAll(t, pool, client, id, from, to, 1)
}

// writeAll stores several messages and jobs in one transaction.
func writeAll(t *testing.T, pool *pgxpool.Pool, client *jobs.Client, id, from, to uuid.UUID, count int) {
	t.Helper()
	require.NoError(t, pgx.BeginFunc(context.Background(), pool, func(tx pgx.Tx) error {
		for range count {
			if _, err := tx.Exec(context.Background(), `UPDATE conversations SET last_seq = last_seq + 1 WHERE id = $1`, id); err != nil {
				return err
			}
			if _, err := tx.Exec(context.Background(), `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
				SELECT gen_random_uuid(), id, last_seq, $2, gen_random_uuid(), 'message ' || last_seq, now() - interval '10 s' FROM conversations WHERE id = $1`, id, from); err != nil {
				return err
			}
			if _, err := client.InsertTx(context.Background(), tx, messages.NotifyArgs{ConversationID: id, RecipientID: to}, nil); err != nil {
				return err
			}
		}
		return nil
	}))
}

// makeAvailable makes the scheduled jobs of a kind available now.
func makeAvailable(t *testing.T, pool *pgxpool.Pool, kind string) {
	t.Helper()
	testkit.Exec(t, pool, `UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE kind = $1 AND state IN ('scheduled', 'retryable')`, kind)
}

type jobState struct {
	state string
	wait  time.Duration
}

// pushJob waits until the only push has one of these states.
func pushJob(t *testing.T, pool *pgxpool.Pool, states ...string) (job jobState) {
	t.Helper()
	require.Eventually(t, func() bool {
		err := pool.QueryRow(context.Background(), `SELECT state, scheduled_at - now() FROM river_job WHERE kind = 'push' AND state = ANY ($1)`, states).
			Scan(&job.state, &job.wait)
		return err == nil
	}, testkit.Timeout, 20*time.Millisecond)
	return job
}

func TestPush_FiveMessagesAreOneNotification(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	sent := make(sentPushes, 10)
	client, _ := startWorkers(t, pool, sent)
	id, from, to := conversation(t, pool, "https://push.test")
	writeAll(t, pool, client, id, from, to, 5)
	makeAvailable(t, pool, "notify")
	var payload struct {
		Notification struct{ Title, Body, Tag string }
	}
	m := testkit.Receive(t, sent, "the push")
	require.NoError(t, json.Unmarshal(m.Payload, &payload))
	require.Equal(t, "5 new messages from Maya", payload.Notification.Title)
	require.Equal(t, "message 5", payload.Notification.Body)
	pushJob(t, pool, "completed")
	require.Empty(t, sent)
}

func TestPush_RetriesOrEndsByTheStatusOfTheService(t *testing.T) {
	t.Parallel()
	status := func(code int, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if len(header) > 0 {
				w.Header().Set("Retry-After", header[0])
			}
			w.WriteHeader(code)
		}
	}
	var first sync.Once
	for name, c := range map[string]struct {
		respond http.HandlerFunc
		state   string
		devices int
		minWait time.Duration // the delay of the retry
		maxWait time.Duration
		pushes  int
	}{
		"201":       {status(201), "completed", 1, -time.Minute, 0, 1},
		"404":       {status(404), "completed", 0, -time.Minute, 0, 1},
		"410":       {status(410), "completed", 0, -time.Minute, 0, 1},
		"413 twice": {status(413), "cancelled", 1, -time.Minute, 0, 2},
		"413 for the long body only": {func(w http.ResponseWriter, _ *http.Request) {
			code := 201
			first.Do(func() { code = 413 })
			w.WriteHeader(code)
		}, "completed", 1, -time.Minute, 0, 2},
		"429 with Retry-After":    {status(429, "120"), "scheduled", 1, 110 * time.Second, 120 * time.Second, 1},
		"429 without Retry-After": {status(429), "retryable", 1, 20 * time.Second, time.Minute, 1},
		"500":                     {status(500), "retryable", 1, 20 * time.Second, time.Minute, 1},
		"403":                     {status(403), "cancelled", 1, -time.Minute, 0, 1},
		"a redirect":              {status(307), "cancelled", 1, -time.Minute, 0, 1},
		"a broken connection":     {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "retryable", 1, 20 * time.Second, time.Minute, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := newPushService(t, c.respond)
			pool := pgtest.New(t)
			client, _ := startWorkers(t, pool, service.sender(t))
			id, from, to := conversation(t, pool, service.URL)
			write(t, pool, client, id, from, to)
			makeAvailable(t, pool, "notify")
			job := pushJob(t, pool, "completed", "cancelled", "scheduled", "retryable")
			require.Equal(t, c.state, job.state)
			require.GreaterOrEqual(t, job.wait, c.minWait)
			require.LessOrEqual(t, job.wait, c.maxWait)
			devices := testkit.Select[int](t, pool, `SELECT count(*) FROM push_subscriptions`)
			require.Equal(t, c.devices, devices)
			require.Equal(t, c.pushes, service.count())
			if c.state != "retryable" {
				return
			}
			service.setResponse(status(201))
			makeAvailable(t, pool, "push")
			pushJob(t, pool, "completed")
			require.Equal(t, c.pushes+1, service.count(), "the push is retried once")
		})
	}
}

// Another worker runs the job of a worker that died before the response. The device may
// receive the push twice, and shows one notification.
func TestPush_KilledWorkerCausesNoSecondNotification(t *testing.T) {
	t.Parallel()
	received := make(chan push.Message, 10)
	pool := pgtest.New(t)
	client, killWorkers := startWorkers(t, pool, hangingSender{received})
	id, from, to := conversation(t, pool, "https://push.test")
	write(t, pool, client, id, from, to)
	makeAvailable(t, pool, "notify")
	first := testkit.Receive(t, received, "the first push") // without a response
	killWorkers()
	sent := make(sentPushes, 10)
	startWorkers(t, pool, sent)
	makeAvailable(t, pool, "push")
	second := testkit.Receive(t, sent, "the push of another worker")
	require.Equal(t, tagOf(t, first), tagOf(t, second))
	require.Equal(t, first.Topic, second.Topic)
	pushJob(t, pool, "completed")
	require.Empty(t, sent)
}

// hangingSender is a sender that does not return before its context ends.
type hangingSender struct{ received chan push.Message }

func (h hangingSender) Send(ctx context.Context, _ push.Subscription, m push.Message) push.Result {
	h.received <- m
	<-ctx.Done()
	return push.Result{Outcome: push.Later, Err: ctx.Err()}
}

func tagOf(t *testing.T, m push.Message) string {
	t.Helper()
	var payload struct{ Notification struct{ Tag string } }
	require.NoError(t, json.Unmarshal(m.Payload, &payload))
	require.NotEmpty(t, payload.Notification.Tag)
	return payload.Notification.Tag
}
