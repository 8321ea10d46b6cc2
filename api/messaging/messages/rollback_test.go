package messages_test

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/testkit"
)

// hookedInserter calls a function before it enqueues the first jobs.
type hookedInserter struct {
	jobqueue.Inserter
	first func() error
	once  sync.Once
}

func (j *hookedInserter) before() (err error) {
	j.once.Do(func() { err = j.first() })
	return err
}

func (j *hookedInserter) InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	if err := j.before(); err != nil {
		return nil, err
	}
	return j.Inserter.InsertTx(ctx, tx, args, opts)
}

func (j *hookedInserter) InsertManyTx(ctx context.Context, tx pgx.Tx, jobs []river.InsertManyParams) ([]*rivertype.JobInsertResult, error) {
	if err := j.before(); err != nil {
		return nil, err
	}
	return j.Inserter.InsertManyTx(ctx, tx, jobs)
}

// If a transaction is rolled back and retried, only the results of the second run are
// acknowledged.
func TestSend_RolledBackMessageIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]bool{"together": true, "alone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			a, b, _ := w.Pair()
			w.PushDevice(b)
			jobs := &hookedInserter{Inserter: w.Jobs, first: func() error { return nil }}
			s := messagingtest.NewService(w.Pool, w.Events, jobs, messages.Unguarded)
			if known { // the device cache contains b
				_, err := s.Messages.Send(context.Background(), a, messagingtest.Input(b, "first"))
				require.NoError(t, err)
			}
			jobs.once, jobs.first = sync.Once{}, func() error {
				w.Exec(`UPDATE users SET is_approved = false WHERE id = $1`, a.ID)
				return &pgconn.PgError{Code: "40P01"} // a deadlock, after which the transaction is retried
			}
			_, err := s.Messages.Send(context.Background(), a, messagingtest.Input(b, "rolled back"))
			testkit.RequireKind(t, err, fault.Forbidden)
			require.Zero(t, w.Count(`SELECT count(*) FROM messages WHERE content = 'rolled back'`))
		})
	}
}
