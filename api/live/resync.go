package live

import (
	"math/rand/v2"
	"slices"
	"time"
)

// After a loss a node sends a sync frame to all of its sockets, because the lost events
// could be for any of them. A sync reads from PostgreSQL, so the frames are spread over a
// second, or sent at 2,000 a second to more than 2,000 sockets. After a round the node
// pauses for 5 ms a socket, at least 1 s and at most 30 s, because losses are reported
// continuously while NATS is unavailable.
const (
	resyncTick           = 20 * time.Millisecond
	resyncSpread         = time.Second
	resyncMaxPerTick     = 40 // sockets
	resyncPausePerSocket = 5 * time.Millisecond
	resyncMinPause       = time.Second
	resyncMaxPause       = 30 * time.Second
)

// RequestResync schedules a round of sync frames to all sockets. It does not
// block. Calls during a round are merged into one further round.
func (h *Hub) RequestResync() {
	select {
	case h.resyncDue <- struct{}{}:
	default:
	}
}

func (h *Hub) resync() {
	for waitFor(h, h.resyncDue) {
		sockets := h.all()
		rand.Shuffle(len(sockets), func(i, j int) { sockets[i], sockets[j] = sockets[j], sockets[i] })
		tick := time.NewTicker(resyncTick)
		for group := range slices.Chunk(sockets, resyncGroup(len(sockets))) {
			for _, s := range group {
				s.unmatchEpoch.Add(1) // the end of a conversation may be among what was lost
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

// resyncGroup returns how many of n sockets get the frame in one tick.
func resyncGroup(n int) int {
	ticks := int(resyncSpread / resyncTick)
	return max(1, min((n+ticks-1)/ticks, resyncMaxPerTick))
}

// resyncPause returns the pause after a round over n sockets.
func resyncPause(n int) time.Duration {
	return min(max(time.Duration(n)*resyncPausePerSocket, resyncMinPause), resyncMaxPause)
}

// waitFor receives from the channel; it returns false when the hub stops first.
func waitFor[T any](h *Hub, channel <-chan T) bool {
	select {
	case <-channel:
		return true
	case <-h.ctx.Done():
		return false
	}
}
