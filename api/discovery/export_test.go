package discovery

import "context"

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

// Load reads everybody into the index, as Follow does first.
func (s *Service) Load(ctx context.Context) error {
	_, err := s.look(ctx, snapshot{})
	return err
}

// Oversleep makes Follow believe that it has not looked for days.
func (s *Service) Oversleep() { s.lookedAt.Store(0) }
