package messaging

import (
	"cmp"
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/media"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// Post is a message that another feature leaves in a conversation, in the
// transaction of what it tells of.
type Post struct {
	ConversationID uuid.UUID
	SenderID       uuid.UUID // one of its two members
	MessageType    string
	Content        string
	Look           string     // what the filter looks at where that is more than Content
	DateID         *uuid.UUID // of a message of type date
	ClientID       uuid.UUID  // of its own for each post
}

// PostTx stores a message in an open conversation, and the job that will look
// whether to notify; the conversation stays locked until the commit. After it
// the caller hands the message to Announce. NotFound when there is no such open
// conversation, or the sender's profile is not shown; Conflict when the client
// id is known.
func (s *Service) PostTx(ctx context.Context, tx pgx.Tx, post Post) (Message, error) {
	return s.postTx(ctx, tx, placeAlone, post)
}

func (s *Service) postTx(ctx context.Context, tx pgx.Tx, how statement, post Post) (Message, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Message{}, err
	}
	d := &draft{flag: s.look(cmp.Or(post.Look, post.Content)), message: Message{
		ID: id, ClientID: post.ClientID, SenderID: post.SenderID, Content: post.Content, MessageType: post.MessageType,
		DateID: post.DateID, Attachments: []media.Attachment{},
	}}
	err = tx.QueryRow(ctx, `SELECT CASE user_a WHEN $2 THEN user_b ELSE user_a END FROM conversations
		WHERE id = $1 AND $2 IN (user_a, user_b)`, post.ConversationID, post.SenderID).Scan(&d.recipient)
	if err != nil {
		return Message{}, pg.Fault(err)
	}
	if err = s.storeTx(ctx, tx, how, d, nil); errors.Is(err, errNotStored) {
		return Message{}, whyNotPosted(ctx, tx, post)
	}
	if d.flag != "" {
		d.message.Flag = &d.flag
	}
	return d.message, sendFault(err)
}

func whyNotPosted(ctx context.Context, tx pgx.Tx, post Post) error {
	_, _, err := messageByClientID(ctx, tx, post.SenderID, post.ClientID)
	if err == nil {
		return fault.New(fault.Conflict, "Another message was already sent under this id.")
	}
	return pg.Fault(err) // there is none, so it is the conversation that is not there
}

// Announce tells both sides of a message that PostTx stored.
func (s *Service) Announce(message Message, recipient uuid.UUID) {
	d := &draft{message: message, recipient: recipient}
	if message.Flag != nil {
		d.flag, d.message.Flag = *message.Flag, nil
	}
	s.publishMessage(d)
}

// TouchTx notes that a message changed: it gets the conversation's next rev,
// and both devices find it by that. The conversation stays locked until the
// commit. It answers with the message as its receiver sees it; AnnounceChange
// sends it out, and Message.For fits it to one side. NotFound when it is not there.
func TouchTx(ctx context.Context, tx pgx.Tx, conversation uuid.UUID, seq int64) (Message, error) {
	var rev int64
	err := tx.QueryRow(ctx, `UPDATE conversations SET last_rev = last_rev + 1, changed_xid = pg_current_xact_id()
		WHERE id = $1 AND $2 BETWEEN 1 AND last_seq RETURNING last_rev`, conversation, seq).Scan(&rev)
	if err != nil {
		return Message{}, pg.Fault(err)
	}
	var receiver uuid.UUID
	err = tx.QueryRow(ctx, `UPDATE messages m SET rev = $3 FROM conversations c
		WHERE m.conversation_id = $1 AND m.seq = $2 AND c.id = $1
		RETURNING CASE m.sender_id WHEN c.user_a THEN c.user_b ELSE c.user_a END`, conversation, seq, rev).Scan(&receiver)
	if err != nil {
		return Message{}, pg.Fault(err)
	}
	var m Message
	var files []media.Row
	err = tx.QueryRow(ctx, `SELECT `+messageColumns+` FROM messages m WHERE m.conversation_id = $2 AND m.seq = $3`, receiver, conversation, seq).
		Scan(m.scanTargets(&files)...)
	m.finish(files)
	return m, pg.Fault(err)
}

// For is the message as one side may see it: what the filter found is not told
// to the one who wrote it.
func (m Message) For(viewer uuid.UUID) Message {
	if viewer == m.SenderID {
		m.Flag = nil
	}
	return m
}

// AnnounceChange tells both sides of a message that TouchTx noted, after the
// commit; recipient is the one who did not write it.
func (s *Service) AnnounceChange(message Message, recipient uuid.UUID) {
	for _, side := range []uuid.UUID{message.SenderID, recipient} {
		s.announceTo(side, message)
	}
}

// announceTo tells one side of a message that changed.
func (s *Service) announceTo(side uuid.UUID, message Message) {
	s.events.Publish(bus.MemberSubject(side), bus.Event("", changedEvent{"message_changed", message.For(side)}))
}
