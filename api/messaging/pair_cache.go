package messaging

import (
	"sync"

	"github.com/google/uuid"

	"heartward/api/messaging/sendqueue"
)

// pairCache caches the members of conversations that receipts name by the id of
// the conversation or the match, which never change.
type pairCache struct {
	mu    sync.Mutex
	pairs map[uuid.UUID]sendqueue.Key
}

// lane returns the lane of a receipt. While the pair behind its name is not known
// the name has a lane of its own; so has the name of a stranger's conversation,
// so that a member who guesses an id delays no other.
func (c *pairCache) lane(r receiptUpdate) sendqueue.Key {
	c.mu.Lock()
	defer c.mu.Unlock()
	if pair, ok := c.pairs[r.other]; ok && (pair[0] == r.member || pair[1] == r.member) {
		return pair
	}
	return laneOf(r.member, r.other)
}

// add remembers the pair behind the name of a stored receipt.
func (c *pairCache) add(r receiptUpdate, change receiptChange) {
	const maxPairs = 100_000
	if change.Peer == r.other {
		return // the name is the peer's id
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pairs == nil || len(c.pairs) >= maxPairs {
		c.pairs = map[uuid.UUID]sendqueue.Key{}
	}
	c.pairs[r.other] = laneOf(r.member, change.Peer)
}
