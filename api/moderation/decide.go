package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/auth"
	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/queue"
)

// The decisions on a report, and on a flag: Dismiss, Warn, Suspend and Ban.
const (
	NoAction = "no_action" // no consequence; a hidden profile is shown again
	Dismiss  = "dismiss"   // no consequence, of a flag
	// KeepApart means that a member has a second account: those who blocked the first stay hidden from the second. Nobody is
	// told of it.
	KeepApart = "keep_apart"
	Warn      = "warn"    // mail a warning
	Remove    = "remove"  // take parts off the profile, and nothing else
	Suspend   = "suspend" // suspend the account until a time
	Ban       = "ban"     // suspend the account without an end
	// NotOfAge is a ban of a member under 18, whose account is deleted after appealTerm.
	NotOfAge = "not_of_age"
)

const (
	maxExplanation = 500
	maxSuspension  = 366 * 24 * time.Hour
)

// Decision is an admin's or moderator's decision on a report or a flag.
type Decision struct {
	Action         string     // one of the decisions above
	SuspendedUntil *time.Time // required for Suspend, not allowed otherwise
	Explanation    string     // mailed to the member; required if hasConsequence. Of an issue it is the answer, which may be empty
	Reason         string     // for the audit log
	Ground         Ground     // the rule that was broken; empty for that of the report or the flag
	ByModerator    bool       // not by an admin: no ban, and no suspension for more than 30 days
	OpenedOnly     bool       // the decision returns Conflict unless the caller has opened the case within the last day

	Parts []members.ProfilePart // taken off the profile: required for Remove, possible with Warn, Suspend and Ban of a report
}

// isDecidedAs reports whether the stored decision on the report has the same consequences as in, whose end Decision.check
// has rounded to the microseconds of the database.
func (r reportState) isDecidedAs(in Decision) bool {
	sameParts := r.RemovesParts == (len(in.Parts) > 0) || r.ReportedUserID == nil // the sanction went with the account
	return r.ActionTaken == in.Action && r.Explanation == in.Explanation && sameTime(r.SuspendedUntil, in.SuspendedUntil) && sameParts
}

// sameTime reports whether both are the same time, or both nil.
func sameTime(a, b *time.Time) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Equal(*b))
}

// code returns the code of the stored decision, for the moderator who wanted to decide differently.
func (r reportState) code() queue.Decision {
	code := queue.Decision(r.ActionTaken)
	if r.RemovesParts && r.ActionTaken != Remove {
		return code.WithRemoval()
	}
	return code
}

// mayRemove reports whether the decision can remove parts of the profile.
func (d Decision) mayRemove() bool {
	return d.Action == Remove || d.Action == Warn || d.Action == Suspend || d.Action == Ban
}

