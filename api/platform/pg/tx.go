package pg

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DB is implemented by pools, connections and transactions.
type DB interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Tx runs fn in a transaction, commits it if fn returns no error, and returns the
// value of the run that was committed. After an error it returns the zero value.
//
// fn may run up to three times, because Tx repeats a transaction after a
// serialization failure or a deadlock. It must therefore have no effect outside
// the transaction: it returns its results and assigns to no variable of its
// caller. TestTransactions_AssignToNoOuterVariable enforces this. Errors are
// mapped by Fault.
func Tx[T any](ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx) (T, error)) (T, error) {
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
	return zero, Fault(fmt.Errorf("transaction failed after %d tries: %w", tries, err))
}

// TxDo is Tx for a function without a result.
func TxDo(ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx) error) error {
	_, err := Tx(ctx, pool, func(tx pgx.Tx) (struct{}, error) { return struct{}{}, fn(tx) })
	return err
}

func retryable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}
