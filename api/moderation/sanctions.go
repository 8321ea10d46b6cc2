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
	"heartward/api/platform/text"
)

// SanctionKind is the kind of a Sanction.
type SanctionKind string

// The kinds of sanctions.
const (
	Warning       SanctionKind = "warning"
	Removal       SanctionKind = "removal"    // of parts of the profile
	Suspension    SanctionKind = "suspension" // until a time
	BanForGood    SanctionKind = "ban"        // a suspension without an end
	Review        SanctionKind = "review"     // hidden until an admin ends it
	Reinstatement SanctionKind = "reinstatement"
	Reversal      SanctionKind = "reversal" // takes back a decision, and leaves others as they are
)

// Sanction is a decision of an admin about a member, or the end of one.
type Sanction struct {
	ID             uuid.UUID    `json:"id"`
	Kind           SanctionKind `json:"kind" enum:"warning,removal,suspension,ban,review,reinstatement,reversal"`
	SuspendedUntil *time.Time   `json:"suspendedUntil" nullable:"true" doc:"Of a suspension"`
	Explanation    string       `json:"explanation" doc:"What the member was told; may be empty"`
	ReportID       *uuid.UUID   `json:"reportId" nullable:"true" doc:"Null if it was not about a report"`
	MessageID      *uuid.UUID   `json:"messageId" nullable:"true" doc:"Null if it was not about a flagged message"`
	DecidedBy      *string      `json:"decidedBy" nullable:"true" doc:"The name of the admin; null if that account was deleted"`
	CreatedAt      time.Time    `json:"createdAt"`
	DeletesAt      *time.Time   `json:"deletesAt" nullable:"true" doc:"When the account of a member who is not of age is deleted, unless the ban is taken back"`
	Ground         Ground       `json:"ground" enum:"rules,underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other" doc:"The rule that was broken"`
	FactsFrom      string       `json:"factsFrom" enum:"report,message,pictures,moderator" doc:"From where the moderators know of it"`
	Automation     string       `json:"automation" enum:"none,found,decided" doc:"Whether a program found it, or decided"`
	ReversedBy     *uuid.UUID   `json:"reversedBy" nullable:"true" doc:"The later decision that took this one back; null while it stands"`
	IsActive       bool         `json:"isActive" doc:"A warning that still counts, or a restriction that has an effect now"`
	CountsUntil    *time.Time   `json:"countsUntil" nullable:"true" doc:"Of a warning"`
	Parts          []string     `json:"parts" doc:"The names of the parts of the profile that it removed, also beside a warning, suspension or ban"`

	decidedBy *uuid.UUID
}

// StatusChange is an admin's change of a member's profile status.
type StatusChange struct {
	Status         string     // active, suspended or under_review
	SuspendedUntil *time.Time // nil for a suspension without an end; only with suspended
	Explanation    string     // mailed to the member; required unless active
	Reason         string     // for the audit log
	Ground         Ground     // the rule that was broken; empty for CommunityRules
	ByModerator    bool       // not by an admin: only suspensions for at most 30 days
}

// check returns the change in the form to be stored, or Invalid with the field.
func (c StatusChange) check(now time.Time) (StatusChange, error) {
	var err error
	if c.Explanation, err = text.Lines("explanation", c.Explanation, maxExplanation); err != nil {
		return c, err
	}
	switch {
	case c.Status != "active" && c.Explanation == "":
		return c, errNoExplanation
	case c.Status != "suspended" && c.SuspendedUntil != nil:
		return c, errEndAlone
	case c.SuspendedUntil != nil:
		c.SuspendedUntil = new(c.SuspendedUntil.UTC().Truncate(time.Microsecond))
	}
	return c, Decision{SuspendedUntil: c.SuspendedUntil}.checkEnd(now)
}

// sanction returns the sanction that records the change.
func (c StatusChange) sanction() Sanction {
	kind := BanForGood
	switch {
	case c.Status == "active":
		kind = Reinstatement
	case c.Status == "under_review":
		kind = Review
	case c.SuspendedUntil != nil:
		kind = Suspension
	}
	return Sanction{ID: uuid.New(), Kind: kind, SuspendedUntil: c.SuspendedUntil, Explanation: c.Explanation, Ground: c.Ground}
}

// SetStatus changes the profile status of a member, records it with its reason in the audit log, and enqueues a mail to the
// member. It takes effect at once: a suspension ends all sessions on all nodes, and a review closes their sockets. A
// repetition changes nothing.
//
// A review also ends when the last report that hides the member is decided without consequences. A member who had asked
// for the deletion of the account before a suspension is leaving again after it.
//
// Errors:
//   - Invalid with the field for an invalid change, and without a reason.
//   - NotFound for an unknown member.
//   - Forbidden for the caller's own account, for admins and moderators, for a match of the caller while another admin can
//     decide, for the reinstatement of a member who has an appeal that the caller may not see, and for a change that ByModerator
//     does not allow.
//   - Conflict for a member who is leaving, unless the change is a suspension, and for the reinstatement of a member whom a
//     pending report hides.
func (s *Service) SetStatus(ctx context.Context, admin, member uuid.UUID, in StatusChange) error {
	in, err := in.check(time.Now())
	if err != nil {
		return err
	}
	effect, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (decisionEffect, error) { return s.setStatus(ctx, tx, admin, member, in) })
	if err != nil {
		return err
	}
	auth.PublishEnded(s.events, effect.ended...)
	s.matching.PublishEndedCouples(effect.couples...)
	if effect.statusChanged {
		s.notifyStatusChange(ctx, member)
		s.notifyDecision(member)
	}
	return nil
}

