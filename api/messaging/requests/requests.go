// Package requests implements the one text that a member may write to another without a match,
// and the answers to it. A request is a conversation whose requested_by is set; its row belongs
// to package conversations and its message to package messages.
package requests

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/matching"
	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

const maxRequest = 500 // characters

// The number of requests that a member may send in a day.
var (
	requestsPerDay    = limits.Rule{Name: "message-requests", Count: 10, Per: 24 * time.Hour}
	requestsFirstWeek = limits.Rule{Name: "message-requests-first-week", Count: 5, Per: 24 * time.Hour}
)

// Requested is the result of Send. Repeated is true if an earlier call with the same
// client id stored the message.
type Requested struct {
	Conversation conversations.Conversation `json:"conversation"`
	Message      messages.Message           `json:"message"`
	Repeated     bool                       `json:"-"`
}

// Service sends and answers requests. It is safe for concurrent use.
type Service struct {
	pool          *pgxpool.Pool
	conversations *conversations.Service
	messages      *messages.Service
}

// New returns a service. It panics if a dependency is nil.
func New(pool *pgxpool.Pool, c *conversations.Service, m *messages.Service) *Service {
	nilcheck.Must("requests.New", nilcheck.Deps{"pool": pool, "conversations": c, "messages": m})
	return &Service{pool: pool, conversations: c, messages: m}
}

// Send sends the one text that a member may write to another without a match. It uses
// only the recipient, the content and the client id of out. Until the recipient accepts,
// the request reveals nothing about them and no second text can be sent. If the two have a
// conversation, the text is an ordinary message. If the recipient has sent a request to the
// actor, that request is accepted. Calls with the same client id return the same message.
//
// It returns Invalid; Forbidden if the actor's profile is not shown; NotFound, also for a
// conversation that has ended; Conflict for a second text or a client id in use; and
// RateLimited after 10 requests a day, or 5 in the first week of an account.
func (s *Service) Send(ctx context.Context, actor web.Actor, out messages.Outgoing) (Requested, error) {
	out = messages.Outgoing{RecipientID: out.RecipientID, Content: out.Content, ClientID: out.ClientID}
	content, err := messages.CheckOutgoing(out)
	if err != nil {
		return Requested{}, err
	}
	if utf8.RuneCountInString(content) > maxRequest {
		return Requested{}, fault.InvalidField("content", "A request has at most 500 characters.")
	}
	if out.RecipientID == actor.ID {
		return Requested{}, fault.InvalidField("recipientId", "This is your own account.")
	}
	if err := s.messages.AllowSending(actor); err != nil {
		return Requested{}, err
	}
	out.Content = content
	m, err := s.messages.Prepare(actor.ID, out)
	if err != nil {
		return Requested{}, err
	}
	text, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (requestText, error) { return s.requestTx(ctx, tx, actor.ID, m) })
	if err != nil {
		return Requested{}, err
	}
	return s.finishRequest(ctx, actor, out, text)
}

// requestText is what the text of a request is: a request, or an ordinary message.
type requestText struct {
	request *messages.Stored // nil for an ordinary message, and for a repeated call
	isOpen  bool             // the two have an open conversation, which is no request
}

// finishRequest publishes the result of requestTx after its commit. If the text is an
// ordinary message, it sends it. The devices of both then sync if the conversation is open, because
// this call, or an earlier one with the same client id, may have accepted the recipient's request.
func (s *Service) finishRequest(ctx context.Context, actor web.Actor, out messages.Outgoing, text requestText) (Requested, error) {
	var result Requested
	if text.isOpen {
		s.conversations.PublishSync(actor.ID, out.RecipientID)
	}
	if text.request == nil {
		sent, err := s.messages.Send(ctx, actor, out)
		if err != nil {
			return result, err
		}
		result.Message, result.Repeated = sent.Message, sent.Repeated
	} else {
		result.Message = text.request.For(actor.ID)
		s.messages.Publish(*text.request)
	}
	var err error
	result.Conversation, err = s.conversations.Get(ctx, actor, result.Message.ConversationID)
	return result, err
}

