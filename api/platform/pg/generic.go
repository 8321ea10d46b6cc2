package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// GenericPlan sets, until the end of the transaction, that statements are planned without the values of their
// arguments, and that they read by indexes even where a table is small enough to be read whole: the plan is still used
// when the table has grown, until its next ANALYZE.
const GenericPlan = `SELECT
	set_config('plan_cache_mode', 'force_generic_plan', true),
	set_config('enable_seqscan', 'off', true),
	set_config('enable_mergejoin', 'off', true),
	set_config('enable_hashjoin', 'off', true),
	set_config('max_parallel_workers_per_gather', '0', true)`

// QueryGeneric runs a statement and collects its rows. Each connection plans it once, under GenericPlan, instead of for
// each call. It is for long statements that read few rows by indexes, whose planning takes longer than their
// execution. GenericPlan and the statement are one batch, which is one transaction and one round trip.
func QueryGeneric[T any](ctx context.Context, pool *pgxpool.Pool, sql string, args pgx.NamedArgs, collect func(pgx.Rows) (T, error)) (T, error) {
	var batch pgx.Batch
	batch.Queue(GenericPlan)
	batch.Queue(sql, args)
	results := pool.SendBatch(ctx, &batch)
	defer func() { _ = results.Close() }() // repeats an error that was returned
	if _, err := results.Exec(); err != nil {
		var none T
		return none, Fault(err)
	}
	rows, _ := results.Query()
	value, err := collect(rows)
	return value, Fault(err)
}
