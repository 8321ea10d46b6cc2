package blobs

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/pg"
)

// removalClaim is a file whose blobs this process deletes until the claim ends.
type removalClaim struct {
	found bool
	file  uuid.UUID
	until time.Time
}

// claimRemoval claims one file, due or not. It waits for a transaction that inserts
// the file, and finds nothing when that commits.
func claimRemoval(ctx context.Context, pool *pgxpool.Pool, file uuid.UUID) (removalClaim, error) {
	return scanClaim(pool.QueryRow(ctx, `
		UPDATE blob_removals b
		SET claimed_until = now() + $1::interval
		WHERE b.file_id = $2
			AND (b.claimed_until IS NULL OR b.claimed_until < now())
			AND NOT EXISTS (SELECT FROM retained_files r WHERE r.file_id = b.file_id)
		RETURNING b.file_id, b.claimed_until`, claimLease, file))
}

// claimDueRemoval claims the file that has been due for longest. Rows that other
// transactions have locked are skipped.
func claimDueRemoval(ctx context.Context, pool *pgxpool.Pool) (removalClaim, error) {
	return scanClaim(pool.QueryRow(ctx, `
		UPDATE blob_removals
		SET claimed_until = now() + $1::interval
		WHERE file_id = (
			SELECT b.file_id
			FROM blob_removals b
			WHERE b.due_at < now()
				AND (b.claimed_until IS NULL OR b.claimed_until < now())
				AND NOT EXISTS (SELECT FROM retained_files r WHERE r.file_id = b.file_id)
			ORDER BY b.due_at
			LIMIT 1
			FOR UPDATE SKIP LOCKED
		)
		RETURNING file_id, claimed_until`, claimLease))
}

func scanClaim(row pgx.Row) (removalClaim, error) {
	var claim removalClaim
	err := row.Scan(&claim.file, &claim.until)
	if errors.Is(err, pgx.ErrNoRows) {
		return removalClaim{}, nil
	}
	claim.found = err == nil
	return claim, pg.Fault(err)
}

// finishRemoval deletes the mark, unless the file was marked again or another process
// has claimed it since.
func finishRemoval(ctx context.Context, pool *pgxpool.Pool, claim removalClaim) error {
	_, err := pool.Exec(ctx, `DELETE FROM blob_removals WHERE file_id = $1 AND claimed_until = $2`, claim.file, claim.until)
	return pg.Fault(err)
}

// endClaim ends the claim early, so that any process can claim the file.
func endClaim(ctx context.Context, pool *pgxpool.Pool, claim removalClaim) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, err := pool.Exec(ctx, `UPDATE blob_removals SET claimed_until = now() WHERE file_id = $1 AND claimed_until = $2`, claim.file, claim.until)
	return pg.Fault(err)
}
