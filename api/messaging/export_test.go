package messaging

import (
	"context"
	"runtime"

	"github.com/google/uuid"
)

// Hold keeps what is sent from now on in line until release. What was sent
// before is over first: a sender is answered a moment before its line ends.
func (s *Service) Hold() (release func()) {
	l := s.lines
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.flushers > 0 || len(l.waiting) > 0 {
		l.mu.Unlock()
		runtime.Gosched()
		l.mu.Lock()
	}
	l.flushers += mostFlushers
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.flushers -= mostFlushers
		if len(l.ready) > 0 {
			l.flushers++
			go l.flush()
		}
	}
}

// Waiting is how many messages stand in line.
func (s *Service) Waiting() (n int) {
	s.lines.mu.Lock()
	defer s.lines.mu.Unlock()
	for _, line := range s.lines.waiting {
		n += len(line)
	}
	return n
}

// Queued returns what stands in line of a member's receipts under one name.
func (s *Service) Queued(member, other uuid.UUID) (r Receipt) {
	s.lines.mu.Lock()
	defer s.lines.mu.Unlock()
	for _, line := range s.lines.waiting {
		for _, m := range line {
			if q, ok := m.queued.(*receiptDraft); ok && q.member == member && q.other == other {
				r = q.Receipt
			}
		}
	}
	return r
}

// Room sets how many messages may stand in line, before the first does.
func (s *Service) Room(n int) { s.lines.room = make(chan struct{}, n) }

// FlushFor does what a sender does whose own message waits for its conversation.
func (s *Service) FlushFor(ctx context.Context) {
	s.lines.mu.Lock()
	s.lines.flushers++
	s.lines.mu.Unlock()
	s.lines.flushFor(ctx, &sending{done: make(chan struct{})})
}
