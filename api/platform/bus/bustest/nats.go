package bustest

import (
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

const timeout = 20 * time.Second

// Server starts a NATS server. A cluster port in own and the cluster addresses of other
// servers in routes make it part of a cluster.
func Server(t testing.TB, own server.ClusterOpts, routes ...string) *server.Server {
	t.Helper()
	options := &server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true}
	if own.Port != 0 {
		own.Name, own.Host, own.NoAdvertise = "heartward", "127.0.0.1", true
		options.Cluster = own
	}
	for _, route := range routes {
		options.Routes = append(options.Routes, server.RoutesFromStr("nats://"+route)...)
	}
	s, err := server.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(timeout) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// Proxy forwards TCP connections to a server until it is cut.
type Proxy struct {
	t        testing.TB
	listener net.Listener
	ended    sync.WaitGroup

	mu      sync.Mutex
	changed *sync.Cond // signalled when frozen or conns change
	target  string     // if empty, connections are closed at once
	frozen  bool
	conns   map[net.Conn]bool
	closed  bool
}

// NewProxy listens on a free port until the test ends. With an empty target it closes
// connections until Heal.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{t: t, listener: listener, target: target, conns: map[net.Conn]bool{}}
	p.changed = sync.NewCond(&p.mu)
	p.ended.Go(p.accept)
	t.Cleanup(func() {
		listener.Close()
		p.mu.Lock()
		p.closed = true
		p.mu.Unlock()
		p.Cut()
		p.ended.Wait()
	})
	return p
}

// Address returns the address on which the proxy listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// URL returns the URL for a NATS client.
func (p *Proxy) URL() string { return "nats://" + p.Address() }

// Cut closes all connections and refuses new ones.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target, p.frozen = "", false
	for conn := range p.conns {
		conn.Close()
	}
	p.changed.Broadcast()
}

// Freeze stops forwarding but keeps the connections open.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = true
}

// Heal forwards connections to target again.
func (p *Proxy) Heal(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target, p.frozen = target, false
	p.changed.Broadcast()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		target := p.target
		p.mu.Unlock()
		if target == "" {
			client.Close()
			continue
		}
		server, err := net.Dial("tcp", target)
		if err != nil {
			client.Close()
			continue
		}
		p.forward(client, server)
	}
}

func (p *Proxy) forward(client, server net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[client], p.conns[server] = true, true
	if p.target == "" || p.closed { // cut in the meantime
		client.Close()
		server.Close()
	}
	p.ended.Go(func() { p.copy(client, server) })
	p.ended.Go(func() { p.copy(server, client) })
}

// copy forwards data, and closes both connections when one of them ends.
func (p *Proxy) copy(from, to net.Conn) {
	defer p.forget(from, to)
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || !p.waitWhileFrozen(from) {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// waitWhileFrozen reports whether the connection is still open afterwards.
func (p *Proxy) waitWhileFrozen(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.frozen && p.conns[conn] {
		p.changed.Wait()
	}
	return p.conns[conn]
}

func (p *Proxy) forget(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		conn.Close()
		delete(p.conns, conn)
	}
	p.changed.Broadcast()
}
