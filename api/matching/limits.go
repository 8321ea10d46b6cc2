package matching

import (
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// Limits of likes. The rows of user_likes are counted under the actor's lock, so the
// limits are exact. A repeated like inserts no row and does not count.
const (
	likesADay         = 100
	likesAMinute      = 10
	superLikes        = 3 // a day
	premiumSuperLikes = 6

	day        = 24 * time.Hour
	maxComment = 300
)

// clean trims the comment and makes the checks that need no database.
func (in *LikeInput) clean(actor uuid.UUID) (err error) {
	if actor == in.To {
		return fault.InvalidField("toUserId", "Liking yourself is a fine thing, but not here.")
	}
	if in.PhotoID != uuid.Nil && in.Prompt != "" {
		return fault.InvalidField("prompt", "A like is about a photo or an answer, not both.")
	}
	in.Comment, err = text.Lines("comment", in.Comment, maxComment)
	return err
}

// checkLike returns an error unless the like is allowed. A repeated like is allowed even
// if a limit is reached or actor's profile is no longer shown.
func (r relation) checkLike(kind Kind) error {
	sent := r.likes()
	switch {
	case r.Visible && r.SentKind != nil:
		return nil
	case r.ActorPaused:
		return fault.New(fault.Forbidden, "Your account is paused. Resume it in the settings to like others.")
	case !r.ActorShown:
		return fault.New(fault.Forbidden, "You can like others as soon as your own profile is shown.")
	case !r.Visible:
		return notFound()
	case sent.minute.count >= likesAMinute:
		return sent.minute.exceeded("Take your time: there is one more like for you in a moment.", time.Minute)
	case sent.day.count >= likesADay:
		return sent.day.exceeded("You have sent all your likes for today. There are new ones tomorrow.", day)
	case kind == SuperLike && sent.supers.count >= superLikesOf(r.Premium):
		return sent.supers.exceeded("You have sent all your super likes for today. A like still says a lot.", day)
	}
	return nil
}

func superLikesOf(premium bool) int {
	if premium {
		return premiumSuperLikes
	}
	return superLikes
}

// sentLikes counts the likes that a member sent recently.
type sentLikes struct {
	minute, day, supers window
}

// allowance returns the number of likes that may still be sent.
func (s sentLikes) allowance(premium bool) Allowance {
	return Allowance{
		LikesLeft: max(0, likesADay-s.day.count), LikesResetAt: s.day.next(day),
		SuperLikesLeft: max(0, superLikesOf(premium)-s.supers.count), SuperLikesResetAt: s.supers.next(day),
	}
}

// window is the number of likes in a limit's period, with the time of the oldest.
type window struct {
	count  int
	oldest *time.Time
}

// next returns the time at which the oldest like leaves the window, or nil without a like.
func (w window) next(per time.Duration) *time.Time {
	if w.oldest == nil {
		return nil
	}
	at := web.Time(w.oldest.Add(per))
	return &at
}

func (w window) exceeded(message string, per time.Duration) error {
	wait := time.Second
	if w.oldest != nil {
		wait = max(wait, time.Until(w.oldest.Add(per)))
	}
	return fault.Limited(message, wait)
}

func notFound() error { return fault.New(fault.NotFound, "We could not find that member.") }
