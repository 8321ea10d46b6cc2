package bus

import (
	"log/slog"
	"sync"
	"time"
)

// lossLogInterval is the minimum time between two log lines about losses, because a
// disconnected node loses events every second.
const lossLogInterval = time.Minute

// connectionLog writes one line for each change of the connection. NATS may report the
// same state several times.
type connectionLog struct {
	mu                 sync.Mutex
	disconnectedLogged bool
	lastError          string // last logged error since the last change
	lossLoggedAt       time.Time
}

func (l *connectionLog) connected() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastError = ""
	if l.disconnectedLogged {
		l.disconnectedLogged = false
		slog.Info("connected to NATS again")
	}
}

func (l *connectionLog) disconnected(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.disconnectedLogged || err == nil { // nil: we closed the connection
		return
	}
	l.disconnectedLogged, l.lastError = true, ""
	slog.Warn("disconnected from NATS: members see changes made on other nodes some seconds later", "error", err)
}

func (l *connectionLog) failed(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text := err.Error(); text != l.lastError {
		l.lastError = text
		slog.Warn("NATS reports an error", "error", err)
	}
}

func (l *connectionLog) lost(events uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.lossLoggedAt) > lossLogInterval {
		l.lossLoggedAt = now
		slog.Warn("events of other nodes were lost: all sockets sync", "events", events)
	}
}
