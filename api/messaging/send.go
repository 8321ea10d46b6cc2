package messaging

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/media"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// maxContent is what the column allows; PostgreSQL counts characters, as we do.
const maxContent = 4000

// SendInput is a message as its sender hands it in.
type SendInput struct {
	RecipientID uuid.UUID
	Content     string
	MessageType string // empty stands for text
	ClientID    uuid.UUID
	Socket      string // the sender's socket, which is not told of its own message; may be empty
}

// Sent is the outcome of Send. Again is set when an earlier call with the same
// client id made the message.
type Sent struct {
	Message Message
	Again   bool
}

// Send stores a message from the actor to a member it has an open conversation
// with, and tells both after the commit. The same client id gives the same
// message however often and from wherever it is sent, so a caller may repeat
// any call whose outcome it did not see.
//
// Fails with Invalid (the content), Forbidden (the actor's own profile is not
// shown yet), NotFound (no open conversation), Conflict (the client id stands for
// another message), RateLimited and Unavailable.
func (s *Service) Send(ctx context.Context, actor web.Actor, in SendInput) (Sent, error) {
	content, err := checkContent(in)
	if err != nil {
		return Sent{}, err
	}
	if err := s.limit.allow(actor.ID); err != nil {
		return Sent{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Sent{}, err
	}
	message := Message{
		ID: id, ClientID: in.ClientID, SenderID: actor.ID, Content: content, MessageType: "text",
		Attachments: []media.Attachment{},
	}
	stored, err := s.store(ctx, &message, in.RecipientID)
	if err != nil {
		return Sent{}, pg.Fault(err)
	}
	if !stored {
		return s.firstResult(ctx, message, in.RecipientID)
	}
	s.publishMessage(message, in)
	return Sent{Message: message}, nil
}

// store writes the message and sets its place. It reports false when nothing
// was written: the client id is known, or there is no open conversation.
//
// When the receiver has no device to push to, and most have none, the whole is
// one statement and one round trip. Otherwise a transaction holds the message
// and the job that will look whether to notify. Which way to try first is only
// a hint; the statement itself checks.
func (s *Service) store(ctx context.Context, message *Message, recipient uuid.UUID) (bool, error) {
	if !s.devices.likely(recipient) {
		_, err := insertMessage(ctx, s.pool, message, recipient, false)
		if err == nil || clientIDTaken(err) {
			return err == nil, nil
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return false, err
		}
	}
	err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) error {
		devices, err := insertMessage(ctx, tx, message, recipient, true)
		if err != nil {
			return err
		}
		s.devices.set(recipient, devices)
		if !devices {
			return nil
		}
		_, err = s.jobs.InsertTx(ctx, tx, NotifyArgs{ConversationID: message.ConversationID, ReceiverID: recipient}, nil)
		return err
	})
	if fault.Is(err, fault.NotFound) || clientIDTaken(err) {
		return false, nil
	}
	return err == nil, err
}

func clientIDTaken(err error) bool { return pg.Broke(err, "messages_client") }

// firstResult answers a repeated call with what the first one stored.
func (s *Service) firstResult(ctx context.Context, sent Message, recipient uuid.UUID) (Sent, error) {
	first, to, err := messageByClientID(ctx, s.pool, sent.SenderID, sent.ClientID)
	if errors.Is(err, pgx.ErrNoRows) {
		return Sent{}, s.whyNot(ctx, sent.SenderID)
	}
	if err != nil {
		return Sent{}, pg.Fault(err)
	}
	if to != recipient || first.Content != sent.Content || first.MessageType != sent.MessageType {
		return Sent{}, fault.New(fault.Conflict, "Another message was already sent under this id.")
	}
	return Sent{Message: first, Again: true}, nil
}

// whyNot says why a message was not stored.
func (s *Service) whyNot(ctx context.Context, sender uuid.UUID) error {
	var may bool
	err := s.pool.QueryRow(ctx, `SELECT profile_status = 'active' AND is_approved FROM users WHERE id = $1`, sender).Scan(&may)
	switch {
	case err != nil:
		return pg.Fault(err)
	case !may:
		return fault.New(fault.Forbidden, "You can write to others as soon as your own profile is shown.")
	}
	return fault.New(fault.NotFound, "You have no open conversation with this member.")
}

func checkContent(in SendInput) (string, error) {
	switch in.MessageType {
	case "", "text":
	case "audio", "video", "image":
		return "", fault.InvalidField("messageType", "Recordings and pictures are sent together with their file.")
	default:
		return "", fault.InvalidField("messageType", "This kind of message is not known.")
	}
	if in.ClientID == uuid.Nil {
		return "", fault.InvalidField("clientId", "A message needs an id of its own.")
	}
	if utf8.RuneCountInString(in.Content) > maxContent {
		return "", fault.InvalidField("content", "A message has at most 4,000 characters.")
	}
	content := strings.TrimSpace(strings.ReplaceAll(in.Content, "\r\n", "\n"))
	if !utf8.ValidString(content) || strings.ContainsFunc(content, forbiddenRune) {
		return "", fault.InvalidField("content", "The message holds characters that cannot be sent.")
	}
	if !strings.ContainsFunc(content, visible) {
		return "", fault.InvalidField("content", "The message is empty.")
	}
	return content, nil
}

// forbiddenRune reports control characters, of which PostgreSQL refuses NUL
// and nobody can see the others; line breaks and tabs are text.
func forbiddenRune(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

func visible(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }
