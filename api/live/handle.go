package live

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
)

// handle serves a frame that decode let through.
func (s *socket) handle(ctx context.Context, in frame) error {
	switch in.Type {
	case "auth":
		return s.auth(*in.UserID)
	case "get_online_users":
		return s.onlineUsers(ctx)
	case "send_message":
		return s.sendMessage(ctx, in)
	case "typing_start", "typing_stop":
		return s.typing(ctx, *in.RecipientID, in.Type == "typing_start")
	case "mark_read":
		seq := messaging.Newest
		if in.Seq != nil {
			seq = *in.Seq
		}
		return s.hub.deps.Messaging.Receive(ctx, s.actor, *in.SenderID, messaging.Receipt{ReadSeq: seq})
	case "mark_delivered":
		return s.hub.deps.Messaging.Receive(ctx, s.actor, *in.SenderID, messaging.Receipt{DeliveredSeq: *in.Seq})
	case "join_conversation":
		return s.join(ctx, *in.OtherUserID)
	default: // ping
		s.send(pongFrame)
		return nil
	}
}

// auth is the cookie's matter; a client may say who it takes itself for, and
// is sent away when it is mistaken.
func (s *socket) auth(claimed uuid.UUID) error {
	if claimed == s.actor.ID {
		s.send(encode(identified{"auth_success", s.actor.ID}))
		return nil
	}
	s.fail(nil, fault.New(fault.Forbidden, "This socket belongs to another member."))
	s.close(CloseForbidden, "another member", time.Second)
	return nil
}

func (s *socket) onlineUsers(ctx context.Context) error {
	if wait, ok := s.talk.lists.allow(time.Now()); !ok {
		return fault.Limited("Please ask for the members who are online less often.", wait)
	}
	users, err := onlinePeers(ctx, s.hub.deps.Pool, s.actor.ID)
	if err == nil {
		s.send(encode(onlineUsers{"online_users", users}))
	}
	return err
}

// join acknowledges that the conversation is open. Every socket receives the
// events of all conversations of its member, so there is nothing to enter.
func (s *socket) join(ctx context.Context, with uuid.UUID) error {
	open, err := s.conversation(ctx, with)
	if err == nil {
		s.send(encode(joined{"conversation_joined", open.ID, with}))
	}
	return err
}

// sendMessage stores a message. A client that sends no id for it cannot repeat
// the call: each time is another message.
func (s *socket) sendMessage(ctx context.Context, in frame) error {
	if in.ClientID == nil {
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		in.ClientID = &id
	}
	sent, err := s.hub.deps.Messaging.Send(ctx, s.actor, messaging.SendInput{
		RecipientID: *in.RecipientID, Content: in.Content, MessageType: in.MessageType,
		ClientID: *in.ClientID, ReplyTo: in.ReplyTo, FileIDs: in.FileIDs, Socket: s.id,
	})
	if err != nil {
		return err
	}
	m := sent.Message
	s.send(encode(ack{"ack", m.ClientID, m.ID, m.Seq, m.SentAt, m.ConversationID}))
	return nil
}

// conversation finds the open conversation with a member, and remembers it for
// a minute, or until one of this member's ends. What is stored is checked anew
// each time; this is for typing.
func (s *socket) conversation(ctx context.Context, with uuid.UUID) (messaging.OpenConversation, error) {
	const keep, most = time.Minute, 32
	now := time.Now()
	if ended := s.ended.Load(); ended != s.talk.ended {
		s.talk.peers, s.talk.ended = nil, ended
	}
	if known, ok := s.talk.peers[with]; ok && now.Before(known.until) {
		return known.conversation, nil
	}
	open, err := s.hub.deps.Messaging.FindOpenConversation(ctx, s.actor, with)
	if err != nil {
		return open, err
	}
	if s.talk.peers == nil || len(s.talk.peers) >= most {
		s.talk.peers = map[uuid.UUID]peer{}
	}
	s.talk.peers[with] = peer{conversation: open, until: now.Add(keep)}
	return open, nil
}
