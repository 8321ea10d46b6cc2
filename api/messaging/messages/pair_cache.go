package messages

import (
	"sync"

	"github.com/google/uuid"

	"heartward/api/messaging/sendqueue"
)

// pairCache caches the members of conversations that receipts identify by the id of the
// conversation or the match. The members never change.
type pairCache struct {
	mu    sync.Mutex
	pairs map[uuid.UUID]sendqueue.Key
}

// lane returns the lane of a receipt. If the pair of the id is not cached, the lane is the
// member and the id, which is the pair if the id is the peer's. The same holds for a
// conversation of others, so that a member who guesses an id does not delay them.
func (c *pairCache) lane(r receiptUpdate) sendqueue.Key {
	c.mu.Lock()
	defer c.mu.Unlock()
	if pair, ok := c.pairs[r.other]; ok && (pair[0] == r.member || pair[1] == r.member) {
		return pair
	}
	return laneOf(r.member, r.other)
}

// add caches the pair of the id of a stored receipt.
func (c *pairCache) add(r receiptUpdate, change receiptChange) {
	const maxPairs = 100_000
	if change.Peer == r.other {
		return // the id is the peer's
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pairs == nil || len(c.pairs) >= maxPairs {
		c.pairs = map[uuid.UUID]sendqueue.Key{}
	}
	c.pairs[r.other] = laneOf(r.member, change.Peer)
}
