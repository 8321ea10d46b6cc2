package jobs_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/config"
	"heartward/jobs"
)

// Checks every value of DATABASE_CONNS, for a process that only runs jobs and one that
// serves requests as well.
func TestQueues_HaveFewerWorkersThanThePoolHasConnections(t *testing.T) {
	t.Parallel()
	for conns := 12; conns <= 1000; conns++ {
		for _, serves := range []bool{false, true} {
			requests, jobConns := config.Config{DatabaseConns: conns}.Conns(serves, true)
			require.Equal(t, conns, requests+jobConns)
			require.Equal(t, serves, requests > 0)
			for _, recordings := range []bool{false, true} {
				queues, err := jobs.Queues(jobConns, recordings)
				require.NoError(t, err)
				require.Len(t, queues, map[bool]int{false: 4, true: 5}[recordings])
				workers := 0
				for name, queue := range queues {
					require.Positive(t, queue.MaxWorkers, name)
					workers += queue.MaxWorkers
				}
				require.Less(t, workers, jobConns)
				require.LessOrEqual(t, queues[media.Queue].MaxWorkers, runtime.GOMAXPROCS(0))
			}
		}
	}
	requests, jobConns := config.Config{DatabaseConns: 24}.Conns(true, false)
	require.Equal(t, []int{24, 0}, []int{requests, jobConns})
	_, err := jobs.Queues(5, true)
	require.ErrorContains(t, err, "too small")
}
