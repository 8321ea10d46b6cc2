// Package jobqueue defines the interface by which features enqueue jobs.
package jobqueue

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Inserter enqueues jobs in the transaction of their cause. A River client is one.
type Inserter interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
	InsertManyTx(ctx context.Context, tx pgx.Tx, jobs []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
}
