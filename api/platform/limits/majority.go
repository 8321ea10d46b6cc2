package limits

import "sync"

// Majority counts keys in windows of a fixed number of calls. It is safe for concurrent use.
type Majority struct {
	Window int // calls

	mu     sync.Mutex
	calls  int
	counts map[string]int
}

// Add counts a call, and reports whether it ends a window in which one key made more than
// half of the calls. The next call begins a new window.
func (m *Majority) Add(key string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil {
		m.counts = make(map[string]int)
	}
	m.calls++
	m.counts[key]++
	if m.calls < m.Window {
		return false
	}
	largest := 0
	for _, count := range m.counts {
		largest = max(largest, count)
	}
	m.calls, m.counts = 0, nil
	return 2*largest > m.Window
}
