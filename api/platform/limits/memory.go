package limits

import (
	"time"

	"golang.org/x/time/rate"
)

// Reserve counts an event in a limiter of this process if its rate permits the event
// now; otherwise it returns how long to wait.
func Reserve(limiter *rate.Limiter, now time.Time) (wait time.Duration, ok bool) {
	reservation := limiter.ReserveN(now, 1)
	if wait := reservation.DelayFrom(now); wait > 0 {
		reservation.CancelAt(now)
		return wait, false
	}
	return 0, true
}
