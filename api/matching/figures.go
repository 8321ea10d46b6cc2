package matching

import (
	"context"
	"time"

	"heartward/api/platform/pg"
)

// CountMatches returns how many matches of the present members began from a time until
// before another. Ended ones count.
func CountMatches(ctx context.Context, db pg.DB, from, until time.Time) (n int, err error) {
	err = db.QueryRow(ctx, `
		SELECT count(*)
		FROM matches
		WHERE created_at >= $1
			AND created_at < $2`, from, until).Scan(&n)
	return n, pg.Fault(err)
}
