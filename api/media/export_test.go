package media

import "golang.org/x/sync/semaphore"

// SetRoom gives the files that are looked into so many bytes of the disk.
func (s *Service) SetRoom(bytes int64) { s.space = semaphore.NewWeighted(bytes) }
