package sendqueue

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/testkit"
)

// timeout is for a busy machine: a test that reaches it has failed.
const timeout = testkit.Timeout

// storage is a queue's storage in memory. Each batch is noted before it is stored.
type storage struct {
	mu      sync.Mutex
	batches [][]string
	groups  []int // the number of each batch
	alone   []string
	before  func(value string) // called for each value, without the lock
}

func (s *storage) storeBatch(_ context.Context, group int, values []string) []Result[string] {
	s.note(group, values)
	results := make([]Result[string], len(values))
	for i, value := range values {
		if s.before != nil {
			s.before(value)
		}
		results[i] = Result[string]{Value: "stored " + value}
	}
	return results
}

func (s *storage) storeOne(_ context.Context, value string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alone = append(s.alone, value)
	return "stored " + value + " alone", nil
}

func (s *storage) note(group int, values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = append(s.batches, slices.Sorted(slices.Values(values)))
	s.groups = append(s.groups, group)
}

func (s *storage) stored() [][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.batches)
}

// newQueue returns a queue that has not started. Change may adjust its configuration.
func newQueue(t *testing.T, s *storage, change func(*Config[string, string])) *Queue[string, string] {
	config := Config[string, string]{
		StoreBatch: s.storeBatch, StoreOne: s.storeOne,
		Capacity: 100, MaxBatch: 10, Workers: 2, Timeout: timeout,
	}
	if change != nil {
		change(&config)
	}
	q := New(config)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		select {
		case <-q.stopped:
		default:
			require.NoError(t, q.Stop(ctx))
		}
	})
	return q
}

// key returns the same key for the same name.
func key(name string) Key { return Key{uuid.NewSHA1(uuid.Nil, []byte(name))} }

// enqueue adds a value to a lane and returns once it is in the queue.
func enqueue(ctx context.Context, t *testing.T, q *Queue[string, string], lane, value string) <-chan Result[string] {
	t.Helper()
	return enqueueItem(ctx, t, q, Item[string]{Lane: key(lane), ID: key(value), Value: value})
}

func enqueueItem(ctx context.Context, t *testing.T, q *Queue[string, string], item Item[string]) <-chan Result[string] {
	t.Helper()
	before, done := q.Stats().Accepted, make(chan Result[string], 1)
	go func() {
		value, err := q.Do(ctx, item)
		done <- Result[string]{Value: value, Err: err}
	}()
	require.Eventually(t, func() bool { return q.Stats().Accepted == before+1 }, timeout, 100*time.Microsecond)
	return done
}
