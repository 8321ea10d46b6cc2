package search

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"heartward/api/platform/fault"
)

// searchSlots limits the concurrent searches of a node: one for each member, because a long
// history can occupy a core of PostgreSQL for seconds, and one for each core in total, so
// that connections remain for other requests.
type searchSlots struct {
	node *semaphore.Weighted

	mu      sync.Mutex
	running map[uuid.UUID]chan struct{} // closed when the member's search ends
}

func newSearchSlots() *searchSlots {
	return &searchSlots{node: semaphore.NewWeighted(int64(max(2, runtime.GOMAXPROCS(0)))), running: map[uuid.UUID]chan struct{}{}}
}

// acquire waits until the member may search, at most for the time limit of a search. After
// that it returns RateLimited if the member's own search is still running, and Unavailable
// otherwise. The caller must call release after the search.
func (s *searchSlots) acquire(ctx context.Context, member uuid.UUID) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	done, err := s.startOwn(ctx, member)
	if err != nil {
		return nil, err
	}
	finish := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, member)
		close(done)
	}
	if err := s.node.Acquire(ctx, 1); err != nil {
		finish()
		return nil, fault.Wrap(fault.Unavailable, "Many members are searching right now. Please try again in a moment.", err)
	}
	return func() { s.node.Release(1); finish() }, nil
}

// startOwn waits until the member has no other search on this node, and registers this one. The caller closes done after it.
func (s *searchSlots) startOwn(ctx context.Context, member uuid.UUID) (done chan struct{}, err error) {
	for {
		s.mu.Lock()
		other, busy := s.running[member]
		if !busy {
			done = make(chan struct{})
			s.running[member] = done
		}
		s.mu.Unlock()
		if !busy {
			return done, nil
		}
		select {
		case <-other:
		case <-ctx.Done():
			return nil, fault.Limited("Your last search is still running. Please wait a moment.", time.Second)
		}
	}
}
