package messaging

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

const maxRequest = 500

// How many new requests a member may write a day.
var (
	requestsADay     = limits.Rule{Name: "message-requests", Count: 10, Per: 24 * time.Hour}
	requestsFirstDay = limits.Rule{Name: "message-requests-first-week", Count: 5, Per: 24 * time.Hour}
)

// RequestInput is the one text that a member may write to another without a match.
type RequestInput struct {
	RecipientID uuid.UUID
	Content     string
	ClientID    uuid.UUID
}

// Requested is the outcome of Request. Again is set when an earlier call with
// the same client id made the message.
type Requested struct {
	Conversation Conversation `json:"conversation"`
	Message      Message      `json:"message"`
	Again        bool         `json:"-"`
}

// Request writes to a member whom the actor may see and has no conversation
// with. It waits among the other's requests; until they accept, nothing of them
// is told, and no more can be written. Where the two have a conversation
// already it is an ordinary message, and where the other has asked first both
// want it: it becomes one. The same client id gives the same message again.
//
// Fails with Invalid, Forbidden (the own profile is not shown), NotFound (also
// what has ended for good), Conflict (a second text; a client id in use) and
// RateLimited (10 a day, in the account's first week 5).
func (s *Service) Request(ctx context.Context, actor web.Actor, in RequestInput) (Requested, error) {
	content, err := checkInput(SendInput{Content: in.Content, ClientID: in.ClientID})
	if err != nil {
		return Requested{}, err
	}
	if utf8.RuneCountInString(content) > maxRequest {
		return Requested{}, fault.InvalidField("content", "A request has at most 500 characters.")
	}
	if in.RecipientID == actor.ID {
		return Requested{}, fault.InvalidField("recipientId", "This is your own account.")
	}
	if err := s.limit.allow(actor.ID); err != nil {
		return Requested{}, err
	}
	in.Content = content
	made, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (outcome, error) { return s.ask(ctx, tx, actor.ID, in) })
	if clientIDTaken(err) {
		err, made = nil, outcome{sendIt: true} // by a message to another: Send says so
	}
	if err != nil {
		return Requested{}, err
	}
	return s.requested(ctx, actor, in, made)
}

// outcome is what ask has done: made a request, opened the one that the other
// had made, or nothing because it is an ordinary message.
type outcome struct {
	request        *draft
	sendIt, opened bool
}

// requested tells of what was made and reads it; an ordinary message is sent.
func (s *Service) requested(ctx context.Context, actor web.Actor, in RequestInput, made outcome) (out Requested, err error) {
	if made.opened {
		s.publishSync(actor.ID, in.RecipientID)
	}
	if made.sendIt {
		sent, err := s.Send(ctx, actor, SendInput{RecipientID: in.RecipientID, Content: in.Content, ClientID: in.ClientID})
		if err != nil {
			return out, err
		}
		out.Message, out.Again = sent.Message, sent.Again
	} else {
		out.Message = made.request.message
		s.publishMessage(made.request)
	}
	out.Conversation, err = s.ConversationWith(ctx, actor, out.Message.ConversationID)
	return out, err
}

// ask decides under the pair's lock, which likes, blocks and the other's own
// request take as well.
func (s *Service) ask(ctx context.Context, tx pgx.Tx, me uuid.UUID, in RequestInput) (outcome, error) {
	if err := matching.LockPair(ctx, tx, me, in.RecipientID); err != nil {
		return outcome{}, err
	}
	// A call that is tried again is answered as the first was, by Send.
	_, _, err := messageByClientID(ctx, tx, me, in.ClientID)
	if err == nil {
		return outcome{sendIt: true}, nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return outcome{}, err
	}
	to, err := selectAddressee(ctx, tx, me, in.RecipientID)
	if err != nil {
		return outcome{}, err
	}
	switch {
	case to.Closed:
		return outcome{}, fault.New(fault.NotFound, "You cannot write to this member.")
	case to.Conversation != nil && to.RequestedBy == nil:
		return outcome{sendIt: true}, nil
	case !to.IWrite:
		return outcome{}, notShownYet()
	case to.Conversation != nil && *to.RequestedBy == me:
		return outcome{}, fault.New(fault.Conflict, "They can read it; wait for an answer.")
	case to.Conversation != nil:
		return outcome{sendIt: true, opened: true}, openRequest(ctx, tx, *to.Conversation)
	case to.IPaused:
		return outcome{}, fault.New(fault.Forbidden, "Your account is paused. Resume it in the settings to write to others.")
	case !to.IShown:
		return outcome{}, notShownYet()
	case !to.Visible:
		return outcome{}, fault.New(fault.NotFound, "We could not find this member.")
	}
	if err := countRequest(ctx, tx, me, to.IAmNew); err != nil {
		return outcome{}, err
	}
	made, err := s.insertRequest(ctx, tx, me, in)
	return outcome{request: made}, err
}

// countRequest counts in tx: one that is refused or fails is none.
func countRequest(ctx context.Context, tx pgx.Tx, me uuid.UUID, isNew bool) error {
	rule, message := requestsADay, "You have written ten requests today. There are new ones tomorrow."
	if isNew {
		rule, message = requestsFirstDay, "You have written five requests today. There are new ones tomorrow."
	}
	err := limits.Allow(ctx, tx, rule, me.String())
	if fault.Is(err, fault.RateLimited) {
		return fault.Limited(message, fault.From(err).RetryAfter)
	}
	return err
}

// insertRequest makes the conversation with its one message, and the job that
// looks whether to notify, when the receiver has a device to push to.
func (s *Service) insertRequest(ctx context.Context, tx pgx.Tx, me uuid.UUID, in RequestInput) (*draft, error) {
	conversation, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `INSERT INTO conversations (id, user_a, user_b, requested_by)
		VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $2)`, conversation, me, in.RecipientID)
	if err != nil {
		return nil, err
	}
	d := &draft{recipient: in.RecipientID, flag: s.look(in.Content), message: Message{
		ID: id, ClientID: in.ClientID, SenderID: me, Content: in.Content, MessageType: "text", Attachments: []media.Attachment{},
	}}
	return d, s.storeTx(ctx, tx, placeRequest, d, nil)
}
