// Package bus carries live events between sockets and nodes.
//
// Within the process an event goes straight to whoever listens; other nodes
// get it over NATS. It is a hint, never the truth: what is published may be
// lost, so it is published after the commit, and who missed it reads the database.
package bus

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// arrivals is how many events of other nodes may wait for their listeners.
const arrivals = 1 << 16

// Bus is what this process hears and says. Safe for concurrent use.
type Bus struct {
	listeners listeners
	conn      *nats.Conn
	server    *server.Server // nil when NATS runs elsewhere
	come      chan *nats.Msg // from other nodes
	over      chan struct{}

	mu    sync.Mutex
	onGap []func()
}

// Open connects to the NATS server or cluster at url. Without one a server runs
// inside this process and listens on nothing, so that two copies on a machine
// share nothing.
func Open(url string) (*Bus, error) {
	b := &Bus{come: make(chan *nats.Msg, arrivals), over: make(chan struct{})}
	options := []nats.Option{
		nats.Name("heartward"),
		nats.NoEcho(), // what this process says it has told its own listeners already
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500 * time.Millisecond),
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
	}
	if url == "" {
		inner, err := startInProcess()
		if err != nil {
			return nil, err
		}
		b.server = inner
		options = append(options, nats.InProcessServer(inner))
	}
	conn, err := nats.Connect(url, options...)
	if err != nil {
		b.stopServer()
		return nil, fmt.Errorf("NATS does not answer: %w", err)
	}
	b.conn = conn
	go b.receive()
	return b, nil
}

func startInProcess() (*server.Server, error) {
	inner, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true, MaxPayload: 256 << 10})
	if err != nil {
		return nil, fmt.Errorf("starting NATS: %w", err)
	}
	inner.Start()
	if !inner.ReadyForConnections(5 * time.Second) {
		inner.Shutdown()
		return nil, errors.New("starting NATS: it did not become ready")
	}
	return inner, nil
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
func (b *Bus) Ready() bool { return b.conn.IsConnected() }

// Close sends what is buffered and ends the connection and the inner server.
func (b *Bus) Close() {
	_ = b.conn.FlushTimeout(time.Second) // when it is cut there is nobody to tell
	b.conn.Close()
	close(b.over)
	b.stopServer()
}

func (b *Bus) stopServer() {
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
}
