package live

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/messaging/conversations"
	"heartward/api/platform/bus"
)

// typingTimeout is the time without typing_start after which a member has stopped
// typing. The app repeats the frame every few seconds.
const typingTimeout = 8 * time.Second

// typingState is the state of a member who types a message to one recipient.
type typingState struct {
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
	if !open.MayWrite {
		return conversations.ErrNotShownYet()
	}
	conversation := open.ID
	s.mu.Lock()
	if !isTyping {
		delete(s.typing, to)
	} else {
		if s.typing == nil {
			s.typing = map[uuid.UUID]typingState{}
		}
		s.typing[to] = typingState{conversation, time.Now().Add(s.hub.deps.Timing.Typing), s.unmatchEpoch.Load()}
	}
	s.mu.Unlock()
	s.publishTyping(to, conversation, isTyping)
	return nil
}

func (s *socket) publishTyping(to, conversation uuid.UUID, isTyping bool) {
	s.hub.deps.Bus.Publish(bus.MemberSubject(to), bus.Event("", userTyping{"user_typing", s.actor.ID, isTyping, conversation}))
}

func (s *socket) stopExpiredTyping(now time.Time) {
	s.stopTyping(func(state typingState) bool { return now.After(state.until) })
}

func (s *socket) stopAllTyping() { s.stopTyping(func(typingState) bool { return true }) }

// stopTyping ends the typing states for which isEnded is true, and publishes their end. It publishes
// nothing if a conversation of the member has ended since, because it may be this one.
func (s *socket) stopTyping(isEnded func(typingState) bool) {
	s.mu.Lock()
	var ended map[uuid.UUID]typingState
	for to, state := range s.typing {
		if isEnded(state) {
			if ended == nil {
				ended = map[uuid.UUID]typingState{}
			}
			ended[to] = state
			delete(s.typing, to)
		}
	}
	s.mu.Unlock()
	for to, state := range ended {
		if state.epoch == s.unmatchEpoch.Load() {
			s.publishTyping(to, state.conversation, false)
		}
	}
}
