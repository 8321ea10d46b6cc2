package messages

// PauseQueue waits until the send queue is idle, and stops its workers until resume is
// called.
func (s *Service) PauseQueue() (resume func()) { return s.queue.Pause() }

// SetQueueCapacity replaces the send queue by one of another capacity.
func (s *Service) SetQueueCapacity(n int) {
	s.queue = s.newQueue(n)
	s.queue.Start()
}
