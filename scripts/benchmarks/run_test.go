package main

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// TestMain is also the process of the measured server, which startServer begins with this executable.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == serveArg {
		main()
		return
	}
	os.Exit(m.Run())
}

// The benchmarks write and read tables by SQL of their own, and weeks may pass between two runs.
func TestRun_EveryBenchmarkAtItsSmallestSize(t *testing.T) {
	t.Chdir("../..") // as scripts/bench
	shrink(t)
	t.Setenv("DATABASE_URL", pgtest.ServerURL(t))
	for _, b := range benchmarks {
		t.Run(b.name, func(t *testing.T) { require.NoError(t, run(t.Context(), []string{b.name})) })
	}
}

func TestRun_RefusesUnknownNames(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), []string{"guard", "chess"}), `"chess"`)
}

func shrink(t *testing.T) {
	set(t, &activityMembers, 40)
	set(t, &activitySessions, 20)
	set(t, &badgeMembers, 10)
	set(t, &badgeLikes, 3)
	set(t, &badgeJobs, 60)
	set(t, &chatPairs, []int{2})
	set(t, &warmUp, 0)
	set(t, &chatDuration, 100*time.Millisecond)
	set(t, &pacedRate, 100*pacedPairs)
	set(t, &boardMembers, 20)
	set(t, &boardPosts, []int{20})
	set(t, &boardLikes, 40)
	set(t, &boardRounds, 2)
	set(t, &digestMembers, 700)
	set(t, &plainUpdates, 100)
	set(t, &searchedMembers, []int{1_000})
	set(t, &searchBudget, time.Millisecond)
	set(t, &jobsAtOnce, 60)
	set(t, &backlogSize, 60)
	set(t, &singleJobs, 2)
	set(t, &liveSockets, 20)
	set(t, &stalledSockets, 2)
	set(t, &floodFrames, 10)
	set(t, &lossRounds, 1)
	set(t, &foreignEvents, foreignBurst)
	set(t, &memorySockets, 20)
	set(t, &notifiedEvents, 400)
	set(t, &notifiedRuns, 2)
	set(t, &skippedPages, 2)
	set(t, &pushRound, 5*time.Millisecond)
	set(t, &pushRounds, 1)
}

// set changes a size until the test ends.
func set[T any](t *testing.T, size *T, to T) {
	before := *size
	*size = to
	t.Cleanup(func() { *size = before })
}
