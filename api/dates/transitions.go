package dates

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// transition is a change of an existing date.
type transition struct {
	revision int                           // the revision that the caller has seen
	status   Status                        // the new status
	line     string                        // the text of the message about the change
	plan     *Plan                         // the new plan, counted against the daily limit; nil to keep the current one
	check    func(d Date) error            // returns an error unless the transition applies to d
	after    func(tx pgx.Tx, d Date) error // called at the end of the transaction with the date before the transition; may be nil
}

// Accept accepts the other member's proposal and enqueues a reminder. It returns
// NotFound unless the date is the actor's, and Conflict when the date has changed
// since revision, has passed, or is the actor's own proposal.
func (s *Service) Accept(ctx context.Context, actor web.Actor, id uuid.UUID, revision int) (Date, error) {
	return s.apply(ctx, actor, id, transition{
		revision: revision, status: Accepted, line: "Said yes to the date", check: checkMayAnswer(actor),
		after: func(tx pgx.Tx, d Date) error { return s.enqueueReminder(ctx, tx, d) },
	})
}

// Decline declines the other member's proposal. It returns the errors of Accept.
func (s *Service) Decline(ctx context.Context, actor web.Actor, id uuid.UUID, revision int) (Date, error) {
	return s.apply(ctx, actor, id, transition{revision: revision, status: Declined, line: "Can't make the date", check: checkMayAnswer(actor)})
}

// Cancel withdraws the actor's proposal, or cancels an accepted date. It returns
// NotFound unless the date is the actor's, and Conflict when the date has changed
// since revision or has passed.
func (s *Service) Cancel(ctx context.Context, actor web.Actor, id uuid.UUID, revision int) (Date, error) {
	return s.apply(ctx, actor, id, transition{revision: revision, status: Cancelled, line: "Cancelled the date", check: func(d Date) error {
		if d.Status == Proposed && d.ProposedBy != actor.ID {
			return fault.New(fault.Conflict, "This was proposed to you: you can say yes, suggest a change, or decline.")
		}
		return checkOpen(d)
	}})
}

// Change proposes another place or time for a proposed or accepted date, which
// becomes a proposal to the other member. It returns Invalid with the field of an
// invalid plan, RateLimited after 20 proposals a day, and the errors of Cancel.
func (s *Service) Change(ctx context.Context, actor web.Actor, id uuid.UUID, revision int, plan Plan) (Date, error) {
	plan, err := plan.validated(time.Now())
	if err != nil {
		return Date{}, err
	}
	return s.apply(ctx, actor, id, transition{revision: revision, status: Proposed, line: "Proposed a change", plan: &plan, check: checkOpen})
}

// checkMayAnswer returns a check that returns Conflict unless the date is open and a proposal of the other member.
func checkMayAnswer(actor web.Actor) func(Date) error {
	return func(d Date) error {
		switch {
		case d.ProposedBy == actor.ID:
			return fault.New(fault.Conflict, "You proposed this; the answer is the other's.")
		case d.Status != Proposed:
			return fault.New(fault.Conflict, "This date was answered already.")
		}
		return checkOpen(d)
	}
}

// checkOpen returns Conflict if the date was called off or has passed.
func checkOpen(d Date) error {
	switch {
	case d.Status != Proposed && d.Status != Accepted:
		return fault.New(fault.Conflict, "This date was called off. You can propose another.")
	case !d.At.After(time.Now()):
		return fault.New(fault.Conflict, "The time of this date has passed. You can propose another.")
	}
	return nil
}

// apply applies a transition under the lock of the conversation. A repeated call, such as
// a retry after a lost response, returns and publishes the current date.
func (s *Service) apply(ctx context.Context, actor web.Actor, id uuid.UUID, next transition) (Date, error) {
	type result struct {
		date     row // before the transition
		repeated bool
		message  messages.Stored // unless repeated
	}
	applied, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (result, error) {
		date, err := lockDate(ctx, tx, actor.ID, id)
		if err != nil {
			return result{}, err
		}
		if next.isApplied(actor, date.Date) {
			return result{date: date, repeated: true}, nil
		}
		if date.Revision != next.revision {
			return result{}, fault.New(fault.Conflict, "This date was changed meanwhile. Please look at it again first.")
		}
		if err := next.check(date.Date); err != nil {
			return result{}, err
		}
		if next.plan != nil { // in tx, so that a rollback undoes the count
			if err := limits.Allow(ctx, tx, perDay, actor.ID.String()); err != nil {
				return result{}, err
			}
		}
		message, err := s.store(ctx, tx, actor, date.Date, next)
		return result{date: date, message: message}, err
	})
	if err != nil {
		return Date{}, err
	}
	if applied.repeated {
		s.publishAgain(ctx, actor, applied.date)
		return s.withCard(ctx, actor.ID, applied.date)
	}
	return s.publishAndGet(ctx, actor, id, applied.date.Peer, applied.message)
}

// isApplied reports whether this transition was the last change of d.
func (n transition) isApplied(actor web.Actor, d Date) bool {
	return d.Revision == n.revision+1 && d.ChangedBy == actor.ID && d.Status == n.status && (n.plan == nil || n.plan.matches(d))
}

// store stores the message about a transition and the changed date, in this order, because the date has the seq of the
// message. It returns the message.
func (s *Service) store(ctx context.Context, tx pgx.Tx, actor web.Actor, d Date, next transition) (messages.Stored, error) {
	plan, freeText := planOf(d), next.line
	if next.plan != nil {
		plan, freeText = *next.plan, next.plan.freeText()
	}
	message, err := s.postMessage(ctx, tx, actor, d.ConversationID, d.ID, plan.Line(next.line), freeText)
	if err != nil {
		return message, err
	}
	if next.plan != nil {
		err = updatePlan(ctx, tx, actor.ID, d.ID, plan, message.Seq)
	} else {
		err = updateStatus(ctx, tx, actor.ID, d.ID, next.status, message.Seq)
	}
	if err == nil && next.after != nil {
		err = next.after(tx, d)
	}
	if err == nil && (next.status == Accepted || next.status == Declined) {
		err = conversations.EndTurn(ctx, tx, d.ProposedBy, d.ConversationID) // the proposer need not reply to the answer
	}
	return message, err
}
