package pg

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Position is the position of a snapshot in the order of transactions.
type Position struct {
	// Database identifies this copy of the data. It changes when the data is
	// restored from a backup: positions of different copies cannot be compared.
	Database uuid.UUID
	Oldest   uint64    // all transactions before this one have ended
	Next     uint64    // this transaction and all later ones had not begun
	Time     time.Time // now() in the transaction that read the snapshot
}

// Precedes reports whether the changes from p to now can be found by the transaction ids of rows:
// both positions belong to the same copy of the data, and p is not later.
func (p Position) Precedes(now Position) bool {
	return p.Database == now.Database && p.Oldest <= now.Next
}

// isOriginal is an SQL condition on database_identity that is false after a restore: the
// row then is at another location, or its xmin is not the transaction in written_by.
const isOriginal = `(location = database_location() AND xmin = written_by::xid)`

var errRestored = errors.New("the database was restored")

// ReadSnapshot runs fn in a read-only transaction that sees one snapshot, whose
// position it passes, and returns the value of fn. Like a function passed to Tx,
// fn assigns to no variable of its caller. The first caller after a restore renews
// the database's identity. Errors are those of fn and pgx: map them with Fault.
func ReadSnapshot[T any](ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx, at Position) (T, error)) (T, error) {
	value, err := readSnapshot(ctx, pool, fn)
	if !errors.Is(err, errRestored) {
		return value, err
	}
	if err := renewIdentity(ctx, pool, `NOT `+isOriginal); err != nil {
		return value, err
	}
	slog.WarnContext(ctx, "the database was restored: indexes and devices reload all data")
	return readSnapshot(ctx, pool, fn)
}

func readSnapshot[T any](ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx, at Position) (T, error)) (T, error) {
	var value T
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, pool, options, func(tx pgx.Tx) error {
		at, err := readPosition(ctx, tx)
		if err != nil {
			return err
		}
		value, err = fn(tx, at)
		return err
	})
	return value, err
}

func readPosition(ctx context.Context, tx pgx.Tx) (Position, error) {
	var at Position
	var original bool
	err := tx.QueryRow(ctx, `
		SELECT id,
			`+isOriginal+`,
			pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
			pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
			now()
		FROM database_identity`).Scan(&at.Database, &original, &at.Oldest, &at.Next, &at.Time)
	if err == nil && !original {
		err = errRestored
	}
	return at, err
}

// RenewIdentity gives the database a new identity, after which every search index and
// every device reloads all data.
func RenewIdentity(ctx context.Context, pool *pgxpool.Pool) error {
	return renewIdentity(ctx, pool, `true`)
}

// renewIdentity renews the identity if the SQL condition is true. If several nodes detect
// a restore at the same time, only the first one renews it.
func renewIdentity(ctx context.Context, pool *pgxpool.Pool, condition string) error {
	return TxDo(ctx, pool, func(tx pgx.Tx) error {
		// A separate statement takes the lock, so that the next one sees what
		// another node committed while this one waited.
		if _, err := tx.Exec(ctx, `SELECT FROM database_identity FOR UPDATE`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			UPDATE database_identity
			SET id = gen_random_uuid(),
				location = database_location(),
				written_by = pg_current_xact_id()
			WHERE `+condition)
		return err
	})
}

// WatchIdentity reads the identity of the database once per interval until ctx is
// done, and calls renewed each time it has changed.
func WatchIdentity(ctx context.Context, pool *pgxpool.Pool, interval time.Duration, renewed func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	var known uuid.UUID
	for {
		now, err := ReadSnapshot(ctx, pool, func(_ pgx.Tx, at Position) (uuid.UUID, error) { return at.Database, nil })
		if err == nil {
			if known != uuid.Nil && now != known {
				renewed()
			}
			known = now
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
