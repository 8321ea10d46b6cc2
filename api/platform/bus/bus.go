// Package bus carries live events between sockets and nodes.
//
// Within the process an event goes straight to whoever listens; other nodes,
// where there are any, get it over NATS. It is a hint, never the truth: what is published may be
// lost, so it is published after the commit, and who missed it reads the database.
package bus

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// arrivals is how many events of other nodes may wait for their listeners.
const arrivals = 1 << 16

// Bus is what this process hears and says. Safe for concurrent use.
type Bus struct {
	listeners listeners
	conn      *nats.Conn     // nil for the only node
	come      chan *nats.Msg // from other nodes
	over      chan struct{}

	mu    sync.Mutex
	onGap []func()
}

// Open connects to the NATS server or cluster at url. Without one this is the
// only node, and what it says is heard in this process alone.
func Open(url string) (*Bus, error) {
	b := &Bus{}
	if url == "" {
		return b, nil
	}
	b.come, b.over = make(chan *nats.Msg, arrivals), make(chan struct{})
	conn, err := nats.Connect(url,
		nats.Name("heartward"),
		nats.NoEcho(), // what this process says it has told its own listeners already
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500*time.Millisecond),
		nats.ReconnectHandler(func(*nats.Conn) { b.gap() }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				slog.Warn("the bus is cut", "error", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			slog.Warn("the bus has trouble", "error", err)
			if errors.Is(err, nats.ErrSlowConsumer) {
				b.gap()
			}
		}),
		// What was not sent while the bus was away is stale; sockets are told to sync instead.
		nats.ReconnectBufSize(-1),
	)
	if err != nil {
		return nil, fmt.Errorf("NATS does not answer: %w", err)
	}
	b.conn = conn
	go b.receive()
	return b, nil
}

// receive tells our listeners what other nodes say.
func (b *Bus) receive() {
	for {
		select {
		case m := <-b.come:
			b.listeners.tell(m.Subject, m.Data)
		case <-b.over:
			return
		}
	}
}

// Publish hands data to whoever listens now, on any node. It does not wait for
// other nodes and does not fail: the truth is in the database.
func (b *Bus) Publish(subject string, data []byte) {
	b.listeners.tell(subject, data)
	if b.conn == nil {
		return
	}
	if err := b.conn.Publish(subject, data); err != nil {
		slog.Debug("an event was not published", "subject", subject, "error", err)
	}
}

// Subscribe calls fn for each event, in the order of its publisher, until
// unsubscribe. The subject's last token may be *, which stands for any. The
// data is shared: fn must not change it. Fn is called by whoever publishes, so
// it must not wait.
func (b *Bus) Subscribe(subject string, fn func(data []byte)) (unsubscribe func(), err error) {
	return b.listeners.add(subject, fn, b.hear)
}

// hear has NATS send what other nodes say on a subject.
func (b *Bus) hear(subject string) (unsubscribe func(), err error) {
	if b.conn == nil {
		return func() {}, nil
	}
	subscription, err := b.conn.ChanSubscribe(subject, b.come)
	if err != nil {
		return nil, err
	}
	return func() { _ = subscription.Unsubscribe() }, nil // fails only once the connection is closed
}

// OnGap calls fn each time events of other nodes may have been missed.
func (b *Bus) OnGap(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.onGap = append(b.onGap, fn)
}

func (b *Bus) gap() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fn := range b.onGap {
		go fn()
	}
}

// Ready reports whether events reach the other nodes at the moment.
func (b *Bus) Ready() bool { return b.conn == nil || b.conn.IsConnected() }

// Close sends what is buffered and ends the connection.
func (b *Bus) Close() {
	if b.conn == nil {
		return
	}
	_ = b.conn.FlushTimeout(time.Second) // when it is cut there is nobody to tell
	b.conn.Close()
	close(b.over)
}
