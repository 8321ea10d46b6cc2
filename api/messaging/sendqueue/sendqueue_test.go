package sendqueue

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestQueue_BatchHasTheFirstValueOfEachLane(t *testing.T) {
	t.Parallel()
	s, ctx := &storage{}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) { c.Workers = 1 })
	var all []<-chan Result[string]
	for _, lane := range []string{"a", "b", "c"} {
		for n := range 3 {
			all = append(all, enqueue(ctx, t, q, lane, fmt.Sprint(lane, n)))
		}
	}
	require.Empty(t, s.stored(), "nothing is stored before Start")
	require.Equal(t, 9, q.Stats().Depth)
	q.Start()
	for i, done := range all {
		r := <-done
		require.NoError(t, r.Err)
		require.Equal(t, fmt.Sprintf("stored %c%d", "abc"[i/3], i%3), r.Value)
	}
	require.Equal(t, [][]string{{"a0", "b0", "c0"}, {"a1", "b1", "c1"}, {"a2", "b2", "c2"}}, s.stored())
	q.Pause()()
	require.Equal(t, Stats{Depth: 0, Accepted: 9, Batches: 3}, q.Stats())
}

func TestQueue_BatchIsLimited(t *testing.T) {
	t.Parallel()
	s, ctx := &storage{}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) { c.Workers, c.MaxBatch = 1, 2 })
	for _, lane := range []string{"a", "b", "c", "d", "e"} {
		enqueue(ctx, t, q, lane, lane)
	}
	q.Start()
	require.NoError(t, q.Stop(ctx))
	require.Equal(t, [][]string{{"a", "b"}, {"c", "d"}, {"e"}}, s.stored())
}

func TestQueue_SameIDIsNotInOneBatch(t *testing.T) {
	t.Parallel()
	s, ctx := &storage{}, context.Background()
	q := newQueue(t, s, nil)
	enqueueItem(ctx, t, q, Item[string]{Lane: key("a"), ID: key("id"), Value: "first"})
	enqueueItem(ctx, t, q, Item[string]{Lane: key("b"), ID: key("id"), Value: "second"})
	enqueue(ctx, t, q, "c", "other")
	q.Start()
	require.NoError(t, q.Stop(ctx))
	require.Equal(t, [][]string{{"first", "other"}, {"second"}}, s.stored())
}

func TestQueue_MergedValuesShareAResultAndASlot(t *testing.T) {
	t.Parallel()
	s, ctx := &storage{}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) {
		c.Capacity = 3
		c.Merge = func(earlier, later string) (string, bool) { return max(earlier, later), later != "other" }
	})
	one, two := enqueue(ctx, t, q, "a", "1"), enqueue(ctx, t, q, "a", "other")
	three := enqueue(ctx, t, q, "a", "3")
	four := enqueue(ctx, t, q, "a", "2") // uses the slot that the merged value freed
	require.Equal(t, 2, q.Stats().Depth)
	q.Start()
	for _, done := range []<-chan Result[string]{one, three, four} {
		require.Equal(t, Result[string]{Value: "stored 3"}, <-done)
	}
	require.Equal(t, Result[string]{Value: "stored other"}, <-two)
}

func TestQueue_GroupsCompleteOneAfterTheOther(t *testing.T) {
	t.Parallel()
	slow := make(chan struct{})
	s, ctx := &storage{before: func(value string) {
		if value == "slow" {
			<-slow
		}
	}}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) {
		c.Group = func(values []string) []int {
			numbers := make([]int, len(values))
			for i, value := range values {
				if value == "slow" {
					numbers[i] = 1
				}
			}
			return numbers
		}
	})
	late := enqueue(ctx, t, q, "a", "slow")
	early := []<-chan Result[string]{enqueue(ctx, t, q, "b", "b"), enqueue(ctx, t, q, "c", "c")}
	q.Start()
	for _, done := range early {
		require.NoError(t, (<-done).Err)
	}
	require.Empty(t, late)
	close(slow)
	require.NoError(t, (<-late).Err)
	require.Equal(t, [][]string{{"b", "c"}, {"slow"}}, s.stored())
	require.Equal(t, []int{0, 1}, s.groups)
}

