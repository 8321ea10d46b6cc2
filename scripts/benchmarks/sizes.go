package main

import "time"

// The sizes of the benchmarks are variables, because a test runs every benchmark at its smallest size.
var (
	activityMembers  = 100_000
	activitySessions = 10_000

	badgeMembers = 2_000
	badgeLikes   = 200 // sent by each member
	badgeJobs    = 20_000

	chatPairs    = []int{1, 50, 500}
	warmUp       = 500 * time.Millisecond
	chatDuration = 5 * time.Second
	pacedRate    = pacedPairs // messages a second

	boardMembers = 20_000
	boardPosts   = []int{1_000, 100_000}
	boardLikes   = 1_000_000
	boardRounds  = 200

	digestMembers = 100_000
	plainUpdates  = 10_000 // rows of the upper bound, each of which is updated twice

	searchedMembers = []int{1_000, 10_000, 100_000, 1_000_000}
	searchBudget    = time.Second // each mix and number of clients takes three of these for the product's index, two for others

	jobsAtOnce  = 30_000
	backlogSize = 1_000 // jobs that are inserted at once, also those of badges; both numbers are multiples of it
	singleJobs  = 60

	liveSockets    = 5_000
	stalledSockets = 200
	floodFrames    = 10_000
	lossRounds     = 5
	foreignEvents  = 200_000

	memorySockets = 5_000

	// notifiedEvents is the number of events of the member: a quarter each of likes, matches, comments, and friends
	// who joined or completed their profiles.
	notifiedEvents = 100_000
	notifiedRuns   = 60
	skippedPages   = 200 // fewer than there are

	pushRound  = 500 * time.Millisecond
	pushRounds = 20
)