// requestTx inserts a request under the lock of the pair, which serializes it with likes,
// blocks and the recipient's own request.
func (s *Service) requestTx(ctx context.Context, tx pgx.Tx, sender uuid.UUID, m *messages.Outgoing) (requestText, error) {
	if err := matching.LockPair(ctx, tx, sender, m.RecipientID); err != nil {
		return requestText{}, err
	}
	_, err := messages.ByClientID(ctx, tx, sender, m.RecipientID, m.ClientID)
	if err == nil {
		return repeatedText(ctx, tx, sender, m.RecipientID)
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return requestText{}, err
	}
	state, err := selectRequestState(ctx, tx, sender, m.RecipientID)
	if err != nil {
		return requestText{}, err
	}
	switch {
	case state.Closed:
		return requestText{}, fault.New(fault.NotFound, "You cannot write to this member.")
	case state.isOpen():
		return requestText{isOpen: true}, nil
	case !state.SenderMayWrite:
		return requestText{}, conversations.ErrNotShownYet()
	case state.Conversation != nil && *state.RequestedBy == sender:
		return requestText{}, fault.New(fault.Conflict, "They have your request. Please wait for their answer.")
	case state.Conversation != nil:
		return requestText{isOpen: true}, conversations.OpenRequest(ctx, tx, *state.Conversation)
	case state.SenderPaused:
		return requestText{}, fault.New(fault.Forbidden, "Your account is paused. Resume it in the settings to write to others.")
	case !state.SenderShown:
		return requestText{}, conversations.ErrNotShownYet()
	case !state.Visible:
		return requestText{}, fault.New(fault.NotFound, "We could not find this member.")
	}
	if err := countRequest(ctx, tx, sender, state.SenderIsNew); err != nil {
		return requestText{}, err
	}
	request, err := s.insertRequest(ctx, tx, sender, m)
	return requestText{request: request}, err
}

// repeatedText is the result of a repeated call: finishRequest sends the text as an ordinary message, and Send returns the
// stored one. A request that waits or was declined, and a conversation that has ended, publish no sync, which would tell the
// recipient that the sender has tried again.
func repeatedText(ctx context.Context, tx pgx.Tx, sender, recipient uuid.UUID) (requestText, error) {
	state, err := selectRequestState(ctx, tx, sender, recipient)
	if errors.Is(err, pgx.ErrNoRows) {
		return requestText{}, nil // the recipient's account is deleted
	}
	return requestText{isOpen: state.isOpen()}, err
}

// countRequest counts a request for the sender's limit in tx, so that a failed request is
// not counted.
func countRequest(ctx context.Context, tx pgx.Tx, sender uuid.UUID, isNew bool) error {
	rule, message := requestsPerDay, "You have written ten requests today. There are new ones tomorrow."
	if isNew {
		rule, message = requestsFirstWeek, "You have written five requests today. There are new ones tomorrow."
	}
	err := limits.Allow(ctx, tx, rule, sender.String())
	if fault.Is(err, fault.RateLimited) {
		return fault.From(err).Saying(message)
	}
	return err
}

// insertRequest inserts the conversation of a request with its one message.
func (s *Service) insertRequest(ctx context.Context, tx pgx.Tx, sender uuid.UUID, m *messages.Outgoing) (*messages.Stored, error) {
	conversation, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	if err := conversations.InsertRequest(ctx, tx, conversation, sender, m.RecipientID); err != nil {
		return nil, err
	}
	return s.messages.InsertTx(ctx, tx, m, true)
}

// requestState is the state of both members that determines whether a request is allowed.
type requestState struct {
	SenderMayWrite bool       // active and approved, as for each message
	SenderShown    bool       // to strangers, so that the recipient can see the profile
	SenderPaused   bool       // a reason for not being shown
	SenderIsNew    bool       // in the first week of the account
	Visible        bool       // the recipient, to the sender
	Conversation   *uuid.UUID // of the two, open or closed; nil if there is none
	RequestedBy    *uuid.UUID // nil unless the conversation is a request
	Closed         bool       // the conversation is closed, or open with an inactive recipient
}

// isOpen reports whether the two have an open conversation that is no request.
func (s requestState) isOpen() bool {
	return s.Conversation != nil && s.RequestedBy == nil && !s.Closed
}

// selectRequestState returns pgx.ErrNoRows for an unknown recipient. It must run after the lock of the pair, in a separate
// statement, which sees what was committed during the wait.
func selectRequestState(ctx context.Context, tx pgx.Tx, sender, recipient uuid.UUID) (requestState, error) {
	rows, _ := tx.Query(ctx, `
		SELECT
			me.profile_status = 'active' AND me.is_approved AS sender_may_write,
			me.is_searched AS sender_shown,
			me.is_paused AS sender_paused,
			me.created_at > now() - interval '7 days' AS sender_is_new,
			EXISTS (SELECT FROM visible_members(@viewer) v WHERE v.id = u.id) AS visible,
			c.id AS conversation,
			c.requested_by,
			c.id IS NOT NULL AND (c.closed_at IS NOT NULL OR u.profile_status <> 'active') AS closed
		FROM profiles u
		JOIN profiles me ON me.id = @viewer
		LEFT JOIN conversations c
			ON c.user_a = least(u.id, me.id)
			AND c.user_b = greatest(u.id, me.id)
		WHERE u.id = @recipient`, pgx.NamedArgs{"viewer": sender, "recipient": recipient})
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[requestState])
}