func TestQueue_ValueStoredSeparatelyDelaysItsLaneOnly(t *testing.T) {
	t.Parallel()
	locked, s, ctx := make(chan struct{}), &storage{}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) {
		c.StoreBatch = func(ctx context.Context, group int, values []string) []Result[string] {
			results := s.storeBatch(ctx, group, values)
			for i, value := range values {
				if value == "locked" {
					results[i].Err = ErrStoreSeparately
				}
			}
			return results
		}
		c.StoreOne = func(ctx context.Context, value string) (string, error) {
			<-locked
			return s.storeOne(ctx, value)
		}
	})
	first, next := enqueue(ctx, t, q, "a", "locked"), enqueue(ctx, t, q, "a", "next")
	free := enqueue(ctx, t, q, "b", "free")
	q.Start()
	require.NoError(t, (<-free).Err)
	require.NoError(t, (<-enqueue(ctx, t, q, "b", "more")).Err)
	require.Empty(t, first)
	require.Empty(t, next)
	close(locked)
	require.Equal(t, Result[string]{Value: "stored locked alone"}, <-first)
	require.Equal(t, Result[string]{Value: "stored next"}, <-next)
}

func TestQueue_CallersWaitWhenItIsFull(t *testing.T) {
	t.Parallel()
	s, ctx := &storage{}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) { c.Capacity = 2 })
	one, two := enqueue(ctx, t, q, "a", "1"), enqueue(ctx, t, q, "a", "2")
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err := q.Do(cancelled, Item[string]{Lane: key("a"), ID: key("3"), Value: "3"})
	require.ErrorIs(t, err, ErrAbandoned)
	require.ErrorIs(t, err, context.Canceled)
	q.Start()
	require.NoError(t, (<-one).Err)
	require.NoError(t, (<-two).Err)
	require.NoError(t, (<-enqueue(ctx, t, q, "a", "4")).Err)
	require.Equal(t, [][]string{{"1"}, {"2"}, {"4"}}, s.stored(), "a value that was not accepted is not stored")
}

func TestQueue_AbandonedValueIsStored(t *testing.T) {
	t.Parallel()
	s := &storage{}
	q := newQueue(t, s, nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := enqueue(ctx, t, q, "a", "abandoned")
	cancel()
	require.ErrorIs(t, (<-done).Err, ErrAbandoned)
	q.Start()
	require.NoError(t, q.Stop(context.Background()))
	require.Equal(t, [][]string{{"abandoned"}}, s.stored())
}

// The goroutine of a caller stores other values only while the caller waits.
func TestQueue_CallerThatStopsWaitingHandsOff(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	s := &storage{before: func(value string) {
		if value == "two" {
			<-gate
		}
	}}
	q := newQueue(t, s, nil)
	one := enqueue(context.Background(), t, q, "a", "one")
	two := enqueue(context.Background(), t, q, "a", "two")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q.mu.Lock()
	q.pauses--
	q.running++
	q.mu.Unlock()
	handedOff := make(chan struct{})
	go func() {
		q.workFor(ctx, &entry[string, string]{done: make(chan struct{})})
		close(handedOff)
	}()
	select {
	case <-handedOff: // although the second value is still being stored
	case <-time.After(timeout):
		t.Fatal("the caller continues to store the values of others")
	}
	require.NoError(t, (<-one).Err)
	close(gate)
	require.NoError(t, (<-two).Err, "another goroutine stores it")
}

func TestQueue_PanicFailsItsBatchOnly(t *testing.T) {
	t.Parallel()
	s, ctx := &storage{before: func(value string) {
		if value == "bad" {
			panic("bad value")
		}
	}}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) { c.Capacity = 4 })
	q.Start()
	for range 5 { // more often than there are workers
		_, err := q.Do(ctx, Item[string]{Lane: key("a"), ID: key("bad"), Value: "bad"})
		require.ErrorIs(t, err, ErrPanicked)
		resume := q.Pause()
		bad, other := enqueue(ctx, t, q, "a", "bad"), enqueue(ctx, t, q, "b", "other")
		next := enqueue(ctx, t, q, "a", "next")
		resume()
		require.ErrorIs(t, (<-bad).Err, ErrPanicked)
		require.ErrorIs(t, (<-other).Err, ErrPanicked)
		require.NoError(t, (<-next).Err)
	}
	q.Pause()()
	require.Zero(t, q.Stats().Depth)
}

