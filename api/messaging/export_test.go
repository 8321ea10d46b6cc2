package messaging

import (
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// EditSyncCursor returns the cursor of a device of one member as one of another member, with
// the given number of transactions added to its position.
func EditSyncCursor(cursor string, from, to uuid.UUID, transactions uint64) (string, error) {
	at, err := decodeSyncCursor(from, cursor)
	at.From += transactions
	return web.EncodeCursor(syncList(to), at), err
}

// PauseQueue waits until the send queue is idle, and stops its workers until resume is
// called.
func (s *Service) PauseQueue() (resume func()) { return s.queue.Pause() }

// SetQueueCapacity replaces the send queue by one of another capacity.
func (s *Service) SetQueueCapacity(n int) {
	s.queue = s.newQueue(n)
	s.queue.Start()
}
