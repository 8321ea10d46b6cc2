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

// Position is where a snapshot stands in the order of transactions.
type Position struct {
	// Database names this copy of the data. It changes when the data was put
	// back in time: positions of another copy mean nothing here.
	Database uuid.UUID
	Oldest   uint64 // every transaction before this one has ended
	Next     uint64 // this transaction and all later ones had not begun
}

// Precedes reports that what has changed between p and now can be told by
// transaction: both are of the same copy of the data, and p is not ahead.
func (p Position) Precedes(now Position) bool {
	return p.Database == now.Database && p.Oldest <= now.Next
}

// writtenHere is true while the identity's row is the one that was written
// here: a restore from a dump inserts it in another transaction (xmin).
const writtenHere = `(location = database_location() AND xmin = written_by::xid)`

var errRestored = errors.New("the database was restored")

// ReadSnapshot runs fn in a read-only transaction that sees one snapshot, whose
// position it passes. The first caller after a restore renews the database's
// identity. Errors are those of fn and pgx: map them with Fault.
func ReadSnapshot(ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx, at Position) error) error {
	read := func() error {
		return pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			at, err := readPosition(ctx, tx)
			if err != nil {
				return err
			}
			return fn(tx, at)
		})
	}
	err := read()
	if !errors.Is(err, errRestored) {
		return err
	}
	if err := renewIdentity(ctx, pool, `NOT `+writtenHere); err != nil {
		return err
	}
	slog.WarnContext(ctx, "the database was restored: indexes and devices load everything again")
	return read()
}

func readPosition(ctx context.Context, tx pgx.Tx) (Position, error) {
	var at Position
	var here bool
	err := tx.QueryRow(ctx, `
		SELECT id,
			`+writtenHere+`,
			pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
			pg_snapshot_xmax(pg_current_snapshot())::text::bigint
		FROM database_identity`).Scan(&at.Database, &here, &at.Oldest, &at.Next)
	if err == nil && !here {
		err = errRestored
	}
	return at, err
}

// RenewIdentity gives the database another identity: every search index and
// every device loads everything again.
func RenewIdentity(ctx context.Context, pool *pgxpool.Pool) error {
	return renewIdentity(ctx, pool, `true`)
}

// renewIdentity does nothing unless condition holds. Of several nodes that
// notice a restore at once, the first one renews.
func renewIdentity(ctx context.Context, pool *pgxpool.Pool, condition string) error {
	return Tx(ctx, pool, func(tx pgx.Tx) error {
		// The lock is taken by a statement of its own, so that the next one sees
		// what another node committed meanwhile.
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

// WatchIdentity calls renewed each time it finds that the database has got
// another identity, until ctx ends. It looks once in each interval.
func WatchIdentity(ctx context.Context, pool *pgxpool.Pool, interval time.Duration, renewed func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	var known uuid.UUID
	for {
		now := known
		err := ReadSnapshot(ctx, pool, func(_ pgx.Tx, at Position) error {
			now = at.Database
			return nil
		})
		if err == nil && known != uuid.Nil && now != known {
			renewed()
		}
		known = now
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
