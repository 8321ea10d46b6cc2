package jobs_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/jobs"
)

// A clean-up that fails or runs does not count.
func TestCleanupAge_IsThatOfLastSuccess(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	add := func(kind, state, age string) {
		testkit.Exec(t, pool, `INSERT INTO river_job (kind, args, max_attempts, state, finalized_at)
			VALUES ($1, '{}', 1, $2::text::river_job_state, CASE WHEN $2::text <> 'running' THEN now() - $3::text::interval END)`, kind, state, age)
	}
	add("figures", "completed", "1 minute")
	add("cleanup", "discarded", "1 minute")
	add("cleanup", "running", "0")
	require.True(t, math.IsInf(jobs.CleanupAge(t.Context(), pool), 1))
	add("cleanup", "completed", "1 hour")
	add("cleanup", "completed", "10 minutes")
	require.InDelta(t, 600, jobs.CleanupAge(t.Context(), pool), 60)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.True(t, math.IsNaN(jobs.CleanupAge(canceled, pool)))
}
