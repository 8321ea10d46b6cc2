package discovery

// TakeAllPlaces holds every place for a search until give is called.
func (s *Service) TakeAllPlaces() (give func()) {
	for range cap(s.searches) {
		s.searches <- struct{}{}
	}
	return func() {
		for range cap(s.searches) {
			<-s.searches
		}
	}
}

// Current reports that searches are answered by the index.
func (s *Service) Current() bool { return s.current() }
