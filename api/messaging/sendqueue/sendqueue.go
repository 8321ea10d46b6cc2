// Package sendqueue implements group commit: callers enqueue single values, and
// workers store the values of many callers in one transaction.
//
// Values are ordered by lanes. A batch contains at most one value of a lane, the
// first one, and a lane waits until that value is complete. There is no batching
// delay: a free worker stores what is queued, so batches grow with the load. What a value
// is and how it is stored is up to the functions of Config.
package sendqueue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
)

var (
	// ErrStopped is returned for values that arrive after Stop.
	ErrStopped = errors.New("sendqueue: stopped")

	// ErrAbandoned is returned to a caller whose context ended before its value was
	// complete. It wraps the context's error. The value may still be stored.
	ErrAbandoned = errors.New("sendqueue: the caller stopped waiting")

	// ErrPanicked is returned to the callers of a batch that panicked. Their values
	// may be stored.
	ErrPanicked = errors.New("sendqueue: storing panicked")

	// ErrStoreSeparately is the error by which StoreBatch leaves a value to StoreOne.
	// Callers never see it.
	ErrStoreSeparately = errors.New("sendqueue: to be stored separately")
)

// Key identifies a lane or an item.
type Key [2]uuid.UUID

// Item is a value with the keys that restrict when it is stored.
type Item[T any] struct {
	Lane  Key // items of one lane are stored in the order of their arrival
	ID    Key // two items of the same ID are never stored at the same time
	Value T
}

// Result is the outcome of storing one value.
type Result[R any] struct {
	Value R
	Err   error
}

// Config holds the functions and limits of a queue. StoreBatch and StoreOne run
// concurrently. Their context ends after Timeout; it does not end with that of a
// caller.
type Config[T, R any] struct {
	// StoreBatch stores values of different lanes in one transaction. group is their
	// number by Group. It returns one result for each value, in the same order.
	StoreBatch func(ctx context.Context, group int, values []T) []Result[R]

	// StoreOne stores a value in a transaction of its own. It may take long, for
	// example to wait for a lock: it delays only the value's lane.
	StoreOne func(ctx context.Context, value T) (R, error)

	// Group returns a number for each value of a batch. Values of the same number
	// are passed to one call of StoreBatch; the calls are made in ascending order,
	// and the callers of one get their results before the next call. Without Group
	// the batch is stored by one call, with 0.
	Group func(values []T) []int

	// Merge combines a value with an earlier one of its lane that is still queued. It
	// reports whether it did. Both callers get the result of the merged value. Without
	// Merge values are never combined.
	Merge func(earlier, later T) (T, bool)

	Capacity int           // values queued or being stored; further callers wait
	MaxBatch int           // values in a batch
	Workers  int           // batches stored at the same time
	Timeout  time.Duration // for a batch, and for a value stored separately
}

// Queue stores values in batches. All methods are safe for concurrent use.
type Queue[T, R any] struct {
	config  Config[T, R]
	slots   chan struct{} // one for each value queued or being stored
	stopped chan struct{}

	mu       sync.Mutex
	idle     *sync.Cond // signaled when running or lanes shrink
	lanes    map[Key][]*entry[T, R]
	ready    []Key // lanes whose first entry waits for a worker
	inFlight map[Key]struct{}
	running  int // workers, including callers that run as one
	pauses   int // while positive no worker starts; 1 until Start
	stats    Stats
}

// Stats are figures for metrics.
type Stats struct {
	Depth    int    // values queued or being stored
	Accepted uint64 // values ever enqueued, merged ones included
	Batches  uint64 // batches ever dequeued
}

// entry is an item in the queue. Its callers wait for done.
type entry[T, R any] struct {
	Item[T]
	dequeued bool // by a worker; the value no longer changes
	result   Result[R]
	done     chan struct{}
}

func (e *entry[T, R]) isDone() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// New returns a queue that accepts values. It stores them from Start on.
func New[T, R any](config Config[T, R]) *Queue[T, R] {
	q := &Queue[T, R]{
		config:   config,
		slots:    make(chan struct{}, config.Capacity),
		stopped:  make(chan struct{}),
		lanes:    map[Key][]*entry[T, R]{},
		inFlight: map[Key]struct{}{},
		pauses:   1,
	}
	q.idle = sync.NewCond(&q.mu)
	return q
}

// Start lets the queue store what it has accepted and will accept. It is called once.
func (q *Queue[T, R]) Start() { q.resume() }

// Stop refuses further values with ErrStopped and waits until all accepted ones
// are complete. When ctx ends first it returns ctx's error; the values are then
// still being stored. It is called once.
func (q *Queue[T, R]) Stop(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	close(q.stopped)
	stopBroadcast := context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.idle.Broadcast()
	})
	defer stopBroadcast()
	for !q.isIdle() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q.idle.Wait()
	}
	return nil
}

// Pause waits until the queue is idle and then keeps workers from starting, until
// resume is called. Tests use it to fill a batch.
func (q *Queue[T, R]) Pause() (resume func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.isIdle() {
		q.idle.Wait()
	}
	q.pauses++
	return q.resume
}

func (q *Queue[T, R]) resume() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pauses--
	q.startWorker()
}

// isIdle reports whether nothing is queued or being stored. q.mu is held.
func (q *Queue[T, R]) isIdle() bool { return q.running == 0 && len(q.lanes) == 0 }

// Stats returns the present figures.
func (q *Queue[T, R]) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stats
}

// Do enqueues an item and returns its result. While the queue is full it waits.
// It returns ErrStopped, ErrAbandoned, ErrPanicked or the error of the item's Result.
func (q *Queue[T, R]) Do(ctx context.Context, item Item[T]) (R, error) {
	var zero R
	select {
	case q.slots <- struct{}{}:
	case <-q.stopped:
		return zero, ErrStopped
	case <-ctx.Done():
		return zero, abandoned(ctx)
	}
	e, work := q.enqueue(item)
	if e == nil {
		return zero, ErrStopped
	}
	if work {
		q.workFor(ctx, e)
	}
	select {
	case <-e.done:
		return e.result.Value, e.result.Err
	case <-ctx.Done():
		return zero, abandoned(ctx)
	}
}

func abandoned(ctx context.Context) error { return fmt.Errorf("%w: %w", ErrAbandoned, ctx.Err()) }

// enqueue adds an item, or merges it into a queued one and frees its slot. It
// returns the entry whose result the caller waits for, nil after Stop, and whether
// the caller must run as a worker.
func (q *Queue[T, R]) enqueue(item Item[T]) (e *entry[T, R], work bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case <-q.stopped:
		<-q.slots
		return nil, false
	default:
	}
	q.stats.Accepted++
	lane := q.lanes[item.Lane]
	if earlier := q.merge(lane, item.Value); earlier != nil {
		<-q.slots
		return earlier, false
	}
	if len(lane) == 0 {
		q.ready = append(q.ready, item.Lane)
	}
	e = &entry[T, R]{Item: item, done: make(chan struct{})}
	q.lanes[item.Lane] = append(lane, e)
	q.stats.Depth++
	if !q.mayStartWorker() {
		return e, false
	}
	q.running++
	return e, true
}

// merge returns the entry of the lane that the value was merged into, or nil.
func (q *Queue[T, R]) merge(lane []*entry[T, R], value T) *entry[T, R] {
	if q.config.Merge == nil {
		return nil
	}
	for _, e := range lane {
		if e.dequeued {
			continue
		}
		if merged, ok := q.config.Merge(e.Value, value); ok {
			e.Value = merged
			return e
		}
	}
	return nil
}
