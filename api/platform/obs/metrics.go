// Package obs provides the format of the log, and the server for operators: metrics, health checks and profiles of a process.
package obs

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the Prometheus metrics of this process, with the server that shows them and other pages to operators.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	pages    map[string]http.Handler // by prefix
	address  atomic.Pointer[string]  // nil until Serve
}

// NewMetrics returns metrics of requests, the pool's connections, and the Go runtime.
func NewMetrics(pool *pgxpool.Pool) *Metrics {
	m := &Metrics{
		pages: map[string]http.Handler{}, registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "heartward_request_seconds", Help: "Time to respond, by route and status.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"method", "route", "status"}),
	}
	m.registry.MustRegister(m.requests, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.Gauge("heartward_pool_connections_used", "Connections to PostgreSQL in use.",
		func() float64 { return float64(pool.Stat().AcquiredConns()) })
	m.Gauge("heartward_pool_connections", "Connections to PostgreSQL open.",
		func() float64 { return float64(pool.Stat().TotalConns()) })
	return m
}

// Gauge adds a metric whose value is read for each scrape.
func (m *Metrics) Gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
}

// Counter adds a metric that only grows, whose value is read for each scrape.
func (m *Metrics) Counter(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, read))
}

// Request records a response. route is the pattern and not the path, so that ids do
// not create series.
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Observe(took.Seconds())
}

// Mount adds pages below prefix to Handler, such as those of the jobs. It must be called before Handler and Serve.
// Requests that another site starts in the browser of an operator are refused. A site can also give one of its own host
// names the address of this server, so requests by other names than localhost are refused too.
func (m *Metrics) Mount(prefix string, pages http.Handler) {
	sameOrigin := http.NewCrossOriginProtection().Handler(pages)
	m.pages[prefix] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if host != "localhost" && net.ParseIP(strings.Trim(host, "[]")) == nil {
			http.Error(w, "Please use an address or localhost.", http.StatusForbidden)
			return
		}
		sameOrigin.ServeHTTP(w, r)
	})
}

// Handler serves /metrics, /healthz, /readyz, /debug/pprof and the mounted pages. ready returns an error
// while the process is not ready. The handler is for operators; members must not be able
// to reach it.
func (m *Metrics) Handler(ready func(context.Context) error) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		if err := ready(ctx); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ready\n")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	for prefix, pages := range m.pages {
		mux.Handle(prefix+"/", pages)
	}
	return mux
}

// Address returns the address of Handler for a browser on this machine, or "" while it is not served.
func (m *Metrics) Address() string {
	if address := m.address.Load(); address != nil {
		return *address
	}
	return ""
}

// browserAddress returns the address of a listener, with localhost instead of an address that stands for all interfaces.
func browserAddress(address string) string {
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err == nil && ip.IsUnspecified() {
		return net.JoinHostPort("localhost", port)
	}
	return address
}

// Serve serves Handler on address until ctx ends, and returns the address on which it listens. An
// empty address means a free port on the loopback interface, so that two processes do not collide.
// With the address "off" it serves nothing and returns "off".
func (m *Metrics) Serve(ctx context.Context, address string, ready func(context.Context) error) (string, error) {
	if address == "off" {
		return address, nil
	}
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", address) //nolint:noctx // does not block
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: m.Handler(ready), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("the metrics server failed", "error", err)
		}
	}()
	context.AfterFunc(ctx, func() { _ = server.Close() })
	m.address.Store(new(browserAddress(listener.Addr().String())))
	return listener.Addr().String(), nil
}
