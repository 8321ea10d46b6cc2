package live

import (
	"maps"
	"slices"
)

// OnlineWindow exports onlineWindow for tests.
const OnlineWindow = onlineWindow

// RestartReason exports restartReason for tests.
func RestartReason(sockets int) string { return restartReason(sockets) }

// Dropped returns the number of sockets that are being closed as too slow.
func (h *Hub) Dropped() (n int) {
	h.each(func(s *socket) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.closing && s.code == CloseTooSlow {
			n++
		}
	})
	return n
}

// FrameTypes returns the types of frames that a client may send.
func FrameTypes() []string { return slices.Collect(maps.Keys(requiredFields)) }
