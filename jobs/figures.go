package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/figures"
)

// figuresWorker stores the figures of the days and weeks that have ended.
type figuresWorker struct {
	river.WorkerDefaults[figures.StoreArgs]
	pool *pgxpool.Pool
}

func (w *figuresWorker) Work(ctx context.Context, _ *river.Job[figures.StoreArgs]) error {
	return figures.Store(ctx, w.pool, time.Now())
}
