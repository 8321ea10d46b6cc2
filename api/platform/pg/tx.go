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

// TxValue runs fn in one transaction, commits when fn returns nil, and returns
// what the run that was committed returned; the zero value with an error.
// Serialization failures and deadlocks are tried again, at most three times in
// all, so fn must have no effect outside the transaction: it returns its
// results and assigns to no variable of its caller. Errors pass through Fault.
func TxValue[T any](ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx) (T, error)) (T, error) {
	const tries = 3
	var zero T
	var err error
	for range tries {
		var value T
		err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) (err error) {
			value, err = fn(tx)
			return err
		})
		if err == nil {
			return value, nil
		}
		if !retryable(err) {
			return zero, Fault(err)
		}
	}
	return zero, Fault(fmt.Errorf("transaction given up after %d tries: %w", tries, err))
}

// Tx is TxValue for a transaction without a result.
func Tx(ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx) error) error {
	_, err := TxValue(ctx, pool, func(tx pgx.Tx) (struct{}, error) { return struct{}{}, fn(tx) })
	return err
}

func retryable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}
