package messaging

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

// limiter is the generic cell rate algorithm in this process's memory. The
// other limits live in PostgreSQL, where all nodes share them; for messages
// that would be a second row written for each. A member's sockets are mostly
// on one node, and the worst case is the limit times the number of nodes. What
// keeps the service up (frames a socket, sockets a member) is per node anyway.
type limiter struct {
	every   time.Duration // one message
	burst   time.Duration
	refusal string // what the member reads
	now     func() time.Time

	mu   sync.Mutex
	tat  map[uuid.UUID]time.Time // theoretical arrival time of the next message
	room int                     // at this size the quiet are forgotten
}

const roomAtFirst = 10_000

// newLimiter allows count calls in per; doing names them in the refusal.
func newLimiter(count int, per time.Duration, doing string) *limiter {
	refusal := "You are " + doing + " very fast. Please wait a moment."
	return &limiter{every: per / time.Duration(count), burst: per, refusal: refusal, now: time.Now, tat: map[uuid.UUID]time.Time{}, room: roomAtFirst}
}

// allow counts one message; a nil limiter allows everything.
func (l *limiter) allow(member uuid.UUID) error {
	if l == nil {
		return nil
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.tat[member]
	if next.Before(now) {
		next = now
	}
	next = next.Add(l.every)
	if wait := next.Sub(now) - l.burst; wait > 0 {
		return fault.Limited(l.refusal, wait)
	}
	l.tat[member] = next
	l.forget(now)
	return nil
}

// forget drops members who have been quiet, each time the map has doubled: with
// very many who write at once, looking through all for each message would take
// longer than the messages.
func (l *limiter) forget(now time.Time) {
	if len(l.tat) < l.room {
		return
	}
	for member, next := range l.tat {
		if next.Before(now) {
			delete(l.tat, member)
		}
	}
	l.room = max(roomAtFirst, 2*len(l.tat))
}
