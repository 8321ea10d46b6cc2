package matching

import (
	"time"

	"heartward/api/platform/fault"
)

// How often a member may like others. The likes themselves are counted, under
// the actor's lock: exact, and repeats of a like count for nothing.
const (
	likesADay        = 100
	likesAMinute     = 10
	superLikes       = 3
	superLikesThanks = 6 // with Premium
)

// mayLike is the whole rule of who may like whom now.
func (s standing) mayLike(kind Kind) error {
	switch {
	case !s.actorShown:
		return fault.New(fault.Forbidden, "You can like others as soon as your own profile is shown.")
	case !s.visible:
		return notFound()
	case s.mine != nil:
		return nil
	case s.minute.count >= likesAMinute:
		return s.minute.full("Take your time: there is one more like for you in a moment.", time.Minute)
	case s.day.count >= likesADay:
		return s.day.full("You have sent all your likes for today. There are new ones tomorrow.", 24*time.Hour)
	}
	allowed := superLikes
	if s.premium {
		allowed = superLikesThanks
	}
	if kind == SuperLike && s.supers.count >= allowed {
		return s.supers.full("You have sent all your super likes for today. A like still says a lot.", 24*time.Hour)
	}
	return nil
}

// window is what a member has sent within a limit's time.
type window struct {
	count  int
	oldest *time.Time
}

func (w window) full(message string, per time.Duration) error {
	wait := time.Second
	if w.oldest != nil {
		wait = max(wait, time.Until(w.oldest.Add(per)))
	}
	return fault.Limited(message, wait)
}

func notFound() error { return fault.New(fault.NotFound, "We could not find that member.") }
