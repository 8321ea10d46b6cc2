package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/platform/pg"
)

// mixes are the measured filters.
var mixes = []struct {
	name   string
	filter func() discovery.FilterSet
}{
	{"default", discovery.DefaultFilters},
	{"worst", looseFilters},
	{"every loose filter", allLooseFilters},
}

// looseFilters returns filters that accept every word and have no distance, so that the
// index on position and age does not help. They exclude members who have no word of a list.
func looseFilters() discovery.FilterSet {
	set := discovery.FilterSet{
		AgeRange: [2]int{18, 99}, ProfileCompleteness: 10, LastActiveWithin: "1m", IntentionTags: intentions,
		Compatibility: discovery.FilterCompatibility{MinCompatibilityScore: 10, PrioritizeNewUsers: true},
	}
	for i, words := range set.Lists() {
		*words = members.WordLists[i].Words
	}
	return set
}

// allLooseFilters returns looseFilters with a distance of half the earth's circumference
// and with recommendations. The remaining filters (town, answers, verified) exclude most
// members, which makes the search cheaper.
func allLooseFilters() discovery.FilterSet {
	set := looseFilters()
	set.Location.MaxDistance, set.MLRecommendations = new(12_430), true
	return set
}

// The engines to compare.
const (
	ours       = "index in memory"
	withGiST   = "SQL with GiST"
	bruteForce = "SQL, everyone"
)

// searchRun is the result for a number of members.
type searchRun struct {
	members              int
	seeding, gist, load  time.Duration
	bytes                int64                        // size of the in-memory index
	editVisible, preview time.Duration                // the longest of several runs
	timings              map[string]map[string]timing // by engine and mix
}

// benchDiscovery measures the search and plain SQL at each size, in one growing
// database, and prints the results.
func benchDiscovery(ctx context.Context, base string) error {
	address, drop, err := freshURL(ctx, base)
	if err != nil {
		return err
	}
	defer drop()
	pool, err := pg.Open(ctx, address, poolSize)
	if err != nil {
		return err
	}
	defer pool.Close()
	sqlPool, err := openSQLPool(ctx, address)
	if err != nil {
		return err
	}
	defer sqlPool.Close()
	w, err := newPopulation()
	if err != nil {
		return err
	}
	var runs []searchRun
	for _, size := range searchedMembers {
		run, failed := measureSearch(ctx, w, address, pool, sqlPool, size)
		if failed != nil {
			err = fmt.Errorf("discovery with %d members: %w", size, failed)
			break
		}
		runs = append(runs, run)
	}
	if len(runs) > 0 {
		report(os.Stdout, runs) // also after an error
	}
	return err
}

// measureSearch adds members until there are size of them, and measures the search.
func measureSearch(ctx context.Context, w *population, address string, pool, sqlPool *pgxpool.Pool, size int) (run searchRun, err error) {
	run = searchRun{members: size, timings: map[string]map[string]timing{}}
	fmt.Fprintf(os.Stderr, "%d members: seeding …\n", size)
	start := time.Now()
	if _, err := pool.Exec(ctx, `DROP INDEX IF EXISTS bench_near`); err != nil {
		return run, err
	}
	if err := w.addMembers(ctx, address, size); err != nil {
		return run, err
	}
	run.seeding = time.Since(start)
	start = time.Now()
	engines := []engine{{ours, nil}, {withGiST, nil}, {bruteForce, sqlEngine{sqlPool, false}.scores}}
	if err := createGiSTIndex(ctx, address); errors.Is(err, errNoGiST) {
		fmt.Println("Skipped:", err)
		engines = append(engines[:1], engines[2])
	} else if err != nil {
		return run, err
	} else {
		engines[1].scores = sqlEngine{sqlPool, true}.scores
	}
	run.gist = time.Since(start)
	viewers, err := w.viewers(ctx, pool)
	if err != nil {
		return run, err
	}
	service, took, stop, err := startNode(ctx, pool)
	if err != nil {
		return run, err
	}
	defer stop()
	run.load, run.bytes = took, int64(service.IndexStats().Bytes)
	engines[0].scores = func(ctx context.Context, me viewerData, f discovery.FilterSet) ([]int, error) {
		rows, _, err := service.Rank(ctx, me.ID, f, discovery.Page{Limit: 50})
		scores := make([]int, len(rows))
		for i, row := range rows {
			scores[i] = row.Score
		}
		return scores, err
	}
	if err := run.measureMixes(ctx, engines, viewers); err != nil {
		return run, err
	}
	if run.preview, err = measurePreview(ctx, service, viewers[:5]); err != nil {
		return run, err
	}
	run.editVisible, err = measureEditVisible(ctx, pool, service, viewers[0].ID)
	return run, err
}

