package dates

import (
	"context"
	"errors"
	"time"
	_ "time/tzdata" // zones are known wherever the binary runs

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Plan is where and when.
type Plan struct {
	Place    string
	Note     string
	At       time.Time
	TimeZone string
}

// checked is the plan as it is stored. Invalid names the field.
func (p Plan) checked(now time.Time) (_ Plan, err error) {
	if p.Place, err = members.CleanText("place", p.Place, mostPlace, false); err != nil {
		return p, err
	}
	if p.Place == "" {
		return p, fault.InvalidField("place", "Please say where you would like to meet.")
	}
	if p.Note, err = members.CleanText("note", p.Note, mostNote, true); err != nil {
		return p, err
	}
	if _, err := web.Zone(p.TimeZone); err != nil {
		return p, fault.InvalidField("timeZone", "We do not know this time zone.")
	}
	p.At = p.At.Truncate(time.Second)
	switch {
	case !p.At.After(now):
		return p, fault.InvalidField("at", "Please choose a time that is still to come.")
	case p.At.After(now.Add(mostAhead)):
		return p, fault.InvalidField("at", "Please choose a time within a year.")
	}
	return p, nil
}

// same reports whether a date is as the plan has it.
func (p Plan) same(d Date) bool {
	return p.Place == d.Place && p.Note == d.Note && p.TimeZone == d.TimeZone && p.At.Equal(d.At)
}

// Line is what a message says of the plan, for lists and notifications.
func (p Plan) Line(what string) string {
	return what + ": " + p.Place + ", " + p.local().Format("Monday, January 2, 2006 at 3:04 PM MST")
}

// local is the moment by the clock of the plan's zone; of one that is no longer
// known, by that of UTC.
func (p Plan) local() time.Time {
	if place, err := web.Zone(p.TimeZone); err == nil {
		return p.At.In(place)
	}
	return p.At.UTC()
}

func planOf(d Date) Plan { return Plan{Place: d.Place, Note: d.Note, At: d.At, TimeZone: d.TimeZone} }

// Made is the outcome of Propose. Again is set when an earlier call with the
// same client id made the date.
type Made struct {
	Date  Date
	Again bool
}

// Propose asks the other member of one of actor's open conversations for a
// date. The same client id gives the same date however often it is sent, also
// at once, and counts once.
//
// Fails with Invalid (the plan), NotFound (no open conversation), Conflict (too
// many are open there, or the client id stands for another) and RateLimited.
func (s *Service) Propose(ctx context.Context, actor web.Actor, conversation, clientID uuid.UUID, plan Plan) (Made, error) {
	if clientID == uuid.Nil {
		return Made{}, fault.InvalidField("clientId", "A date needs an id of its own.")
	}
	plan, err := plan.checked(time.Now())
	if err != nil {
		return Made{}, err
	}
	p := proposal{actor: actor, conversation: conversation, clientID: clientID, plan: plan}
	if err = p.findFirst(ctx, s.pool); p.first == nil && err == nil {
		var stored proposal
		if stored, err = pg.Tx(ctx, s.pool, func(tx pgx.Tx) (proposal, error) { return s.propose(ctx, tx, p) }); err == nil {
			p = stored
		}
	}
	if pg.ViolatesConstraint(err, "dates_client") { // at once in another conversation
		err = p.findFirst(ctx, s.pool)
	}
	if err != nil {
		return Made{}, pg.Fault(err)
	}
	if p.first != nil {
		date, err := s.presentOne(ctx, *p.first)
		return Made{Date: date, Again: true}, err
	}
	date, err := s.told(ctx, actor, p.id, p.peer, p.message)
	return Made{Date: date}, err
}

// proposal is a date on its way into its conversation.
type proposal struct {
	actor                  web.Actor
	conversation, clientID uuid.UUID
	plan                   Plan

	first    *row // what an earlier call with the client id stored
	id, peer uuid.UUID
	message  messaging.Stored
}

// findFirst looks whether the call is a repeated one. Conflict when it is not
// quite the same.
func (p *proposal) findFirst(ctx context.Context, db pg.DB) error {
	found, err := selectByClientID(ctx, db, p.actor.ID, p.clientID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if found.ConversationID != p.conversation || found.Revision == 1 && !p.plan.same(found.Date) {
		return fault.New(fault.Conflict, "Another date was already proposed under this id.")
	}
	p.first = &found
	return nil
}

// propose is Propose's transaction. Under the conversation's lock it looks once
// more whether the same call was the first; what it counts is what it stores.
func (s *Service) propose(ctx context.Context, tx pgx.Tx, p proposal) (_ proposal, err error) {
	if p.peer, err = lockConversation(ctx, tx, p.actor.ID, p.conversation); err != nil {
		return p, err
	}
	if err = p.findFirst(ctx, tx); err != nil || p.first != nil {
		return p, err
	}
	open, err := countOpen(ctx, tx, p.conversation)
	if err != nil {
		return p, err
	}
	if open >= mostOpen {
		return p, fault.New(fault.Conflict, "You have three dates open here. Please answer or cancel one of them first.")
	}
	if err = limits.Allow(ctx, tx, perDay, p.actor.ID.String()); err != nil {
		return p, err
	}
	if p.id, err = uuid.NewV7(); err != nil {
		return p, err
	}
	if p.message, err = s.post(ctx, tx, p.actor, p.conversation, p.id, p.plan.Line("Proposed a date"), p.plan.words()); err != nil {
		return p, err
	}
	return p, insertDate(ctx, tx, p.actor.ID, p.id, p.conversation, p.clientID, p.plan, p.message.Seq)
}

// words are those that the proposer chose.
func (p Plan) words() string { return p.Place + "\n" + p.Note }

// post writes a message about a date into its conversation; own is what of it
// the actor said, at which the filter looks.
func (s *Service) post(ctx context.Context, tx pgx.Tx, actor web.Actor, conversation, date uuid.UUID, line, own string) (messaging.Stored, error) {
	clientID, err := uuid.NewV7()
	if err != nil {
		return messaging.Stored{}, err
	}
	return s.messages.PostTx(ctx, tx, actor.ID, conversation, messaging.Outgoing{
		MessageType: "date", Content: line, ModerationText: own, DateID: &date, ClientID: clientID,
	})
}

// told reads a date after its change was committed, and tells both sides.
func (s *Service) told(ctx context.Context, actor web.Actor, id, peer uuid.UUID, message messaging.Stored) (Date, error) {
	s.messages.Publish(message)
	s.announce(Date{ID: id, ConversationID: message.ConversationID}, actor.ID, peer)
	return s.Get(ctx, actor, id)
}
