package live

import (
	"context"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"

	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
)

// handle runs a frame that decode accepted.
func (s *socket) handle(ctx context.Context, in frame) error {
	switch in.Type {
	case "auth":
		return s.auth(*in.UserID)
	case "get_online_users":
		return s.onlineUsers(ctx)
	case "send_message":
		return s.sendMessage(ctx, in)
	case "typing_start", "typing_stop":
		return s.setTyping(ctx, *in.RecipientID, in.Type == "typing_start")
	case "mark_read":
		seq := messages.Newest
		if in.Seq != nil {
			seq = *in.Seq
		}
		return s.hub.deps.Messaging.Messages.SetReceipts(ctx, s.actor, *in.SenderID, messages.Receipt{ReadSeq: seq})
	case "mark_delivered":
		return s.hub.deps.Messaging.Messages.SetReceipts(ctx, s.actor, *in.SenderID, messages.Receipt{DeliveredSeq: *in.Seq})
	case "join_conversation":
		return s.join(ctx, *in.OtherUserID)
	default: // ping
		s.send(pongFrame)
		return nil
	}
}

// auth compares the id in an auth frame with the member authenticated by the cookie, and
// closes the socket when they differ.
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
	if wait, ok := limits.Reserve(s.reader.lists, time.Now()); !ok {
		return fault.Limited("Please ask for the members who are online less often.", wait)
	}
	users, err := onlinePeers(ctx, s.hub.deps.Pool, s.actor.ID)
	if err == nil {
		s.send(encode(onlineUsers{"online_users", users}))
	}
	return err
}

// join confirms that the conversation is open. It changes nothing: every socket
// receives the events of all conversations of its member.
func (s *socket) join(ctx context.Context, peerID uuid.UUID) error {
	open, err := s.conversation(ctx, peerID)
	if err == nil {
		s.send(encode(conversationJoined{"conversation_joined", open.ID, peerID}))
	}
	return err
}

// sendMessage stores a message, unless an earlier one to the recipient must be sent again first. A frame without a clientId
// cannot be recognised when it is repeated, so each stores another message, and order is not enforced.
func (s *socket) sendMessage(ctx context.Context, in frame) error {
	if in.ClientID == nil {
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		in.ClientID = &id
		return s.storeMessage(ctx, in)
	}
	if err := s.reader.retries.check(*in.RecipientID, *in.ClientID); err != nil {
		return err
	}
	err := s.storeMessage(ctx, in)
	if !s.reader.retries.record(*in.RecipientID, *in.ClientID, err) {
		s.close(websocket.CloseTryAgainLater, "too many refused messages", time.Second)
	}
	return err
}

func (s *socket) storeMessage(ctx context.Context, in frame) error {
	sent, err := s.hub.deps.Messaging.Messages.Send(ctx, s.actor, messages.Outgoing{
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

// conversation returns the open conversation with a member. It caches the result
// for a minute, or until any conversation of this member ends, also while the result is
// read. Only typing and join use it; every write checks the database.
func (s *socket) conversation(ctx context.Context, peerID uuid.UUID) (conversations.OpenConversation, error) {
	const maxAge, maxPeers = time.Minute, 32
	now := time.Now()
	epoch := s.unmatchEpoch.Load()
	if epoch != s.reader.peersEpoch {
		s.reader.peers, s.reader.peersEpoch = nil, epoch
	}
	if known, ok := s.reader.peers[peerID]; ok && now.Before(known.until) {
		return known.conversation, nil
	}
	open, err := s.hub.deps.Messaging.Conversations.FindOpen(ctx, s.actor, peerID)
	if err != nil {
		return open, err
	}
	if epoch != s.unmatchEpoch.Load() {
		return s.conversation(ctx, peerID)
	}
	if s.reader.peers == nil || len(s.reader.peers) >= maxPeers {
		s.reader.peers = map[uuid.UUID]peer{}
	}
	s.reader.peers[peerID] = peer{conversation: open, until: now.Add(maxAge)}
	return open, nil
}
