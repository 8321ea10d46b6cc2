package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/fault"
)

// CheckWritable returns an error if PostgreSQL cannot write: its disk is full, or it is
// a standby or read-only. It makes the server write about 500 kB to a temporary file and
// one record to its WAL, without a lock or a change of a table.
func CheckWritable(ctx context.Context, pool *pgxpool.Pool) error {
	return TxDo(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL work_mem = '64kB'`); err != nil {
			return err
		}
		// The rows exceed work_mem, so the server writes them to the disk.
		var readOnly bool
		err := tx.QueryRow(ctx, `SELECT current_setting('transaction_read_only')::bool FROM generate_series(1, 20000) n WHERE n = 20000`).Scan(&readOnly)
		if err != nil {
			return err
		}
		if readOnly {
			return fault.New(fault.Unavailable, "PostgreSQL is read-only.")
		}
		_, err = tx.Exec(ctx, `SELECT pg_logical_emit_message(true, 'heartward', 'writable')`)
		return err
	})
}
