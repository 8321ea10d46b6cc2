package delivery_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/delivery"
	"heartward/api/platform/mail"
	"heartward/api/platform/mail/mailtest"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// env is a Service that sends to a mail server over SMTP.
type env struct {
	*delivery.Service
	testkit.DB
	server *mailtest.Server
	ann    web.Actor
	email  string // of ann

	mu    sync.Mutex
	ended []uuid.UUID // members whose digest a complaint has ended
}

func newEnv(t *testing.T, change ...func(*delivery.Config)) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), server: mailtest.New(t)}
	sender, err := mail.NewSMTP(w.server.URL, "hello@heartward.test")
	require.NoError(t, err)
	config := delivery.Config{Secret: []byte("secret of a test"), Bounces: "bounces@heartward.test"}
	for _, fn := range change {
		fn(&config)
	}
	w.Service = delivery.New(w.Pool, sender, pgtest.Jobs(t, w.Pool), config)
	w.EndKindBy(mail.Digests, func(_ context.Context, _ pg.DB, member uuid.UUID) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.ended = append(w.ended, member)
		return nil
	})
	w.ann = w.Member("Ann")
	w.email = testkit.Select[string](t, w.Pool, `SELECT email FROM users WHERE id = $1`, w.ann.ID)
	return w
}

// send sends a mail of a kind to ann.
func (w *env) send(kind mail.Kind, id string) error {
	return w.Send(w.Context(), mail.Message{To: w.email, Subject: "A mail", Text: "text", ID: id, Kind: kind})
}

// unsent sends a mail that is not accepted.
func (w *env) unsent(kind mail.Kind, id string) *mail.UnsentError {
	w.Helper()
	var unsent *mail.UnsentError
	require.ErrorAs(w, w.send(kind, id), &unsent)
	return unsent
}

func (w *env) state(id string) string {
	w.Helper()
	return testkit.Select[string](w, w.Pool, `SELECT state FROM mail_deliveries WHERE message_id = $1`, id)
}

func (w *env) changes() int {
	w.Helper()
	return w.Count(`SELECT count(*) FROM river_job WHERE kind = 'mail_problem_changed'`)
}

func (w *env) problem() *delivery.MailProblem {
	w.Helper()
	p, err := w.Problem(w.Context(), w.ann.ID)
	require.NoError(w, err)
	return p
}