// setStatus runs in the transaction of SetStatus.
func (s *Service) setStatus(ctx context.Context, tx pgx.Tx, admin, member uuid.UUID, in StatusChange) (effect decisionEffect, err error) {
	before, err := lockSanctioned(ctx, tx, admin, member)
	if err != nil {
		return effect, err
	}
	if in.ByModerator && in.Status != "suspended" {
		return effect, errForAdmins
	}
	switch {
	case before.Is(in.Status, in.SuspendedUntil):
		return effect, nil
	case before.Status == "leaving" && in.Status != "suspended":
		return effect, fault.New(fault.Conflict, "This member has asked for the deletion of the account.")
	case in.Status == "active" && before.UnderReport:
		return effect, fault.New(fault.Conflict, "A pending report hides this member. Please decide on it first.")
	}
	if in.ByModerator {
		if err := checkModeratorSuspension(before, in.SuspendedUntil, time.Now()); err != nil {
			return effect, err
		}
	}
	if err := members.SetStatus(ctx, tx, member, in.Status, in.SuspendedUntil); err != nil {
		return effect, err
	}
	effect.statusChanged = true
	if in.Status == "suspended" {
		if effect.ended, err = s.revokeSessions(ctx, tx, member); err != nil {
			return effect, err
		}
	}
	if in.Status == "under_review" {
		if effect.ended, err = s.endSockets(ctx, tx, member); err != nil {
			return effect, err
		}
	}
	var reversed []uuid.UUID
	if in.Status == "active" {
		if reversed, effect.restored, err = reinstate(ctx, tx, admin, member, in.Explanation); err != nil {
			return effect, err
		}
	}
	sanction := in.sanction()
	if err := reverse(ctx, tx, admin, member, sanction, reversed); err != nil {
		return effect, err
	}
	if effect.couples, err = s.syncBan(ctx, tx, member, false); err != nil {
		return effect, err
	}
	if _, err := s.jobs.InsertTx(ctx, tx, SanctionArgs{SanctionID: sanction.ID}, nil); err != nil {
		return effect, err
	}
	detail := map[string]any{"before": before.Status, "suspendedUntil": in.SuspendedUntil, "sanction": sanction.ID}
	return effect, Audit(ctx, tx, admin, "member."+in.Status, member, in.Reason, detail)
}

// reinstate closes the pending appeals of a member whom an admin reinstates, and puts the removed parts back on the profile. It
// returns the sanctions that the reinstatement takes back, and the names of the parts. It returns Forbidden if the admin may not
// see one of the appeals.
func reinstate(ctx context.Context, tx pgx.Tx, admin, member uuid.UUID, explanation string) (reversed []uuid.UUID, restored []string, err error) {
	if reversed, err = selectReinstated(ctx, tx, member); err != nil {
		return nil, nil, err
	}
	isHidden, err := hasHiddenAppeal(ctx, tx, admin, member)
	if err != nil {
		return nil, nil, err
	}
	if isHidden {
		return nil, nil, errForAnotherAdmin
	}
	if err := liftAppeals(ctx, tx, admin, member, explanation); err != nil {
		return nil, nil, err
	}
	restored, err = members.RestoreParts(ctx, tx, member, reversed...)
	return reversed, restored, err
}

// Warn mails a warning to a member, and records it with its reason in the audit log. The
// client chooses the id; a repetition with it changes nothing. An empty ground is CommunityRules.
//
// Errors: Invalid without an explanation or a reason; NotFound for an unknown member;
// Forbidden for the admin's own account, for other admins and moderators and, while another admin can decide, for a match of the
// admin; Conflict for an id that another sanction has.
func (s *Service) Warn(ctx context.Context, admin, member, id uuid.UUID, explanation string, ground Ground, reason string) error {
	explanation, err := text.Lines("explanation", explanation, maxExplanation)
	if err != nil {
		return err
	}
	if explanation == "" {
		return errNoExplanation
	}
	in := Decision{Explanation: explanation, Ground: ground, Reason: reason}
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.warn(ctx, tx, admin, member, id, in) })
	if err == nil {
		s.notifyDecision(member)
	}
	return err
}

// warn runs in the transaction of Warn. It stores nothing for a repetition.
func (s *Service) warn(ctx context.Context, tx pgx.Tx, admin, member, id uuid.UUID, in Decision) error {
	if _, err := lockSanctioned(ctx, tx, admin, member); err != nil {
		return err
	}
	inserted, err := insertSanction(ctx, tx, admin, member, Sanction{ID: id, Kind: Warning, Explanation: in.Explanation, Ground: in.Ground})
	if err != nil || !inserted {
		return err
	}
	if _, err := s.jobs.InsertTx(ctx, tx, SanctionArgs{SanctionID: id}, nil); err != nil {
		return err
	}
	return Audit(ctx, tx, admin, "member.warn", member, in.Reason, map[string]any{"sanction": id})
}

// lockSanctioned locks a member whom the admin is about to sanction. It returns NotFound for
// an unknown member, and Forbidden for the admin, for other admins and moderators and, while another admin can decide, for a
// match of the admin.
func lockSanctioned(ctx context.Context, tx pgx.Tx, admin, member uuid.UUID) (members.Standing, error) {
	standing, err := members.LockStanding(ctx, tx, member)
	switch {
	case err != nil:
		return standing, err
	case member == admin:
		return standing, fault.New(fault.Forbidden, "Admins cannot act on their own account.")
	case standing.IsStaff:
		return standing, fault.New(fault.Forbidden, "The account of an admin or a moderator cannot be changed here.")
	}
	return standing, checkImpartial(ctx, tx, admin, &member)
}
