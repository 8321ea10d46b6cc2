package testkit

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
)

// shownLines is the number of lines of the log that a failed test prints.
const shownLines = 40

// router is the handler of the process's log in tests. It passes records to the handlers of the running tests.
type router struct {
	tests *handlers
	with  []func(slog.Handler) slog.Handler // attributes and groups of a derived logger
}

// handlers are the handlers of the running tests.
type handlers struct {
	mu  sync.Mutex
	all []*slog.Handler // by address, because handlers may be equal
}

// installRouter makes the router the default handler at its first call, and returns the handlers of the running tests.
var installRouter = sync.OnceValue(func() *handlers {
	tests := &handlers{}
	slog.SetDefault(slog.New(router{tests: tests}))
	return tests
})

// CaptureLog passes the log of the process to handler until the test ends. The log of parallel tests is part of it.
func CaptureLog(t testing.TB, handler slog.Handler) {
	t.Helper()
	tests := installRouter()
	tests.mu.Lock()
	defer tests.mu.Unlock()
	tests.all = append(slices.Clone(tests.all), &handler)
	t.Cleanup(func() {
		tests.mu.Lock()
		defer tests.mu.Unlock()
		tests.all = slices.DeleteFunc(slices.Clone(tests.all), func(h *slog.Handler) bool { return h == &handler })
	})
}

// ShowLog prints the last warnings and errors of the log if the test fails. The log of the process is not printed
// otherwise.
func ShowLog(t testing.TB) {
	t.Helper()
	lines := &lastLines{}
	t.Cleanup(func() {
		if t.Failed() && len(lines.text) > 0 {
			t.Logf("the last warnings of the process, also of parallel tests:\n%s", bytes.Join(lines.text, nil))
		}
	})
	CaptureLog(t, slog.NewTextHandler(lines, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// lastLines stores the last lines written to it.
type lastLines struct {
	mu   sync.Mutex
	text [][]byte
}

func (l *lastLines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, bytes.Clone(line))
	l.text = l.text[max(0, len(l.text)-shownLines):]
	return len(line), nil
}

// each calls visit with the handler of each running test.
func (r router) each(visit func(slog.Handler)) {
	r.tests.mu.Lock()
	all := r.tests.all
	r.tests.mu.Unlock()
	for _, h := range all {
		handler := *h
		for _, derive := range r.with {
			handler = derive(handler)
		}
		visit(handler)
	}
}

func (r router) Enabled(ctx context.Context, level slog.Level) (enabled bool) {
	r.each(func(h slog.Handler) { enabled = enabled || h.Enabled(ctx, level) })
	return enabled
}

func (r router) Handle(ctx context.Context, record slog.Record) (err error) {
	r.each(func(h slog.Handler) {
		if h.Enabled(ctx, record.Level) && err == nil {
			err = h.Handle(ctx, record.Clone())
		}
	})
	return err
}

func (r router) derived(derive func(slog.Handler) slog.Handler) slog.Handler {
	return router{r.tests, append(slices.Clone(r.with), derive)}
}

func (r router) WithAttrs(attrs []slog.Attr) slog.Handler {
	return r.derived(func(h slog.Handler) slog.Handler { return h.WithAttrs(attrs) })
}

func (r router) WithGroup(name string) slog.Handler {
	return r.derived(func(h slog.Handler) slog.Handler { return h.WithGroup(name) })
}
