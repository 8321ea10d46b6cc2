package messages

import (
	"sync"

	"github.com/google/uuid"
)

// deviceCache caches the members who had a device for push when a message to them was last
// stored. An outdated entry costs a round trip but loses no notification.
type deviceCache struct {
	mu      sync.Mutex
	members map[uuid.UUID]struct{}
}

func (c *deviceCache) mayHaveDevice(member uuid.UUID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.members[member]
	return ok
}

func (c *deviceCache) set(member uuid.UUID, hasDevice bool) {
	const maxMembers = 100_000
	c.mu.Lock()
	defer c.mu.Unlock()
	if !hasDevice {
		delete(c.members, member)
		return
	}
	if c.members == nil || len(c.members) >= maxMembers {
		c.members = map[uuid.UUID]struct{}{}
	}
	c.members[member] = struct{}{}
}
