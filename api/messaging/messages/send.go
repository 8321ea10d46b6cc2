package messages

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/media"
	"heartward/api/messaging/conversations"
	"heartward/api/messaging/sendqueue"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// maxContent is the limit of the column, in characters.
const maxContent = 4000

// Sent is the result of Send. Repeated is true if an earlier call with the same client id
// stored the message.
type Sent struct {
	Message  Message
	Repeated bool
}

// Send stores a message from the actor to a member with whom they have an open
// conversation, and publishes it to both after the commit. Calls with the same client id
// return and publish the same message, so that a caller may retry any call. If ctx ends, the
// message may still be stored.
//
// It returns Invalid for the content, replyTo or fileIds; Forbidden while the actor's
// profile is not shown; NotFound without an open conversation; Conflict if the client id
// belongs to another message of the conversation; RateLimited; and Unavailable.
func (s *Service) Send(ctx context.Context, actor web.Actor, out Outgoing) (Sent, error) {
	content, err := CheckOutgoing(out)
	if err != nil {
		return Sent{}, err
	}
	if err := s.AllowSending(actor); err != nil {
		return Sent{}, err
	}
	if err := s.allowFirstMessage(ctx, actor.ID, out.RecipientID); err != nil {
		return Sent{}, err
	}
	out.Content = content
	m, err := s.Prepare(actor.ID, out)
	if err != nil {
		return Sent{}, err
	}
	stored, err := s.store(ctx, m)
	if err != nil {
		return Sent{}, sendFault(err)
	}
	if stored == nil {
		return s.firstResult(ctx, m)
	}
	return Sent{Message: stored.For(actor.ID)}, nil
}

// AllowSending counts a message of the actor for the limit in memory. It returns RateLimited.
func (s *Service) AllowSending(actor web.Actor) error { return s.limit.Allow(actor.ID) }

// store stores a message and publishes it. It returns nil if the message was not inserted,
// because there is no open conversation or the client id is already stored in it.
func (s *Service) store(ctx context.Context, m *Outgoing) (*Stored, error) {
	if len(m.FileIDs) > 0 { // stored separately, because it takes several statements
		w, err := s.storeOne(ctx, write{message: m})
		return w.message, err
	}
	w, err := s.enqueue(ctx, sendqueue.Item[write]{
		Lane: laneOf(m.senderID, m.RecipientID), ID: sendqueue.Key{m.senderID, m.id}, Value: write{message: m},
	})
	return w.message, err
}

// storeMessage inserts a message in a separate transaction. Like store, it returns nil if
// the message was not inserted.
func (s *Service) storeMessage(ctx context.Context, m *Outgoing) (*Stored, error) {
	stored, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (*Stored, error) { return s.InsertTx(ctx, tx, m, false) })
	if errors.Is(err, errNotInserted) || clientIDTaken(err) {
		return nil, nil
	}
	return stored, err
}

// sendFault maps errors of the database.
func sendFault(err error) error {
	if pg.ViolatesConstraint(err, "messages_reply") {
		return fault.InvalidField("replyTo", "The message that this one replies to does not exist.")
	}
	return pg.Fault(err)
}

// firstResult returns the message that an earlier call with the client id of m stored, and
// publishes it again, because the earlier call may have published nothing. Otherwise it
// returns the error for which m cannot be stored.
func (s *Service) firstResult(ctx context.Context, m *Outgoing) (Sent, error) {
	first, err := ByClientID(ctx, s.pool, m.senderID, m.RecipientID, m.ClientID)
	if errors.Is(err, pgx.ErrNoRows) {
		return Sent{}, s.errNotSent(ctx, m.senderID)
	}
	if err != nil {
		return Sent{}, pg.Fault(err)
	}
	if !sameMessage(first, m) {
		return Sent{}, errClientIDUsed()
	}
	s.publishStored(ctx, m.RecipientID, first.ConversationID, first.Seq, m.Socket)
	return Sent{Message: first, Repeated: true}, nil
}

func errClientIDUsed() error {
	return fault.New(fault.Conflict, "Another message was already sent under this id.")
}

// sameMessage reports whether a stored message equals the one that is sent now. Only the
// type of a deleted message can be compared.
func sameMessage(first Message, now *Outgoing) bool {
	if first.DeletedAt != nil {
		return first.MessageType == now.MessageType
	}
	sameFiles := slices.EqualFunc(first.Attachments, now.FileIDs, func(a media.Attachment, id uuid.UUID) bool { return a.ID == id })
	return sameFiles && first.Content == now.Content && first.MessageType == now.MessageType &&
		(first.ReplyTo == nil) == (now.ReplyTo == nil) && (first.ReplyTo == nil || *first.ReplyTo == *now.ReplyTo)
}

// errNotSent returns the error for a message that was not inserted.
func (s *Service) errNotSent(ctx context.Context, sender uuid.UUID) error {
	var mayWrite bool
	err := s.pool.QueryRow(ctx, `SELECT profile_status = 'active' AND is_approved FROM profiles WHERE id = $1`, sender).Scan(&mayWrite)
	switch {
	case err != nil:
		return pg.Fault(err)
	case !mayWrite:
		return conversations.ErrNotShownYet()
	}
	return fault.New(fault.NotFound, "You have no open conversation with this member.")
}

// CheckOutgoing returns the text in the form to be stored, or Invalid.
func CheckOutgoing(in Outgoing) (string, error) {
	if in.ClientID == uuid.Nil {
		return "", fault.InvalidField("clientId", "A message needs an id of its own.")
	}
	if in.ReplyTo != nil && *in.ReplyTo < 1 {
		return "", fault.InvalidField("replyTo", "Messages are numbered from 1.")
	}
	switch in.MessageType {
	case "", "text", "audio", "video", "image":
	default:
		return "", fault.InvalidField("messageType", "This kind of message is not known.")
	}
	if err := media.CheckFiles(in.FileIDs, in.MessageType); err != nil {
		return "", err
	}
	if in.Content == "" && len(in.FileIDs) > 0 {
		return "", nil // pictures and recordings need no text
	}
	return checkContent(in.Content)
}

// checkContent returns the text to store. It removes the characters that change the direction
// of text, because a message could read differently from what it says. It does not refuse
// them, because they can be part of a copied telephone number.
func checkContent(content string) (string, error) {
	return text.Clean("content", text.WithoutDirections(content), text.Rule{
		Max: maxContent, Lines: true, TooLong: "A message has at most 4,000 characters.",
		Bad: "The message contains characters that cannot be sent.", Empty: "The message is empty.",
	})
}
