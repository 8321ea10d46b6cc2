package live

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
