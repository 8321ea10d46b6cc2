// Package bus carries live events between sockets and nodes.
//
// Within the process an event goes directly to its listeners. Between nodes it
// goes over NATS, at most once: events are published after the commit, and clients
// sync from the database after a loss. Each node numbers its events and records in
// PostgreSQL how many it has published, so that the other nodes detect a loss
// (docs/decisions/0003).
package bus

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"

	"heartward/api/platform/pg"
)

const (
	incomingCapacity = 1 << 16 // queued events of other nodes
	outgoingCapacity = 1 << 13 // queued events for NATS
	defaultInterval  = time.Second
)

// Options are the options of Open.
type Options struct {
	URL      string        // of the NATS server or cluster; empty for a single node
	DB       pg.DB         // for the records of published events; required with a URL
	Interval time.Duration // between two records; zero means one second
}

// Bus publishes and receives events. It is safe for concurrent use.
type Bus struct {
	listeners listeners
	node      uuid.UUID
	db        pg.DB
	interval  time.Duration
	conn      *nats.Conn     // nil for a single node
	incoming  chan *nats.Msg // from other nodes
	outgoing  chan []byte    // to other nodes
	closing   chan struct{}
	closeOnce sync.Once
	loops     sync.WaitGroup
	log       connectionLog
	missed    atomic.Uint64

	sendMu    sync.Mutex // locked while an event is numbered and queued
	published uint64     // the number of the last event

	mu    sync.Mutex
	onGap []func()
	peers peers
}

// Open returns a bus that connects to NATS. If NATS is unreachable, the bus works
// within the process and connects later. Without a URL this is the only node. Open
// returns an error for an invalid URL.
func Open(options Options) (*Bus, error) {
	b := &Bus{
		node: uuid.New(), db: options.DB, interval: cmp.Or(options.Interval, defaultInterval),
		closing: make(chan struct{}),
	}
	if options.URL == "" {
		return b, nil
	}
	if b.db == nil {
		panic("bus: a node with a URL needs the database")
	}
	b.incoming, b.outgoing = make(chan *nats.Msg, incomingCapacity), make(chan []byte, outgoingCapacity)
	conn, err := nats.Connect(options.URL,
		nats.Name("heartward"),
		nats.NoEcho(), // listeners of this process get the event directly
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500*time.Millisecond),
		nats.IgnoreAuthErrorAbort(), // the account may be repaired at run time
		// Close a connection that carries no data after 10 to 15 s.
		nats.PingInterval(5*time.Second),
		nats.MaxPingsOutstanding(2),
		nats.FlusherTimeout(2*time.Second),
		nats.ReconnectOnFlusherError(),
		// Do not buffer events while disconnected: they would be stale. They are
		// reported as lost.
		nats.ReconnectBufSize(-1),
		nats.ConnectHandler(func(*nats.Conn) { b.log.connected() }),
		nats.ReconnectHandler(func(*nats.Conn) { b.log.connected() }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { b.log.disconnected(err) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { b.log.failed(err) }),
	)
	if err != nil {
		return nil, fmt.Errorf("connecting to NATS: %w", err)
	}
	b.conn = conn
	if !conn.IsConnected() {
		b.log.disconnected(cmp.Or(conn.LastError(), nats.ErrNoServers))
	}
	b.loops.Go(b.receive)
	b.loops.Go(b.sendOutgoing)
	b.loops.Go(b.recordLoop)
	return b, nil
}

// receive passes events of other nodes to the listeners.
func (b *Bus) receive() {
	for {
		select {
		case message := <-b.incoming:
			b.receiveOne(message)
		case <-b.closing:
			return
		}
	}
}

func (b *Bus) receiveOne(message *nats.Msg) {
	from, err := senderOf(message.Subject)
	if err != nil {
		return
	}
	number, subject, data, ok := decodeEvent(message.Data)
	if !ok {
		return
	}
	b.mu.Lock()
	lost := b.peers.received(from, number)
	b.mu.Unlock()
	b.reportGap(lost)
	b.listeners.call(subject, data)
}

// Publish sends data to all listeners of a subject on all nodes. It does not wait for
// other nodes and returns no error: delivery is best effort.
func (b *Bus) Publish(subject string, data []byte) {
	b.listeners.call(subject, data)
	if b.conn == nil {
		return
	}
	b.sendMu.Lock()
	defer b.sendMu.Unlock()
	b.published++
	select {
	case b.outgoing <- encodeEvent(b.published, subject, data):
	default: // The queue is full. The number is used, so the other nodes notice the loss.
	}
}

// sendOutgoing sends queued events to NATS, and at Close those that are still queued. It has a
// goroutine of its own because a stalled connection blocks the writer for seconds.
func (b *Bus) sendOutgoing() {
	subject := subjectOf(b.node)
	for {
		select {
		case event := <-b.outgoing:
			b.send(subject, event)
		case <-b.closing:
			for {
				select {
				case event := <-b.outgoing:
					b.send(subject, event)
				default:
					return
				}
			}
		}
	}
}

func (b *Bus) send(subject string, event []byte) {
	if err := b.conn.Publish(subject, event); err != nil {
		slog.Debug("an event was not published", "error", err)
	}
}

// Subscribe calls fn for each event, in the order of its publisher, until unsubscribe
// is called. The last token of the subject may be * for any token. fn must not modify
// data, which is shared, and must not block, because it runs on the publisher's
// goroutine. The first subscription starts receiving the events of other nodes.
func (b *Bus) Subscribe(subject string, fn func(data []byte)) (unsubscribe func()) {
	unsubscribe = b.listeners.add(subject, fn)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn == nil || b.peers.listening {
		return unsubscribe
	}
	if _, err := b.conn.ChanSubscribe(subjectOfAll, b.incoming); err != nil { // fails only after Close
		slog.Error("subscribing to NATS", "error", err)
		return unsubscribe
	}
	b.peers.listening = true
	return unsubscribe
}

// OnGap registers fn, which is called each time events of other nodes were lost, and
// once after the start if other nodes have published events before this one received any.
// fn must not block.
func (b *Bus) OnGap(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.onGap = append(b.onGap, fn)
}

// reportGap counts lost events and calls the functions registered with OnGap.
func (b *Bus) reportGap(lost uint64) {
	if lost == 0 {
		return
	}
	b.missed.Add(lost)
	b.log.lost(lost)
	b.callOnGap()
}

func (b *Bus) callOnGap() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fn := range b.onGap {
		fn()
	}
}

// Degraded reports whether this node is disconnected from NATS. Its sockets then get
// changes made on other nodes some seconds later, by sync.
func (b *Bus) Degraded() bool { return b.conn != nil && !b.conn.IsConnected() }

// Missed returns the number of lost events of other nodes.
func (b *Bus) Missed() uint64 { return b.missed.Load() }

// Close sends queued events, records the last number, and closes the connection.
func (b *Bus) Close() {
	if b.conn != nil {
		b.closeOnce.Do(b.close)
	}
}

func (b *Bus) close() {
	close(b.closing)
	b.loops.Wait()
	if err := b.conn.FlushTimeout(time.Second); err != nil && !errors.Is(err, nats.ErrConnectionReconnecting) {
		slog.Debug("events were not flushed", "error", err)
	}
	b.recordOnce(true)
	b.conn.Close()
}
