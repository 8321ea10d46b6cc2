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
	mostWaiting  = 4096 // messages and receipts of all members; beyond that callers wait to be let in
	mostTogether = 128  // messages and receipts in one transaction
	mostFlushers = 2    // transactions at a time; more would only make them smaller
	flushTimeout = 10 * time.Second
)

// lines gathers the messages and receipts of many conversations into one
// transaction, so that they share its commit (docs/decisions/0010). Each
// conversation has a line, and a batch takes the first of each. So messages keep
// their order, and no receipt holds the row that a message of this process wants.
// Nobody waits for company: whatever stands in line when a flusher is free goes.
type lines struct {
	s    *Service
	room chan struct{}

	mu       sync.Mutex
	waiting  map[pair][]*sending // a line is kept while its first is on the way
	ready    []pair              // lines of which none is on the way
	onTheWay map[sentID]struct{}
	flushers int
	pairs    map[uuid.UUID]pair // the conversations that receipts name other than by the peer
}

// queued is what stands in a line: a message or a receipt. Only the flusher that
// has taken it changes it until it is done.
type queued interface {
	pair() pair
	sentID() sentID
	// mergeInto merges this into an earlier one that is not taken yet, whose outcome
	// is then that of both. It returns false when they do not belong together.
	mergeInto(earlier queued) bool
	isStored() bool
	// storeAlone stores it in a transaction of its own, and waits for its conversation.
	storeAlone(ctx context.Context, s *Service) error
	publish(s *Service)
}

// pair names a conversation by its two members, in order.
type pair [2]uuid.UUID

func pairOf(a, b uuid.UUID) pair {
	if bytes.Compare(a[:], b[:]) > 0 {
		a, b = b, a
	}
	return pair{a, b}
}

// sentID is what the sender's device calls a message. Two of one would undo the
// whole transaction that they are in, so they do not go at the same time.
type sentID struct{ sender, client uuid.UUID }

// sending is a message or receipt in line, whose callers wait for done.
type sending struct {
	queued
	line  pair
	taken bool // by a flusher
	err   error
	done  chan struct{}
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
		onTheWay: map[sentID]struct{}{}, pairs: map[uuid.UUID]pair{}}
}

// send stores a message or receipt and publishes it, together with what others
// send. When ctx ends first, it may still be stored and published.
func (l *lines) send(ctx context.Context, q queued) error {
	select {
	case l.room <- struct{}{}:
	case <-ctx.Done():
		return busy(ctx)
	}
	m, flush := l.enqueue(q)
	if flush {
		l.flushFor(ctx, m)
	}
	select {
	case <-m.done:
		return m.err
	case <-ctx.Done():
		return busy(ctx)
	}
}

// close takes all the room, which is free once no message is on its way.
func (l *lines) close(ctx context.Context) error {
	for range cap(l.room) {
		select {
		case l.room <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func busy(ctx context.Context) error {
	return fault.Wrap(fault.Unavailable, "This takes longer than it should. Please try again in a moment.", ctx.Err())
}

// enqueue puts q in line, or merges it into what stands there and gives its room
// back. It returns what the caller waits for, and whether the caller is to flush.
func (l *lines) enqueue(q queued) (m *sending, flush bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.lineOf(q)
	line := l.waiting[p]
	for _, earlier := range line {
		if !earlier.taken && q.mergeInto(earlier.queued) {
			<-l.room
			return earlier, false
		}
	}
	if len(line) == 0 {
		l.ready = append(l.ready, p)
	}
	m = &sending{queued: q, line: p, done: make(chan struct{})}
	l.waiting[p] = append(line, m)
	if l.flushers < mostFlushers {
		l.flushers++
		return m, true
	}
	return m, false
}

// lineOf returns the line of q's conversation. A receipt may name it by its own
// id or the match's, from which the pair is known after the first one is stored;
// until then that name has a line of its own.
func (l *lines) lineOf(q queued) pair {
	r, ok := q.(*receiptDraft)
	if !ok {
		return q.pair()
	}
	if p, ok := l.pairs[r.other]; ok && (p[0] == r.member || p[1] == r.member) {
		return p
	}
	return q.pair()
}

// rememberPair remembers which pair a receipt's name stands for. It stays true: a
// conversation or match never changes its members.
func (l *lines) rememberPair(m *sending) {
	const most = 100_000
	r, ok := m.queued.(*receiptDraft)
	if !ok || !r.stored || r.result.Peer == r.other {
		return
	}
	if len(l.pairs) >= most {
		clear(l.pairs)
	}
	l.pairs[r.other] = pairOf(r.member, r.result.Peer)
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
		m.taken = true
		batch = append(batch, m)
	}
	l.ready = left
	if len(batch) == 0 {
		l.flushers--
	}
	return batch
}

// finish answers the callers and lets the next of their lines come.
func (l *lines) finish(batch []*sending) {
	for _, m := range batch {
		close(m.done)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range batch {
		delete(l.onTheWay, m.sentID())
		l.rememberPair(m)
		p := m.line
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
