package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/members"
)

// townsWorker sets the positions of towns that were not known before.
type townsWorker struct {
	river.WorkerDefaults[members.LocateTownsArgs]
	pool *pgxpool.Pool
}

func (w *townsWorker) Work(ctx context.Context, _ *river.Job[members.LocateTownsArgs]) error {
	return members.LocateTowns(ctx, w.pool)
}
