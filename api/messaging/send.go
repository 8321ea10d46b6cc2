package messaging

import (
	"cmp"
	"context"
	"errors"
	"slices"
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
	ReplyTo     *int64      // the place of the message that this one answers
	FileIDs     []uuid.UUID // of pictures, or of one recording
	Socket      string      // the sender's socket, which is not told of its own message; may be empty
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
// any call whose outcome it did not see; one whose ctx ended may have been
// stored all the same.
//
// Fails with Invalid (the content, replyTo, fileIds), Forbidden (the actor's own
// profile is not shown yet), NotFound (no open conversation), Conflict (the client
// id stands for another message), RateLimited and Unavailable.
func (s *Service) Send(ctx context.Context, actor web.Actor, in SendInput) (Sent, error) {
	content, err := checkInput(in)
	if err != nil {
		return Sent{}, err
	}
	if err := s.limit.allow(actor.ID); err != nil {
		return Sent{}, err
	}
	if err := s.allowBeginning(ctx, actor.ID, in.RecipientID); err != nil {
		return Sent{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Sent{}, err
	}
	d := &draft{recipient: in.RecipientID, socket: in.Socket, flag: s.look(content), message: Message{
		ID: id, ClientID: in.ClientID, SenderID: actor.ID, Content: content, MessageType: cmp.Or(in.MessageType, "text"),
		ReplyTo: in.ReplyTo, Attachments: []media.Attachment{},
	}}
	if len(in.FileIDs) > 0 {
		err = s.storeAlone(ctx, d, in.FileIDs)
		if err == nil && d.stored {
			s.publishMessage(d)
		}
	} else {
		err = s.lines.send(ctx, d)
	}
	if err != nil {
		return Sent{}, sendFault(err)
	}
	if !d.stored {
		return s.firstResult(ctx, d, in.FileIDs)
	}
	m := d.message
	m.sparks = nil // they have been told
	return Sent{Message: m}, nil
}

// look asks the filter, when there is one, what is the matter with a text.
func (s *Service) look(text string) string {
	if text == "" {
		return ""
	}
	return s.guard(text)
}

// storeAlone stores one message, with its files and the job that will look
// whether to notify, in a transaction of its own.
func (s *Service) storeAlone(ctx context.Context, d *draft, files []uuid.UUID) error {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.storeTx(ctx, tx, placeAlone, d, files) })
	if errors.Is(err, errNotStored) || clientIDTaken(err) {
		d.stored = false
		return nil
	}
	return err
}

// errNotStored ends a transaction in which nothing was stored.
var errNotStored = errors.New("messaging: no place for this message")

func (s *Service) storeTx(ctx context.Context, tx pgx.Tx, how statement, d *draft, files []uuid.UUID) error {
	if err := place(ctx, tx, how, []*draft{d}); err != nil {
		return err
	}
	if !d.stored {
		return errNotStored
	}
	if len(files) > 0 {
		taken, err := media.TakeTx(ctx, tx, d.message.SenderID, files, d.message.MessageType, d.message.ConversationID, d.message.Seq)
		if err != nil {
			return err
		}
		d.message.Attachments = taken
	}
	if args, wanted := s.reviewArgs(d); wanted {
		if _, err := s.jobs.InsertTx(ctx, tx, args, nil); err != nil {
			return err
		}
	}
	if !d.devices {
		return nil
	}
	_, err := s.jobs.InsertTx(ctx, tx, d.notifyArgs(), nil)
	return err
}

func clientIDTaken(err error) bool { return pg.ViolatesConstraint(err, "messages_client") }

// sendFault names what the database refused.
func sendFault(err error) error {
	if pg.ViolatesConstraint(err, "messages_reply") {
		return fault.InvalidField("replyTo", "The message that this one answers is not there.")
	}
	return pg.Fault(err)
}

// firstResult answers a repeated call with what the first one stored.
func (s *Service) firstResult(ctx context.Context, d *draft, files []uuid.UUID) (Sent, error) {
	first, to, err := messageByClientID(ctx, s.pool, d.message.SenderID, d.message.ClientID)
	if errors.Is(err, pgx.ErrNoRows) {
		return Sent{}, s.whyNot(ctx, d.message.SenderID)
	}
	if err != nil {
		return Sent{}, pg.Fault(err)
	}
	if to != d.recipient || !sameMessage(first, d.message, files) {
		return Sent{}, fault.New(fault.Conflict, "Another message was already sent under this id.")
	}
	return Sent{Message: first, Again: true}, nil
}

// sameMessage reports whether what was stored is what is sent now. One that was
// taken back meanwhile has nothing left to compare.
func sameMessage(first, now Message, files []uuid.UUID) bool {
	if first.DeletedAt != nil {
		return first.MessageType == now.MessageType
	}
	sameFiles := slices.EqualFunc(first.Attachments, files, func(a media.Attachment, id uuid.UUID) bool { return a.ID == id })
	return sameFiles && first.Content == now.Content && first.MessageType == now.MessageType &&
		(first.ReplyTo == nil) == (now.ReplyTo == nil) && (first.ReplyTo == nil || *first.ReplyTo == *now.ReplyTo)
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

// checkInput answers with the text as it is stored.
func checkInput(in SendInput) (string, error) {
	if in.ClientID == uuid.Nil {
		return "", fault.InvalidField("clientId", "A message needs an id of its own.")
	}
	if in.ReplyTo != nil && *in.ReplyTo < 1 {
		return "", fault.InvalidField("replyTo", "A message's place is counted from 1.")
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
		return "", nil // pictures and recordings need no words
	}
	return checkContent(in.Content)
}

func checkContent(text string) (string, error) {
	if utf8.RuneCountInString(text) > maxContent {
		return "", fault.InvalidField("content", "A message has at most 4,000 characters.")
	}
	content := strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
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
