package matching

import (
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// How often a member may like others. The likes themselves are counted, under
// the actor's lock: exact, and repeats of a like count for nothing.
const (
	likesADay        = 100
	likesAMinute     = 10
	superLikes       = 3
	superLikesThanks = 6 // with Premium

	day        = 24 * time.Hour
	maxComment = 300
)

// clean checks what can be known without the database, and trims the words.
func (in *LikeInput) clean(actor uuid.UUID) (err error) {
	if actor == in.To {
		return fault.InvalidField("toUserId", "Liking yourself is a fine thing, but not here.")
	}
	if in.PhotoID != uuid.Nil && in.Prompt != "" {
		return fault.InvalidField("prompt", "A like is about a photo or an answer, not both.")
	}
	in.Comment, err = members.CleanText("comment", in.Comment, maxComment, true)
	return err
}

// mayLike is the whole rule of who may like whom now. A like that was sent
// already is answered like the first time, whatever has changed meanwhile.
func (s standing) mayLike(kind Kind) error {
	switch {
	case s.visible && s.mine != nil:
		return nil
	case s.actorPaused:
		return fault.New(fault.Forbidden, "Your account is paused. Resume it in the settings to like others.")
	case !s.actorShown:
		return fault.New(fault.Forbidden, "You can like others as soon as your own profile is shown.")
	case !s.visible:
		return notFound()
	case s.sent.minute.count >= likesAMinute:
		return s.sent.minute.full("Take your time: there is one more like for you in a moment.", time.Minute)
	case s.sent.day.count >= likesADay:
		return s.sent.day.full("You have sent all your likes for today. There are new ones tomorrow.", day)
	case kind == SuperLike && s.sent.supers.count >= superLikesOf(s.premium):
		return s.sent.supers.full("You have sent all your super likes for today. A like still says a lot.", day)
	}
	return nil
}

func superLikesOf(premium bool) int {
	if premium {
		return superLikesThanks
	}
	return superLikes
}

// sent is what a member has sent of late.
type sent struct {
	minute, day, supers window
}

func (s sent) left(premium bool) Allowance {
	return Allowance{
		LikesLeft: max(0, likesADay-s.day.count), LikesResetAt: s.day.next(day),
		SuperLikesLeft: max(0, superLikesOf(premium)-s.supers.count), SuperLikesResetAt: s.supers.next(day),
	}
}

// window is what a member has sent within a limit's time.
type window struct {
	count  int
	oldest *time.Time
}

// next is when the oldest no longer counts.
func (w window) next(per time.Duration) *time.Time {
	if w.oldest == nil {
		return nil
	}
	at := web.Time(w.oldest.Add(per))
	return &at
}

func (w window) full(message string, per time.Duration) error {
	wait := time.Second
	if w.oldest != nil {
		wait = max(wait, time.Until(w.oldest.Add(per)))
	}
	return fault.Limited(message, wait)
}

func notFound() error { return fault.New(fault.NotFound, "We could not find that member.") }
