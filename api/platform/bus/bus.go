// Package bus carries live events between sockets and nodes, over NATS.
//
// It is a hint, never the truth: what is published may be lost, so it is
// published after the commit, and who missed it reads the database.
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

// Bus is a connection to NATS. Safe for concurrent use.
type Bus struct {
	conn   *nats.Conn
	server *server.Server // nil when NATS runs elsewhere

	mu          sync.Mutex
	onReconnect []func()
}

// Open connects to url. Without one a server runs inside this process and
// listens on nothing, so that two copies on a machine share nothing.
func Open(url string) (*Bus, error) {
	b := &Bus{}
	options := []nats.Option{
		nats.Name("heartward"),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500 * time.Millisecond),
		nats.ReconnectHandler(func(*nats.Conn) { b.reconnected() }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				slog.Warn("the bus is cut", "error", err)
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

// Publish hands data to whoever listens now, on any node. It does not wait and
// does not fail: the truth is in the database.
func (b *Bus) Publish(subject string, data []byte) {
	if err := b.conn.Publish(subject, data); err != nil {
		slog.Debug("an event was not published", "subject", subject, "error", err)
	}
}

// Subscribe calls fn for each event, one at a time and in the order of its
// publisher, until unsubscribe. The data is shared: fn must not change it.
func (b *Bus) Subscribe(subject string, fn func(data []byte)) (unsubscribe func(), err error) {
	subscription, err := b.conn.Subscribe(subject, func(m *nats.Msg) { fn(m.Data) })
	if err != nil {
		return nil, err
	}
	return func() { _ = subscription.Unsubscribe() }, nil // fails only once the connection is closed
}

// OnReconnect calls fn each time the bus was away and is back: events may have
// been missed.
func (b *Bus) OnReconnect(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.onReconnect = append(b.onReconnect, fn)
}

func (b *Bus) reconnected() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fn := range b.onReconnect {
		go fn()
	}
}

// Ready reports whether events are carried at the moment.
func (b *Bus) Ready() bool { return b.conn.IsConnected() }

// Close sends what is buffered and ends the connection and the inner server.
func (b *Bus) Close() {
	_ = b.conn.FlushTimeout(time.Second) // when it is cut there is nobody to tell
	b.conn.Close()
	b.stopServer()
}

func (b *Bus) stopServer() {
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
}
