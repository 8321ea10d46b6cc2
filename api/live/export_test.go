package live

// Fresh is for how long after their last frame members count as online.
const Fresh = fresh

// Dropped is how many sockets are being closed for being too slow.
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
