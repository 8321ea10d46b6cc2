package jobs

import (
	"context"
	"math"
	"time"

	"heartward/api/platform/pg"
)

// CleanupAge returns the time since the last clean-up that succeeded, on any process. It returns +Inf if none did within the
// day for which River stores finished jobs, and NaN if it cannot be read within two seconds.
func CleanupAge(ctx context.Context, db pg.DB) (seconds float64) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var age *float64
	err := db.QueryRow(ctx, `
		SELECT extract(epoch FROM now() - max(finalized_at))::float8
		FROM river_job
		WHERE kind = $1
			AND state = 'completed'`, CleanupArgs{}.Kind()).Scan(&age)
	switch {
	case err != nil:
		return math.NaN()
	case age == nil:
		return math.Inf(1)
	default:
		return *age
	}
}
