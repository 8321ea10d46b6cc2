// Package bus carries live events between sockets and nodes.
//
// Within the process an event goes directly to its listeners. Between nodes it
// goes over NATS, at most once: events are published after the commit, and a
// receiver that lost some reads the database. Each node numbers its events and
// records in PostgreSQL how many it has published, so that the others notice a
// loss (docs/decisions/0003).
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
	incomingCapacity = 1 << 16 // events of other nodes that wait for their listeners
	outgoingCapacity = 1 << 13 // events that wait for NATS to take them
	defaultInterval  = time.Second
)

// Options configure Open.
type Options struct {
	URL      string        // of the NATS server or cluster; empty: this process is the only node
	DB       pg.DB         // where nodes record how much they have published; needed with a URL
	Interval time.Duration // of these records; zero stands for one second
}

// Bus publishes and receives events. Safe for concurrent use.
type Bus struct {
	listeners listeners
	node      uuid.UUID
	db        pg.DB
	interval  time.Duration
	conn      *nats.Conn     // nil for the only node
	incoming  chan *nats.Msg // from other nodes
	outgoing  chan []byte    // to other nodes
	closing   chan struct{}
	closeOnce sync.Once
	loops     sync.WaitGroup
	log       connectionLog
	missed    atomic.Uint64

	sendMu    sync.Mutex // events are queued in the order of their numbers
	published uint64

	mu    sync.Mutex
	onGap []func()
	peers peers
}

// Open returns a bus that connects to NATS. It does not fail when NATS is
// away, but works within the process and connects as soon as NATS is there.
// Without a URL this is the only node. The error is about the URL.
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
		nats.NoEcho(), // listeners of this process got the event directly
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500*time.Millisecond),
		nats.IgnoreAuthErrorAbort(), // the account may be repaired while we run
		// A connection that carries nothing is given up after 10 to 15 s.
		nats.PingInterval(5*time.Second),
		nats.MaxPingsOutstanding(2),
		nats.FlusherTimeout(2*time.Second),
		nats.ReconnectOnFlusherError(),
		// Events of the time without NATS are stale when it is back. They are lost, and noticed as lost.
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

// receive calls the listeners with events of other nodes.
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

// Publish hands data to all listeners of a subject on all nodes. It does not
// wait for other nodes and does not fail: the database has what matters.
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
	default: // NATS takes nothing. The number is used, so the other nodes notice the loss.
	}
}

// sendOutgoing passes queued events to NATS, on a goroutine of its own because
// a connection that carries nothing blocks the writer for seconds.
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

// Subscribe calls fn for each event, in the order of its publisher, until
// unsubscribe. The subject's last token may be *, which stands for any. The
// data is shared: fn must not change it. Fn runs on the publisher's goroutine,
// so it must not wait. With the first subscription this node begins to receive
// the events of the others.
func (b *Bus) Subscribe(subject string, fn func(data []byte)) (unsubscribe func()) {
	unsubscribe = b.listeners.add(subject, fn)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn == nil || b.peers.listening {
		return unsubscribe
	}
	if _, err := b.conn.ChanSubscribe(subjectOfAll, b.incoming); err != nil { // only once the connection is closed
		slog.Error("subscribing to NATS", "error", err)
		return unsubscribe
	}
	b.peers.listening = true
	return unsubscribe
}

// OnGap calls fn each time events of other nodes were lost, and once after a
// start when some may have been. Fn must not wait.
func (b *Bus) OnGap(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.onGap = append(b.onGap, fn)
}

// reportGap counts lost events and calls the functions of OnGap.
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

// Degraded reports whether this node is cut from NATS at the moment. Its
// members then see changes of other nodes some seconds later, by sync.
func (b *Bus) Degraded() bool { return b.conn != nil && !b.conn.IsConnected() }

// Missed returns how many events of other nodes were lost so far.
func (b *Bus) Missed() uint64 { return b.missed.Load() }

// Close sends what is queued, records the last number, and ends the connection.
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
