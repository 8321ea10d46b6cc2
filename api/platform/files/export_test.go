package files

import "time"

// SetStall replaces readStall for s.
func (s *Store) SetStall(d time.Duration) { s.stall = d }
