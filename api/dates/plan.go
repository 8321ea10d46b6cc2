package dates

import (
	"context"
	"errors"
	"time"
	_ "time/tzdata" // for machines without a time zone database

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// Plan is the place and time of a date.
type Plan struct {
	Place    string
	Note     string
	At       time.Time
	TimeZone string
}

// validated returns the plan in the form in which it is stored, or Invalid with the field.
func (p Plan) validated(now time.Time) (_ Plan, err error) {
	if p.Place, err = text.Line("place", p.Place, maxPlace); err != nil {
		return p, err
	}
	if p.Place == "" {
		return p, fault.InvalidField("place", "Please say where you would like to meet.")
	}
	if p.Note, err = text.Lines("note", p.Note, maxNote); err != nil {
		return p, err
	}
	if _, err := web.Zone(p.TimeZone); err != nil {
		return p, fault.InvalidField("timeZone", "We don't know this time zone.")
	}
	p.At = p.At.Truncate(time.Second)
	switch {
	case !p.At.After(now):
		return p, fault.InvalidField("at", "Please choose a time that is still to come.")
	case p.At.After(now.Add(maxAhead)):
		return p, fault.InvalidField("at", "Please choose a time within a year.")
	}
	return p, nil
}

// matches reports whether d has this plan.
func (p Plan) matches(d Date) bool {
	return p.Place == d.Place && p.Note == d.Note && p.TimeZone == d.TimeZone && p.At.Equal(d.At)
}

// Line returns the text of a message about the plan for lists and notifications: the action, the place and the time, such
// as "Proposed a date: Café Luna, Friday, June 5, 2026 at 7:00 PM PDT".
func (p Plan) Line(action string) string {
	return action + ": " + p.Place + ", " + p.local().Format("Monday, January 2, 2006 at 3:04 PM MST")
}

// Clock returns the time of day in the plan's zone, such as "7:00 PM".
func (p Plan) Clock() string { return p.local().Format("3:04 PM") }

// local returns the time in the plan's zone, or in UTC if the zone is unknown.
func (p Plan) local() time.Time {
	if zone, err := web.Zone(p.TimeZone); err == nil {
		return p.At.In(zone)
	}
	return p.At.UTC()
}

func planOf(d Date) Plan { return Plan{Place: d.Place, Note: d.Note, At: d.At, TimeZone: d.TimeZone} }

// ProposeResult is the result of Propose. Repeated is true when an earlier call with the same
// client id created the date.
type ProposeResult struct {
	Date     Date
	Repeated bool
}

// Propose proposes a date to the other member of one of actor's open conversations.
// Repeated and concurrent calls with the same client id create one date and count
// once; a repeated call publishes the date again.
//
// Errors: Invalid with the field of an invalid plan; NotFound for a conversation
// that is closed or not actor's; Conflict when it has three open dates, or when the
// client id belongs to another date; RateLimited after 20 proposals a day.
func (s *Service) Propose(ctx context.Context, actor web.Actor, conversation, clientID uuid.UUID, plan Plan) (ProposeResult, error) {
	if clientID == uuid.Nil {
		return ProposeResult{}, fault.InvalidField("clientId", "A date needs an id of its own.")
	}
	plan, err := plan.validated(time.Now())
	if err != nil {
		return ProposeResult{}, err
	}
	p := proposal{actor: actor, conversation: conversation, clientID: clientID, plan: plan}
	if err = p.findExisting(ctx, s.pool); p.existing == nil && err == nil {
		var stored proposal
		if stored, err = pg.Tx(ctx, s.pool, func(tx pgx.Tx) (proposal, error) { return s.propose(ctx, tx, p) }); err == nil {
			p = stored
		}
	}
	if pg.ViolatesConstraint(err, "dates_client") { // a concurrent call used the client id for another conversation
		err = p.findExisting(ctx, s.pool)
	}
	if err != nil {
		return ProposeResult{}, pg.Fault(err)
	}
	if p.existing != nil {
		if p.existing.Revision == 1 { // otherwise the later change was published
			s.publishAgain(ctx, actor, *p.existing)
		}
		date, err := s.withCard(ctx, actor.ID, *p.existing)
		return ProposeResult{Date: date, Repeated: true}, err
	}
	date, err := s.publishAndGet(ctx, actor, p.id, p.peer, p.message)
	return ProposeResult{Date: date}, err
}

// proposal is the input and the result of the transaction of Propose.
type proposal struct {
	actor                  web.Actor
	conversation, clientID uuid.UUID
	plan                   Plan

	existing *row // the date that an earlier call with the client id created
	id, peer uuid.UUID
	message  messages.Stored
}

// findExisting sets existing if the call is repeated. It returns Conflict when the earlier
// call differs.
func (p *proposal) findExisting(ctx context.Context, db pg.DB) error {
	found, err := selectByClientID(ctx, db, p.actor.ID, p.clientID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if found.ConversationID != p.conversation || found.Revision == 1 && !p.plan.matches(found.Date) {
		return fault.New(fault.Conflict, "Another date was already proposed under this id.")
	}
	p.existing = &found
	return nil
}

// propose runs in the transaction of Propose. It calls findExisting again under the
// lock of the conversation.
func (s *Service) propose(ctx context.Context, tx pgx.Tx, p proposal) (_ proposal, err error) {
	if p.peer, err = conversations.LockOpen(ctx, tx, p.actor.ID, p.conversation); err != nil {
		return p, err
	}
	if err = p.findExisting(ctx, tx); err != nil || p.existing != nil {
		return p, err
	}
	open, err := countOpen(ctx, tx, p.conversation)
	if err != nil {
		return p, err
	}
	if open >= maxOpen {
		return p, fault.New(fault.Conflict, "You have three dates open here. Please answer or cancel one of them first.")
	}
	if err = limits.Allow(ctx, tx, perDay, p.actor.ID.String()); err != nil {
		return p, err
	}
	if p.id, err = uuid.NewV7(); err != nil {
		return p, err
	}
	if p.message, err = s.postMessage(ctx, tx, p.actor, p.conversation, p.id, p.plan.Line("Proposed a date"), p.plan.freeText()); err != nil {
		return p, err
	}
	return p, p.insert(ctx, tx)
}

// freeText returns the fields that the proposer has written.
func (p Plan) freeText() string { return p.Place + "\n" + p.Note }

// postMessage stores a message about a date in its conversation. The message filter checks
// freeText, which the actor wrote.
func (s *Service) postMessage(ctx context.Context, tx pgx.Tx, actor web.Actor, conversation, date uuid.UUID, line, freeText string) (messages.Stored, error) {
	clientID, err := uuid.NewV7()
	if err != nil {
		return messages.Stored{}, err
	}
	return s.messages.PostTx(ctx, tx, actor.ID, conversation, messages.Outgoing{
		MessageType: "date", Content: line, ModerationText: freeText, DateID: &date, ClientID: clientID,
	})
}

// publishAgain publishes a date and its last message, which was the actor's, for a repeated call: the earlier one may have
// published nothing, because its connection was lost at COMMIT.
// It counts for the limit of sending, above which it does nothing, so that nobody can flood the other member with events.
func (s *Service) publishAgain(ctx context.Context, actor web.Actor, date row) {
	if s.messages.AllowSending(actor) != nil {
		return
	}
	s.messages.PublishAgain(ctx, date.Peer, date.ConversationID, date.MessageSeq)
	s.publishChanged(date.ID, date.ConversationID, actor.ID, date.Peer)
}

// publishAndGet publishes a committed change to both members, and returns the date.
func (s *Service) publishAndGet(ctx context.Context, actor web.Actor, id, peer uuid.UUID, message messages.Stored) (Date, error) {
	s.messages.Publish(message)
	s.publishChanged(id, message.ConversationID, actor.ID, peer)
	return s.Get(ctx, actor, id)
}
