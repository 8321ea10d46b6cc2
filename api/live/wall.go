package live

import "time"

// wallPause is the pause after a round of wall frames. It limits the frames to all sockets while one couple changes its entry
// again and again.
const wallPause = 500 * time.Millisecond

// wallChanged schedules a round of wall frames to all sockets. Calls during a round and its pause are
// merged into one further round.
func (h *Hub) wallChanged([]byte) {
	select {
	case h.wallDue <- struct{}{}:
	default:
	}
}

func (h *Hub) sendWallFrames() {
	for waitFor(h, h.wallDue) {
		h.each(func(s *socket) { s.send(wallFrame) })
		if !waitFor(h, time.After(wallPause)) {
			return
		}
	}
}
