package media

import "golang.org/x/sync/semaphore"

// SetSpace limits the temporary files to bytes.
func (s *Service) SetSpace(bytes int64) { s.space = semaphore.NewWeighted(bytes) }
