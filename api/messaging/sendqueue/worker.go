package sendqueue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
)

// mayStartWorker reports whether one more worker may run. q.mu is held.
func (q *Queue[T, R]) mayStartWorker() bool { return q.pauses == 0 && q.running < q.config.Workers }

// startWorker starts a goroutine when there is something to store and a worker
// is missing. q.mu is held.
func (q *Queue[T, R]) startWorker() {
	if len(q.ready) > 0 && q.mayStartWorker() {
		q.running++
		go q.work()
	}
}

// work stores batches until nothing is ready.
func (q *Queue[T, R]) work() {
	for q.storeNext() {
	}
}

// workFor stores batches on the goroutine of the caller that waits for e, because
// waking another goroutine takes longer than much of the work. When e is done, or
// the caller has stopped waiting, a goroutine continues in its place.
func (q *Queue[T, R]) workFor(ctx context.Context, e *entry[T, R]) {
	for q.storeNext() {
		if e.isDone() || ctx.Err() != nil {
			q.handOff()
			return
		}
	}
}

// handOff ends the work of a caller, which a goroutine continues if anything is ready.
func (q *Queue[T, R]) handOff() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.endWorker()
	q.startWorker()
}

// endWorker notes that a worker no longer runs. q.mu is held.
func (q *Queue[T, R]) endWorker() {
	q.running--
	q.idle.Broadcast()
}

// storeNext stores one batch. It returns false when nothing was ready; the worker
// no longer counts as running then.
func (q *Queue[T, R]) storeNext() bool {
	batch := q.dequeueBatch()
	if len(batch) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), q.config.Timeout)
	defer cancel()
	groups := q.groups(batch)
	for _, number := range slices.Sorted(maps.Keys(groups)) {
		q.storeGroup(ctx, number, groups[number])
	}
	return true
}

// dequeueBatch returns the first entry of each ready lane, up to the size of a batch,
// without entries whose ID is in flight. If there is none, it ends the worker.
func (q *Queue[T, R]) dequeueBatch() []*entry[T, R] {
	q.mu.Lock()
	defer q.mu.Unlock()
	batch := make([]*entry[T, R], 0, min(len(q.ready), q.config.MaxBatch))
	remaining := q.ready[:0]
	for _, lane := range q.ready {
		e := q.lanes[lane][0]
		if _, inFlight := q.inFlight[e.ID]; inFlight || len(batch) == q.config.MaxBatch {
			remaining = append(remaining, lane)
			continue
		}
		q.inFlight[e.ID] = struct{}{}
		e.dequeued = true
		batch = append(batch, e)
	}
	q.ready = remaining
	if len(batch) == 0 {
		q.endWorker()
	} else {
		q.stats.Batches++
	}
	return batch
}

// groups divides a batch by the numbers of Config.Group.
func (q *Queue[T, R]) groups(batch []*entry[T, R]) map[int][]*entry[T, R] {
	if q.config.Group == nil {
		return map[int][]*entry[T, R]{0: batch}
	}
	groups := map[int][]*entry[T, R]{}
	for i, number := range q.config.Group(valuesOf(batch)) {
		groups[number] = append(groups[number], batch[i])
	}
	return groups
}

// storeGroup stores the entries of a group by one call of StoreBatch and completes them,
// except those that are to be stored separately.
func (q *Queue[T, R]) storeGroup(ctx context.Context, number int, entries []*entry[T, R]) {
	values := valuesOf(entries)
	var results []Result[R]
	err := catchPanic(func() { results = q.config.StoreBatch(ctx, number, values) })
	if err == nil && len(results) != len(values) {
		err = fmt.Errorf("sendqueue: StoreBatch returned %d results for %d values", len(results), len(values))
	}
	var complete, separate []*entry[T, R]
	for i, e := range entries {
		if err != nil {
			e.result.Err = err
		} else {
			e.result = results[i]
		}
		if errors.Is(e.result.Err, ErrStoreSeparately) {
			separate = append(separate, e)
		} else {
			complete = append(complete, e)
		}
	}
	q.complete(complete)
	for _, e := range separate {
		go q.storeSeparately(e)
	}
}

// storeSeparately stores an entry by StoreOne and completes it.
func (q *Queue[T, R]) storeSeparately(e *entry[T, R]) {
	ctx, cancel := context.WithTimeout(context.Background(), q.config.Timeout)
	defer cancel()
	var result Result[R]
	if err := catchPanic(func() { result.Value, result.Err = q.config.StoreOne(ctx, e.Value) }); err != nil {
		result.Err = err
	}
	e.result = result
	q.complete([]*entry[T, R]{e})
}

// complete wakes the callers of dequeued entries, frees their slots and makes the
// lanes with further entries ready.
func (q *Queue[T, R]) complete(entries []*entry[T, R]) {
	for _, e := range entries {
		close(e.done)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range entries {
		delete(q.inFlight, e.ID)
		if rest := q.lanes[e.Lane][1:]; len(rest) > 0 {
			q.lanes[e.Lane] = rest
			q.ready = append(q.ready, e.Lane)
		} else {
			delete(q.lanes, e.Lane)
		}
		q.stats.Depth--
		<-q.slots
	}
	q.idle.Broadcast()
	q.startWorker()
}

// catchPanic calls f. It logs a panic and returns it as ErrPanicked: without that
// the callers would wait forever and the process would end.
func catchPanic(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("a panic while a batch was stored", "panic", p, "stack", string(debug.Stack()))
			err = ErrPanicked
		}
	}()
	f()
	return nil
}

func valuesOf[T, R any](entries []*entry[T, R]) []T {
	values := make([]T, len(entries))
	for i, e := range entries {
		values[i] = e.Value
	}
	return values
}
