package messaging_test

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
)

// atJobs does something before jobs are put into a transaction.
type atJobs struct {
	messaging.Inserter
	first func() error
	once  sync.Once
}

func (j *atJobs) before() (err error) {
	j.once.Do(func() { err = j.first() })
	return err
}

func (j *atJobs) InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	if err := j.before(); err != nil {
		return nil, err
	}
	return j.Inserter.InsertTx(ctx, tx, args, opts)
}

func (j *atJobs) InsertManyTx(ctx context.Context, tx pgx.Tx, jobs []river.InsertManyParams) ([]*rivertype.JobInsertResult, error) {
	if err := j.before(); err != nil {
		return nil, err
	}
	return j.Inserter.InsertManyTx(ctx, tx, jobs)
}

// What a transaction stored that is then run again counts as stored only where
// the second run stored it as well.
func TestWhatWasRolledBackIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]bool{"together": true, "alone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			a, b := w.pair()
			w.pushDevice(b)
			jobs := &atJobs{Inserter: w.jobs, first: func() error { return nil }}
			s := newService(w.pool, w.events, jobs, messaging.Unguarded)
			if known { // that b has a device
				_, err := s.Send(context.Background(), a, input(b, "first"))
				require.NoError(t, err)
			}
			jobs.once, jobs.first = sync.Once{}, func() error {
				w.exec(`UPDATE users SET is_approved = false WHERE id = $1`, a.ID)
				return &pgconn.PgError{Code: "40P01"} // a deadlock: it is run again
			}
			_, err := s.Send(context.Background(), a, input(b, "lost?"))
			requireKind(t, err, fault.Forbidden)
			require.Zero(t, w.count(`SELECT count(*) FROM messages WHERE content = 'lost?'`))
		})
	}
}
