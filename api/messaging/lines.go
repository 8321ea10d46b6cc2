package messaging

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

const (
	mostWaiting  = 4096 // messages of all members; beyond that senders wait to be let in
	mostTogether = 128  // messages in one transaction
	mostFlushers = 2    // transactions at a time; more would only make them smaller
	flushTimeout = 10 * time.Second
)

// lines gathers the messages of many conversations into one transaction, so
// that they share its commit (docs/decisions/0010). Each conversation has a
// line, and a batch takes the first of each, so that messages keep their order.
// Nobody waits for company: whatever stands in line when a flusher is free goes.
type lines struct {
	s    *Service
	room chan struct{}

	mu       sync.Mutex
	waiting  map[pair][]*sending // a line is kept while its first is on the way
	ready    []pair              // lines of which none is on the way
	onTheWay map[sentID]struct{}
	flushers int
}

// pair names a conversation by its two members, in order.
type pair [2]uuid.UUID

func (d *draft) pair() pair {
	a, b := d.message.SenderID, d.recipient
	if bytes.Compare(a[:], b[:]) > 0 {
		a, b = b, a
	}
	return pair{a, b}
}

// sentID is what the sender's device calls a message. Two of one would undo the
// whole transaction that they are in, so they do not go at the same time.
type sentID struct{ sender, client uuid.UUID }

func (d *draft) sentID() sentID { return sentID{d.message.SenderID, d.message.ClientID} }

// sending is a draft in line, whose sender waits for done.
type sending struct {
	*draft
	socket string
	err    error
	done   chan struct{}
}

// over reports whether the sender was answered.
func (m *sending) over() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

func newLines(s *Service) *lines {
	return &lines{s: s, room: make(chan struct{}, mostWaiting), waiting: map[pair][]*sending{},
		onTheWay: map[sentID]struct{}{}}
}

// send stores the draft and tells both sides, together with what others send.
// When ctx ends first, it may still be stored and told.
func (l *lines) send(ctx context.Context, d *draft, socket string) error {
	select {
	case l.room <- struct{}{}:
	case <-ctx.Done():
		return busy(ctx)
	}
	m := &sending{draft: d, socket: socket, done: make(chan struct{})}
	if l.join(m) {
		l.flushFor(ctx, m)
	}
	select {
	case <-m.done:
		return m.err
	case <-ctx.Done():
		return busy(ctx)
	}
}

func busy(ctx context.Context) error {
	return fault.Wrap(fault.Unavailable, "This takes longer than it should. Please try again in a moment.", ctx.Err())
}

// join puts a message in line, and reports whether its sender is to flush.
func (l *lines) join(m *sending) (flush bool) {
	p := m.pair()
	l.mu.Lock()
	defer l.mu.Unlock()
	line := l.waiting[p]
	if len(line) == 0 {
		l.ready = append(l.ready, p)
	}
	l.waiting[p] = append(line, m)
	if l.flushers < mostFlushers {
		l.flushers++
		return true
	}
	return false
}

// flush runs while there is something to store.
func (l *lines) flush() {
	for l.flushSome() {
	}
}

// flushFor stores what a sender has in line on that sender's own goroutine: to
// wake another one takes longer than much of the work. What others have put in
// line since is left to a goroutine, also when the own message waits for its
// conversation longer than the sender does.
func (l *lines) flushFor(ctx context.Context, m *sending) {
	for l.flushSome() {
		if m.over() || ctx.Err() != nil {
			l.handOver()
			return
		}
	}
}

func (l *lines) handOver() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ready) > 0 {
		go l.flush()
	} else {
		l.flushers--
	}
}

// flushSome stores a batch, and reports false when there was nothing to store
// and the flusher is over.
func (l *lines) flushSome() bool {
	batch := l.take()
	if len(batch) == 0 {
		return false
	}
	l.s.storeBatch(batch, l.finish)
	return true
}

// take answers with the first of each line that is ready, unless one of the
// same id is on the way; with none, the flusher is over.
func (l *lines) take() []*sending {
	l.mu.Lock()
	defer l.mu.Unlock()
	batch := make([]*sending, 0, min(len(l.ready), mostTogether))
	left := l.ready[:0]
	for _, p := range l.ready {
		m := l.waiting[p][0]
		if _, twice := l.onTheWay[m.sentID()]; twice || len(batch) == mostTogether {
			left = append(left, p)
			continue
		}
		l.onTheWay[m.sentID()] = struct{}{}
		batch = append(batch, m)
	}
	l.ready = left
	if len(batch) == 0 {
		l.flushers--
	}
	return batch
}

// finish answers the senders and lets the next of their lines come.
func (l *lines) finish(batch []*sending) {
	for _, m := range batch {
		close(m.done)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range batch {
		delete(l.onTheWay, m.sentID())
		p := m.pair()
		if rest := l.waiting[p][1:]; len(rest) > 0 {
			l.waiting[p] = rest
			l.ready = append(l.ready, p)
		} else {
			delete(l.waiting, p)
		}
		<-l.room
	}
	if len(l.ready) > 0 && l.flushers < mostFlushers {
		l.flushers++
		go l.flush()
	}
}
