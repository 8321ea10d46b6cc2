package messaging

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"heartward/api/platform/fault"
)

// searchSlots limits the searches that a node runs at the same time: one for each
// member, because a long history can keep a core of PostgreSQL busy for seconds, and
// one for each core in total, so that connections are left for other calls.
type searchSlots struct {
	node *semaphore.Weighted

	mu      sync.Mutex
	running map[uuid.UUID]chan struct{} // closed when the member's search ends
}

func newSearchSlots() *searchSlots {
	return &searchSlots{node: semaphore.NewWeighted(int64(max(2, runtime.GOMAXPROCS(0)))), running: map[uuid.UUID]chan struct{}{}}
}

// acquire waits until the member may search, for the time limit of a search at most.
// It then returns RateLimited when the member's own search is still running, and
// Unavailable when those of others are. The caller calls release after the search.
func (s *searchSlots) acquire(ctx context.Context, member uuid.UUID) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	done, err := s.enter(ctx, member)
	if err != nil {
		return nil, err
	}
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, member)
		close(done)
	}
	if err := s.node.Acquire(ctx, 1); err != nil {
		leave()
		return nil, fault.Wrap(fault.Unavailable, "Many members are searching right now. Please try again in a moment.", err)
	}
	return func() { s.node.Release(1); leave() }, nil
}

// enter waits until the member has no other search on this node.
func (s *searchSlots) enter(ctx context.Context, member uuid.UUID) (done chan struct{}, err error) {
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
