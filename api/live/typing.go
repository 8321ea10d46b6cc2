package live

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
)

// typingTimeout is the time without typing_start after which a member has stopped
// typing. The app repeats the frame every few seconds.
const typingTimeout = 8 * time.Second

// writing is the typing state towards one recipient.
type writing struct {
	conversation uuid.UUID
	until        time.Time
	epoch        int64 // unmatchEpoch at that time
}

// setTyping publishes a typing event for each frame of the client.
func (s *socket) setTyping(ctx context.Context, to uuid.UUID, isTyping bool) error {
	open, err := s.conversation(ctx, to)
	if err != nil {
		return err
	}
	if !open.Shown {
		return fault.New(fault.Forbidden, "You can write to others as soon as your own profile is shown.")
	}
	conversation := open.ID
	s.mu.Lock()
	if !isTyping {
		delete(s.writing, to)
	} else {
		if s.writing == nil {
			s.writing = map[uuid.UUID]writing{}
		}
		s.writing[to] = writing{conversation, time.Now().Add(s.hub.deps.Timing.Typing), s.unmatchEpoch.Load()}
	}
	s.mu.Unlock()
	s.publishTyping(to, conversation, isTyping)
	return nil
}

func (s *socket) publishTyping(to, conversation uuid.UUID, isTyping bool) {
	s.hub.deps.Bus.Publish(bus.MemberSubject(to), bus.Event("", userTyping{"user_typing", s.actor.ID, isTyping, conversation}))
}

// stopTyping publishes the end of the typing states that expired by now, or of all
// for the zero time. It publishes nothing after a conversation of the member
// ended: it may be this one, whose other side has dropped the state already.
func (s *socket) stopTyping(now time.Time) {
	s.mu.Lock()
	var expired map[uuid.UUID]writing
	for to, w := range s.writing {
		if now.IsZero() || now.After(w.until) {
			if expired == nil {
				expired = map[uuid.UUID]writing{}
			}
			expired[to] = w
			delete(s.writing, to)
		}
	}
	s.mu.Unlock()
	for to, w := range expired {
		if w.epoch == s.unmatchEpoch.Load() {
			s.publishTyping(to, w.conversation, false)
		}
	}
}