// measureMixes measures each engine with each mix, after it has checked that all engines return the same scores.
func (run *searchRun) measureMixes(ctx context.Context, engines []engine, viewers []viewerData) error {
	for _, mix := range mixes {
		if err := compareEngines(ctx, engines, viewers[:5], mix.name, mix.filter()); err != nil {
			return err
		}
		for _, e := range engines {
			fmt.Fprintf(os.Stderr, "%d members, %s filters: %s …\n", run.members, mix.name, e.name)
			budget := 2 * searchBudget
			if e.name == ours {
				budget = 3 * searchBudget
			}
			t, err := e.measure(ctx, viewers, mix.filter(), budget)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", e.name, mix.name, err)
			}
			if run.timings[e.name] == nil {
				run.timings[e.name] = map[string]timing{}
			}
			run.timings[e.name][mix.name] = t
		}
	}
	return nil
}

// measurePreview returns the time of a preview in which no single filter can be relaxed
// with success, which tries all of them.
func measurePreview(ctx context.Context, s *discovery.Service, viewers []viewerData) (longest time.Duration, err error) {
	set := discovery.DefaultFilters()
	set.Location.City, set.HasVoiceGreeting, set.Compatibility.MinCompatibilityScore = "Nowhere at all", true, 80
	for _, me := range viewers {
		start := time.Now()
		found, err := s.Preview(ctx, me.ID, set, 0)
		if err != nil {
			return 0, err
		}
		if len(found.Suggestions) != 1 || found.Suggestions[0].Filter != "all" {
			return 0, fmt.Errorf("a preview suggests %+v instead of clearing all filters", found.Suggestions)
		}
		longest = max(longest, time.Since(start))
	}
	return longest, nil
}

// startNode starts a new node and waits until its index contains all members.
func startNode(ctx context.Context, pool *pgxpool.Pool) (s *discovery.Service, took time.Duration, stop func(), err error) {
	var searched int
	if err := pool.QueryRow(ctx, `SELECT count(*) FROM profiles WHERE is_searched`).Scan(&searched); err != nil {
		return nil, 0, nil, err
	}
	s = discovery.New(pool)
	ctx, cancel := context.WithCancel(ctx)
	ended, start := make(chan struct{}), time.Now()
	go func() { s.Follow(ctx); close(ended) }()
	stop = func() { cancel(); <-ended }
	for s.IndexStats().Members < searched {
		select {
		case <-ctx.Done():
			stop()
			return nil, 0, nil, ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	return s, time.Since(start), stop, nil
}

// measureEditVisible returns the time from the commit of an edit until a search on
// another node finds the member by the new value.
func measureEditVisible(ctx context.Context, pool *pgxpool.Pool, node *discovery.Service, viewer uuid.UUID) (longest time.Duration, err error) {
	for range 5 {
		var edited uuid.UUID
		town := "Newtown " + uuid.NewString() // a new town
		err := pool.QueryRow(ctx, `UPDATE users u SET city = $2, state = '', town_lat = NULL, town_lon = NULL WHERE id = (
				SELECT u.id FROM profiles u WHERE u.is_shown AND u.gender IS NULL AND u.id <> $1
				AND NOT EXISTS (SELECT FROM user_likes l WHERE l.from_user_id = $1 AND l.to_user_id = u.id)
				AND NOT EXISTS (SELECT FROM user_passes p WHERE p.from_user_id = $1 AND p.to_user_id = u.id)
				AND NOT EXISTS (SELECT FROM matches m WHERE $1 IN (m.user_a, m.user_b) AND u.id IN (m.user_a, m.user_b))
				AND NOT EXISTS (SELECT FROM blocks b WHERE $1 IN (b.blocker_id, b.blocked_id) AND u.id IN (b.blocker_id, b.blocked_id)) LIMIT 1)
			RETURNING id`, viewer, town).Scan(&edited)
		if err != nil {
			return 0, err
		}
		committed := time.Now()
		for {
			rows, _, err := node.Rank(ctx, viewer, discovery.FilterSet{Location: discovery.FilterLocation{City: town}}, discovery.Page{Limit: 1})
			if err != nil {
				return 0, err
			}
			if len(rows) == 1 && rows[0].ID == edited {
				break
			}
			if time.Since(committed) > 10*time.Second {
				return 0, errors.New("an edit is not visible on another node after ten seconds")
			}
			time.Sleep(time.Millisecond)
		}
		longest = max(longest, time.Since(committed))
	}
	return longest, nil
}
