package pg

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DB is what a store function needs: the pool, a connection or a transaction.
type DB interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Tx runs fn in one transaction and commits when fn returns nil. Serialization
// failures and deadlocks are tried again, at most three times in all, so fn
// must have no effect outside the transaction. Errors pass through Fault.
func Tx(ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx) error) error {
	const tries = 3
	var err error
	for range tries {
		if err = pgx.BeginFunc(ctx, pool, fn); !retryable(err) {
			return Fault(err)
		}
	}
	return Fault(fmt.Errorf("transaction given up after %d tries: %w", tries, err))
}

func retryable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}
