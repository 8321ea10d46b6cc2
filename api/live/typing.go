package live

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
)

// typingFor is how long a writer counts as writing who says no more of it.
// The app says it again every few seconds.
const typingFor = 8 * time.Second

// writing is a member to whom a socket's own member is writing.
type writing struct {
	conversation uuid.UUID
	until        time.Time
	ended        int64 // how many conversations had ended then
}

// typing tells the other side, as often as the client says so.
func (s *socket) typing(ctx context.Context, to uuid.UUID, isTyping bool) error {
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
		s.writing[to] = writing{conversation, time.Now().Add(s.hub.deps.Timing.Typing), s.ended.Load()}
	}
	s.mu.Unlock()
	s.tellTyping(to, conversation, isTyping)
	return nil
}

func (s *socket) tellTyping(to, conversation uuid.UUID, isTyping bool) {
	s.hub.deps.Bus.Publish(bus.MemberSubject(to), bus.Event("", userTyping{"user_typing", s.actor.ID, isTyping, conversation}))
}

// stopTyping says for a writer who went away, or has not been heard of for long,
// that they stopped. The zero time stands for all. When a conversation ended
// meanwhile nothing is said: it may be this one, and its other side has
// forgotten the writing with it.
func (s *socket) stopTyping(now time.Time) {
	s.mu.Lock()
	var over map[uuid.UUID]writing
	for to, w := range s.writing {
		if now.IsZero() || now.After(w.until) {
			if over == nil {
				over = map[uuid.UUID]writing{}
			}
			over[to] = w
			delete(s.writing, to)
		}
	}
	s.mu.Unlock()
	for to, w := range over {
		if w.ended == s.ended.Load() {
			s.tellTyping(to, w.conversation, false)
		}
	}
}
