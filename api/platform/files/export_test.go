package files

import "time"

// SetStall replaces how long a read may bring nothing.
func (s *Store) SetStall(d time.Duration) { s.stall = d }
