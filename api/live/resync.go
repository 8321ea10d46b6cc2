package live

import (
	"math/rand/v2"
	"slices"
	"time"
)

// All sockets of a node sync after a loss, since the lost events could be for any
// of them. Each sync costs PostgreSQL some reads, so the frames are spread over a
// second, or sent at 2,000 a second when there are more sockets than that. While
// NATS stays away a node pauses between rounds: 5 ms for each socket, at most 30 s.
const (
	resyncTick     = 20 * time.Millisecond
	resyncSpread   = time.Second
	resyncMostTick = 40 // sockets
	resyncRest     = 5 * time.Millisecond
	resyncLeast    = time.Second
	resyncLongest  = 30 * time.Second
)

// RequestResync has all sockets told to sync soon. It does not wait, and
// however often it is called, one more round follows the one under way.
func (h *Hub) RequestResync() {
	select {
	case h.gap <- struct{}{}:
	default:
	}
}

func (h *Hub) resync() {
	for waitFor(h, h.gap) {
		sockets := h.all()
		rand.Shuffle(len(sockets), func(i, j int) { sockets[i], sockets[j] = sockets[j], sockets[i] })
		tick := time.NewTicker(resyncTick)
		for group := range slices.Chunk(sockets, resyncGroup(len(sockets))) {
			for _, s := range group {
				s.send(syncFrame)
			}
			if !waitFor(h, tick.C) {
				break
			}
		}
		tick.Stop()
		if !waitFor(h, time.After(resyncPause(len(sockets)))) {
			return
		}
	}
}

// resyncGroup is how many of n sockets are told in one tick.
func resyncGroup(n int) int {
	ticks := int(resyncSpread / resyncTick)
	return max(1, min((n+ticks-1)/ticks, resyncMostTick))
}

// resyncPause is how long after a round over n sockets the next one waits.
func resyncPause(n int) time.Duration {
	return min(max(time.Duration(n)*resyncRest, resyncLeast), resyncLongest)
}

// waitFor reports whether the channel had a value before the hub ended.
func waitFor[T any](h *Hub, channel <-chan T) bool {
	select {
	case <-channel:
		return true
	case <-h.ctx.Done():
		return false
	}
}
