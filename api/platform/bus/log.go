package bus

import (
	"log/slog"
	"sync"
	"time"
)

// lossLogInterval is the minimum time between two log lines about losses, because a
// disconnected node loses events every second.
const lossLogInterval = time.Minute

// connectionLog writes one line for each change of the connection, however
// often NATS reports it.
type connectionLog struct {
	mu        sync.Mutex
	away      bool
	lastError string // last logged error since the last change
	lostAt    time.Time
}

func (l *connectionLog) connected() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastError = ""
	if l.away {
		l.away = false
		slog.Info("NATS is back")
	}
}

func (l *connectionLog) disconnected(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away || err == nil { // nil: we closed the connection
		return
	}
	l.away, l.lastError = true, ""
	slog.Warn("NATS is away: members see what happens on other nodes some seconds later", "error", err)
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
	if now := time.Now(); now.Sub(l.lostAt) > lossLogInterval {
		l.lostAt = now
		slog.Warn("events of other nodes were lost: sockets are told to sync", "events", events)
	}
}