func TestQueue_PanicOfStoreOneFailsItsValueOnly(t *testing.T) {
	t.Parallel()
	s, ctx := &storage{}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) {
		c.StoreBatch = func(_ context.Context, _ int, values []string) []Result[string] {
			return slices.Repeat([]Result[string]{{Err: ErrStoreSeparately}}, len(values))
		}
		c.StoreOne = func(ctx context.Context, value string) (string, error) {
			if value == "bad" {
				panic("bad value")
			}
			return s.storeOne(ctx, value)
		}
	})
	bad, next, other := enqueue(ctx, t, q, "a", "bad"), enqueue(ctx, t, q, "a", "next"), enqueue(ctx, t, q, "b", "other")
	q.Start()
	require.ErrorIs(t, (<-bad).Err, ErrPanicked)
	require.NoError(t, (<-next).Err)
	require.NoError(t, (<-other).Err)
}

func TestQueue_MissingResultsFailTheBatch(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q := newQueue(t, &storage{}, func(c *Config[string, string]) {
		c.StoreBatch = func(context.Context, int, []string) []Result[string] { return nil }
	})
	q.Start()
	_, err := q.Do(ctx, Item[string]{Value: "x"})
	require.ErrorContains(t, err, "0 results for 1 values")
}

func TestStop_CompletesAcceptedValues(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	s, ctx := &storage{before: func(string) { <-gate }}, context.Background()
	q := newQueue(t, s, nil)
	var all []<-chan Result[string]
	for _, value := range []string{"1", "2", "3"} {
		all = append(all, enqueue(ctx, t, q, "a", value))
	}
	q.Start()
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, q.Stop(cancelled), context.Canceled)
	_, err := q.Do(ctx, Item[string]{Lane: key("b"), Value: "late"})
	require.ErrorIs(t, err, ErrStopped)
	close(gate)
	for _, done := range all {
		require.NoError(t, (<-done).Err)
	}
	require.Equal(t, [][]string{{"1"}, {"2"}, {"3"}}, s.stored())
}

// A caller that waits for a slot is not accepted, so Stop refuses it.
func TestStop_RefusesCallersThatWaitForASlot(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	s, ctx := &storage{before: func(string) { <-gate }}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) { c.Capacity = 1 })
	one := enqueue(ctx, t, q, "a", "1")
	refused := make(chan error)
	go func() {
		_, err := q.Do(ctx, Item[string]{Lane: key("b"), Value: "2"})
		refused <- err
	}()
	q.Start()
	stopped := make(chan error)
	go func() { stopped <- q.Stop(ctx) }()
	require.ErrorIs(t, <-refused, ErrStopped)
	close(gate)
	require.NoError(t, <-stopped)
	require.NoError(t, (<-one).Err)
}

// Each of many concurrent values is stored once, in the order of its lane.
func TestQueue_KeepsTheOrderOfLanesUnderLoad(t *testing.T) {
	t.Parallel()
	const lanes, perLane = 20, 50
	s, ctx := &storage{}, context.Background()
	q := newQueue(t, s, func(c *Config[string, string]) { c.Capacity = 7 })
	q.Start()
	var callers sync.WaitGroup
	for lane := range lanes {
		callers.Go(func() {
			for n := range perLane {
				value := fmt.Sprintf("%02d %02d", lane, n)
				_, err := q.Do(ctx, Item[string]{Lane: key(fmt.Sprint(lane)), ID: key(value), Value: value})
				require.NoError(t, err)
			}
		})
	}
	callers.Wait()
	require.NoError(t, q.Stop(ctx))
	last := map[string]string{}
	total := 0
	for _, value := range slices.Concat(s.stored()...) {
		require.Greater(t, value, last[value[:2]])
		last[value[:2]] = value
		total++
	}
	require.Equal(t, lanes*perLane, total)
}

func TestCatchPanic(t *testing.T) {
	t.Parallel()
	require.NoError(t, catchPanic(func() {}))
	require.ErrorIs(t, catchPanic(func() { panic("x") }), ErrPanicked)
}
