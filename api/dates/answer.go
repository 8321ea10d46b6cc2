package dates

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// step is one change of a date that is there.
type step struct {
	revision int                           // the one its caller saw
	becomes  Status                        //
	line     string                        // what the message says
	plan     *Plan                         // the new one, which counts for the limit; nil to keep it
	may      func(d Date) error            // whether it may be done to d
	then     func(tx pgx.Tx, d Date) error // what comes with it, of the date before; may be nil
}

// Accept says yes to what the other member proposed. Conflict when the date has
// changed since revision, when it is over, or was the actor's own proposal.
func (s *Service) Accept(ctx context.Context, actor web.Actor, id uuid.UUID, revision int) (Date, error) {
	return s.take(ctx, actor, id, step{
		revision: revision, becomes: Accepted, line: "Said yes to the date", may: mayAnswer(actor),
		then: func(tx pgx.Tx, d Date) error { return s.remindLater(ctx, tx, d) },
	})
}

// Decline says no to what the other member proposed. Fails as Accept does.
func (s *Service) Decline(ctx context.Context, actor web.Actor, id uuid.UUID, revision int) (Date, error) {
	return s.take(ctx, actor, id, step{revision: revision, becomes: Declined, line: "Can't make the date", may: mayAnswer(actor)})
}

// Cancel takes back what the actor proposed, or ends what was agreed. Conflict
// when the date has changed since revision or is over.
func (s *Service) Cancel(ctx context.Context, actor web.Actor, id uuid.UUID, revision int) (Date, error) {
	return s.take(ctx, actor, id, step{revision: revision, becomes: Cancelled, line: "Cancelled the date", may: func(d Date) error {
		if d.Status == Proposed && d.ProposedBy != actor.ID {
			return fault.New(fault.Conflict, "This was proposed to you: you can say yes, suggest a change, or decline.")
		}
		return mustBeOpen(d)
	}})
}

// Change proposes another place or time for a date that is proposed or agreed;
// the other member is asked anew. Invalid names what is wrong with the plan;
// Conflict as in Cancel; RateLimited after too many a day.
func (s *Service) Change(ctx context.Context, actor web.Actor, id uuid.UUID, revision int, plan Plan) (Date, error) {
	plan, err := plan.checked(time.Now())
	if err != nil {
		return Date{}, err
	}
	return s.take(ctx, actor, id, step{revision: revision, becomes: Proposed, line: "Proposed a change", plan: &plan, may: mustBeOpen})
}

func mayAnswer(actor web.Actor) func(Date) error {
	return func(d Date) error {
		switch {
		case d.ProposedBy == actor.ID:
			return fault.New(fault.Conflict, "You proposed this; the answer is the other's.")
		case d.Status != Proposed:
			return fault.New(fault.Conflict, "This date was answered already.")
		}
		return mustBeOpen(d)
	}
}

func mustBeOpen(d Date) error {
	switch {
	case d.Status != Proposed && d.Status != Accepted:
		return fault.New(fault.Conflict, "This date was called off. You can propose another.")
	case !d.At.After(time.Now()):
		return fault.New(fault.Conflict, "The time of this date has passed. You can propose another.")
	}
	return nil
}

// take makes one step under the conversation's lock. A call that is repeated,
// because its answer was lost, is answered with what it did.
func (s *Service) take(ctx context.Context, actor web.Actor, id uuid.UUID, next step) (Date, error) {
	type result struct {
		date     row // before the step
		repeated bool
		message  messaging.Stored // unless repeated
	}
	taken, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (result, error) {
		date, err := lockDate(ctx, tx, actor.ID, id)
		if err != nil {
			return result{}, err
		}
		if next.done(actor, date.Date) {
			return result{date: date, repeated: true}, nil
		}
		if date.Revision != next.revision {
			return result{}, fault.New(fault.Conflict, "This date was changed meanwhile. Please look at it again first.")
		}
		if err := next.may(date.Date); err != nil {
			return result{}, err
		}
		if next.plan != nil { // in tx: what is not stored does not count
			if err := limits.Allow(ctx, tx, perDay, actor.ID.String()); err != nil {
				return result{}, err
			}
		}
		message, err := s.write(ctx, tx, actor, date.Date, next)
		return result{date: date, message: message}, err
	})
	if err != nil {
		return Date{}, err
	}
	if taken.repeated {
		return s.presentOne(ctx, taken.date)
	}
	return s.told(ctx, actor, id, taken.date.peer, taken.message)
}

// done reports whether this very step was the newest change of d.
func (n step) done(actor web.Actor, d Date) bool {
	return d.Revision == n.revision+1 && d.ChangedBy == actor.ID && d.Status == n.becomes && (n.plan == nil || n.plan.same(d))
}

func (s *Service) write(ctx context.Context, tx pgx.Tx, actor web.Actor, d Date, next step) (messaging.Stored, error) {
	plan, own := planOf(d), next.line // the words of the other are not the actor's
	if next.plan != nil {
		plan, own = *next.plan, next.plan.words()
	}
	message, err := s.post(ctx, tx, actor, d.ConversationID, d.ID, plan.Line(next.line), own)
	if err != nil {
		return message, err
	}
	if next.plan != nil {
		err = updatePlan(ctx, tx, actor.ID, d.ID, plan, message.Seq)
	} else {
		err = updateStatus(ctx, tx, actor.ID, d.ID, next.becomes, message.Seq)
	}
	if err == nil && next.then != nil {
		err = next.then(tx, d)
	}
	return message, err
}
