package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// The decisions on a report, beside Warn and Suspend.
const (
	NoAction = "no_action" // no consequence; a hidden profile is shown again
	Ban      = "ban"       // suspend the member without an end
)

const (
	maxExplanation = 500
	maxSuspension  = 366 * 24 * time.Hour
)

// Decision is an admin's decision on a report.
type Decision struct {
	Action         string     // NoAction, Warn, Suspend or Ban
	SuspendedUntil *time.Time // required for Suspend, not allowed otherwise
	Explanation    string     // mailed to the reported member; required unless NoAction
	Reason         string     // for the audit log
}

// equal is whether both have the same consequences. The database stores microseconds.
func (d Decision) equal(other Decision) bool {
	sameEnd := (d.SuspendedUntil == nil) == (other.SuspendedUntil == nil) &&
		(d.SuspendedUntil == nil || d.SuspendedUntil.Equal(*other.SuspendedUntil))
	return d.Action == other.Action && d.Explanation == other.Explanation && sameEnd
}

// check returns the decision in the form to be stored, or Invalid with the field.
func (d Decision) check() (Decision, error) {
	var err error
	if d.Explanation, err = members.CleanText("explanation", d.Explanation, maxExplanation, true); err != nil {
		return d, err
	}
	switch {
	case d.Action == NoAction && d.Explanation != "":
		return d, fault.InvalidField("explanation", "A report without consequences needs no explanation.")
	case d.Action != NoAction && d.Explanation == "":
		return d, fault.InvalidField("explanation", "Please explain the decision to the member.")
	case d.Action != Suspend && d.SuspendedUntil != nil:
		return d, fault.InvalidField("suspendedUntil", "Only a suspension has an end.")
	case d.Action == Suspend && d.SuspendedUntil == nil:
		return d, fault.InvalidField("suspendedUntil", "Please say when the suspension ends.")
	}
	if d.SuspendedUntil != nil {
		d.SuspendedUntil = new(d.SuspendedUntil.UTC().Truncate(time.Microsecond))
	}
	return d, nil
}

// checkEnd returns Invalid unless a suspension ends in the future, within a year.
func (d Decision) checkEnd(now time.Time) error {
	if d.SuspendedUntil != nil && (!d.SuspendedUntil.After(now) || d.SuspendedUntil.After(now.Add(maxSuspension))) {
		return fault.InvalidField("suspendedUntil", "Please choose a time within the next year.")
	}
	return nil
}

// DecideReport closes a report with an admin's decision, and records it with its reason in
// the audit log. The decision takes effect at once, also on open sockets. The same
// transaction enqueues a mail with the outcome to the reporter, and one to the reported
// member about a consequence or the end of the review. Repeating a decision changes nothing.
//
// Errors: Invalid with the field for an invalid decision and without a reason; NotFound for
// an unknown report; Conflict when it was decided differently or the reported account is
// deleted; Forbidden for reports by or about the admin and for the suspension of an admin.
func (s *Service) DecideReport(ctx context.Context, admin, id uuid.UUID, in Decision) error {
	in, err := in.check()
	if err != nil {
		return err
	}
	effect, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (decisionEffect, error) { return s.decideReport(ctx, tx, admin, id, in) })
	if err != nil {
		return err
	}
	auth.PublishEnded(s.events, effect.ended...)
	if effect.statusChanged {
		s.notifyStatusChange(ctx, effect.member)
	}
	return nil
}

// decisionEffect is what DecideReport publishes after the commit.
type decisionEffect struct {
	member        uuid.UUID
	ended         []uuid.UUID // sessions
	statusChanged bool
}

// decideReport runs in the transaction of DecideReport.
func (s *Service) decideReport(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID, in Decision) (decisionEffect, error) {
	d, err := lockDecided(ctx, tx, id)
	if err != nil {
		return decisionEffect{}, err
	}
	effect := decisionEffect{member: orNil(d.reported)}
	switch {
	case effect.member == admin || orNil(d.reporter) == admin:
		return effect, fault.New(fault.Forbidden, "Another admin has to decide on your own reports.")
	case d.status != "pending" && d.decision.equal(in):
		return effect, nil
	case d.status != "pending":
		return effect, errDecided()
	case in.Action != NoAction && d.reported == nil:
		return effect, fault.New(fault.Conflict, "This account is gone.")
	}
	if err := in.checkEnd(time.Now()); err != nil {
		return effect, err
	}
	detail := map[string]any{"report": id, "suspendedUntil": in.SuspendedUntil}
	if err := Audit(ctx, tx, admin, "report."+in.Action, effect.member, in.Reason, detail); err != nil {
		return effect, err
	}
	if err := closeReport(ctx, tx, id, admin, in); err != nil {
		return effect, err
	}
	if effect.ended, effect.statusChanged, err = applyToMember(ctx, tx, effect.member, in, d.hidesProfile); err != nil {
		return effect, err
	}
	return effect, s.enqueueOutcomes(ctx, tx, id, d, in.Action != NoAction || effect.statusChanged)
}

// lockDecided locks the reported member, if any, and returns the state of the report. A report
// locks the member too, so that a new report is either seen by the end of the review or sees
// the member active.
func lockDecided(ctx context.Context, tx pgx.Tx, id uuid.UUID) (decided, error) {
	d, err := selectDecided(ctx, tx, id)
	if err != nil {
		return d, err
	}
	if d.reported != nil {
		if err := members.Lock(ctx, tx, *d.reported); err != nil {
			return d, err
		}
	}
	return selectDecided(ctx, tx, id)
}

// applyToMember applies a decision to the reported member, and returns the sessions that it
// ended and whether the profile's visibility changed. It must run after closeReport.
func applyToMember(ctx context.Context, tx pgx.Tx, member uuid.UUID, in Decision, hidden bool) (ended []uuid.UUID, changed bool, err error) {
	switch {
	case in.Action == Suspend || in.Action == Ban:
		ended, err = suspend(ctx, tx, member, in.SuspendedUntil)
		return ended, true, err
	case hidden:
		changed, err = members.EndReview(ctx, tx, member)
	}
	return nil, changed, err
}

func errDecided() error { return fault.New(fault.Conflict, "This has been decided already.") }
