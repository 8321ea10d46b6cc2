package live

import "time"

// wallPause is the pause after a round of wall frames, so that a couple that changes its mind all the
// time does not keep every socket busy.
const wallPause = 500 * time.Millisecond

// wallChanged schedules a round of wall frames to all sockets. Calls during a round and its pause are
// merged into one further round.
func (h *Hub) wallChanged([]byte) {
	select {
	case h.wall <- struct{}{}:
	default:
	}
}

func (h *Hub) sendWallFrames() {
	for waitFor(h, h.wall) {
		h.each(func(s *socket) { s.send(wallFrame) })
		if !waitFor(h, time.After(wallPause)) {
			return
		}
	}
}