// check returns the decision in the form to be stored, or Invalid with the field.
func (d Decision) check() (Decision, error) {
	var err error
	if d.Explanation, err = text.Lines("explanation", d.Explanation, maxExplanation); err != nil {
		return d, err
	}
	switch {
	case d.Action == KeepApart && d.Explanation != "":
		return d, fault.InvalidField("explanation", "Nobody is told of this decision, so it needs no explanation.")
	case d.Action != NoAction && d.Action != KeepApart && d.Explanation == "":
		return d, errNoExplanation
	case d.Action != Suspend && d.SuspendedUntil != nil:
		return d, errEndAlone
	case d.Action == Remove && len(d.Parts) == 0:
		return d, fault.InvalidField("parts", "Please choose what to remove.")
	case len(d.Parts) > 0 && !d.mayRemove():
		return d, fault.InvalidField("parts", "Parts of the profile are removed alone, or with a warning, a suspension or a ban.")
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

// DecideReport closes a report with a decision of an admin or moderator, and records it with its reason in the audit log.
// The decision takes effect at once, also on open sockets. The same transaction enqueues a mail with the outcome to the
// reporter, and one to the reported member about a consequence or the end of the review. Repeating a decision changes
// nothing.
//
// Errors:
//   - Invalid with the field for an invalid decision, and without a reason.
//   - NotFound for an unknown report.
//   - Conflict if the report was decided differently; if the account is deleted, for any decision but NoAction and a ban;
//     if none of Parts is on the profile any more; and with OpenedOnly.
//   - Forbidden for a report by or about the caller or, while another admin can decide, a match of the caller; for the
//     suspension of an admin or a moderator; and for a decision that ByModerator does not allow.
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
	s.matching.PublishEndedCouples(effect.couples...)
	if effect.changesProfile() {
		s.notifyStatusChange(ctx, effect.member)
	}
	s.notifyDecision(effect.notified...)
	return nil
}

// decisionEffect is what a decision publishes after the commit.
type decisionEffect struct {
	member        uuid.UUID
	ended         []uuid.UUID // sessions that were revoked, or whose sockets are to be closed
	statusChanged bool
	couples       []matching.EndedCouple
	notified      []uuid.UUID // the members whose notifications contain the decision
	removesParts  bool        // takes parts off the profile
	restored      []string    // the names of the parts that it put back on the profile
}

// changesProfile reports whether a decision changed what others see of the member.
func (e decisionEffect) changesProfile() bool {
	return e.statusChanged || e.removesParts || len(e.restored) > 0
}

// decideReport runs in the transaction of DecideReport.
func (s *Service) decideReport(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID, in Decision) (decisionEffect, error) {
	r, err := lockReportState(ctx, tx, id)
	if err != nil {
		return decisionEffect{}, err
	}
	effect := decisionEffect{member: orNil(r.ReportedUserID)}
	switch {
	case effect.member == admin || orNil(r.ReporterID) == admin:
		return effect, errForAnotherAdmin
	case r.IsAboutStaff && in.ByModerator:
		return effect, errForAdmins
	}
	if err := checkImpartial(ctx, tx, admin, r.ReporterID, r.ReportedUserID); err != nil {
		return effect, err
	}
	switch { // only those who may see the case learn of the decision
	case r.Status != "pending" && r.isDecidedAs(in):
		return effect, nil
	case r.Status != "pending":
		return effect, queue.ErrDecided(ctx, tx, r.ReviewedBy, r.code())
	}
	if err := r.checkDecision(in); err != nil {
		return effect, err
	}
	if err := RequireOpened(ctx, tx, in.OpenedOnly, admin, "report.open", "report", id); err != nil {
		return effect, err
	}
	if err := in.checkEnd(time.Now()); err != nil {
		return effect, err
	}
	if err := in.checkModerator(ctx, tx, effect.member); err != nil {
		return effect, err
	}
	if err := closeReport(ctx, tx, id, admin, in); err != nil {
		return effect, err
	}
	if r.ReportedUserID == nil {
		err = decideDeparted(ctx, tx, r.DepartedID, in)
	} else {
		err = s.decideReported(ctx, tx, admin, id, in, r, &effect)
	}
	if err != nil {
		return effect, err
	}
	if err := s.enqueueOutcomes(ctx, tx, id, r, in.hasConsequence() || effect.statusChanged || r.HidBefore); err != nil {
		return effect, err
	}
	if err := queue.Close(ctx, tx, queue.Report, id); err != nil {
		return effect, err
	}
	for _, party := range []*uuid.UUID{r.ReporterID, r.ReportedUserID} {
		if party != nil && (in.hasConsequence() || !r.isLookalike()) {
			effect.notified = append(effect.notified, *party)
		}
	}
	return effect, Audit(ctx, tx, admin, "report."+in.Action, effect.member, in.Reason, in.auditDetail(id))
}

// checkDecision returns an error unless a pending report can have the decision.
func (r reportState) checkDecision(in Decision) error {
	switch {
	case r.isIssue() && in.Action != NoAction:
		return fault.InvalidField("decision", "An issue is about no member. Close it with no action.")
	case !r.isIssue() && in.Action == NoAction && in.Explanation != "":
		return fault.InvalidField("explanation", "A report without consequences needs no explanation.")
	case in.Action == KeepApart && !r.isLookalike():
		return fault.InvalidField("decision", "Only a possible second account can be kept apart.")
	case in.Action != NoAction && r.ReportedUserID == nil && (r.DepartedID == nil || !in.bans() || len(in.Parts) > 0):
		return errAccountGone
	}
	return nil
}

// hasConsequence reports whether the decision changes something for the reported member, who is told of it. Of KeepApart nobody is
// told.
func (d Decision) hasConsequence() bool { return d.Action != NoAction && d.Action != KeepApart }

// auditDetail returns the details of the decision on a report for the audit log.
func (d Decision) auditDetail(report uuid.UUID) map[string]any {
	detail := map[string]any{"report": report, "suspendedUntil": d.SuspendedUntil}
	if len(d.Parts) > 0 {
		detail["removesParts"] = true
	}
	return detail
}

// decideReported applies a decision on a report to the reported member, stores its sanction, and adds what follows to
// effect. It must run after closeReport.
func (s *Service) decideReported(ctx context.Context, tx pgx.Tx, admin, report uuid.UUID, in Decision, r reportState, effect *decisionEffect) (err error) {
	member := *r.ReportedUserID
	switch {
	case in.Action == Suspend || in.bans():
		effect.statusChanged = true
		effect.ended, err = s.suspend(ctx, tx, member, in.SuspendedUntil)
	case r.HidesProfile:
		effect.statusChanged, err = members.EndReview(ctx, tx, member)
	}
	if err != nil {
		return err
	}
	if r.isLookalike() && in.Action == NoAction {
		if err := releaseLookalike(ctx, tx, member); err != nil {
			return err
		}
	}
	effect.removesParts = len(in.Parts) > 0
	effect.couples, err = s.storeSanction(ctx, tx, admin, member, report, r, in)
	return err
}

// storeSanction stores the sanction of a decision on a report, removes Parts from the profile, stores the ban, and schedules
// the deletion of the account of a member who is not of age. For a decision without a sanction it takes back the reviews
// that a check of pictures began with the report. It returns the couples that a ban ends.
func (s *Service) storeSanction(ctx context.Context, tx pgx.Tx, admin, member, report uuid.UUID, r reportState, in Decision) ([]matching.EndedCouple, error) {
	sanction, ok := sanctionOfDecision(report, r, in)
	if !ok {
		return nil, reverseReviews(ctx, tx, admin, member, report)
	}
	if len(in.Parts) > 0 {
		var err error
		if sanction.Parts, err = members.RemoveParts(ctx, tx, member, sanction.ID, in.Parts); err != nil {
			return nil, err
		}
		if len(sanction.Parts) == 0 {
			return nil, fault.New(fault.Conflict, "None of this is on the profile anymore. Please choose again.")
		}
	}
	if _, err := insertSanction(ctx, tx, admin, member, sanction); err != nil {
		return nil, err
	}
	if sanction.DeletesAt != nil {
		args, at := AppealTermArgs{SanctionID: sanction.ID}, &river.InsertOpts{ScheduledAt: *sanction.DeletesAt}
		if _, err := s.jobs.InsertTx(ctx, tx, args, at); err != nil {
			return nil, err
		}
	}
	if in.bans() || sanction.Kind == Suspension {
		return s.syncBan(ctx, tx, member, in.Action == NotOfAge)
	}
	return nil, nil
}

// bans reports whether the decision suspends the member without an end.
func (d Decision) bans() bool { return d.Action == Ban || d.Action == NotOfAge }

// checkModerator returns an error if the decision is a moderator's and suspends the member in a way that only an admin may
// decide. member is Nil for a deleted account.
func (d Decision) checkModerator(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	if !d.ByModerator || d.Action != Suspend && !d.bans() {
		return nil
	}
	if member == uuid.Nil { // a former member can only be banned
		return errForAdmins
	}
	before, err := members.LockStanding(ctx, tx, member)
	if err != nil {
		return err
	}
	return checkModeratorSuspension(before, d.SuspendedUntil, time.Now())
}

// lockReportState locks the reported member, if any, and returns the state of the report. A report
// locks the member too: either the decision sees a new report, and the profile stays hidden, or the new report sees the
// profile as the decision left it.
func lockReportState(ctx context.Context, tx pgx.Tx, id uuid.UUID) (reportState, error) {
	r, err := selectReportState(ctx, tx, id)
	if err != nil || r.ReportedUserID == nil {
		return r, err
	}
	if err := members.Lock(ctx, tx, *r.ReportedUserID); err != nil {
		return r, err
	}
	return selectReportState(ctx, tx, id)
}
