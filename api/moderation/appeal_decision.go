package moderation

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/queue"
)

// AppealDecision is an admin's decision on an appeal.
type AppealDecision struct {
	Outcome     string // Upheld or Lifted
	Explanation string // mailed to the member
	Reason      string // for the audit log
	OpenedOnly  bool   // the decision returns Conflict unless the admin has opened the appeal within the last day
}

// check returns the decision in the form to be stored, or Invalid with the field.
func (d AppealDecision) check() (AppealDecision, error) {
	var err error
	if d.Explanation, err = text.Lines("explanation", d.Explanation, maxExplanation); err != nil {
		return d, err
	}
	if d.Explanation == "" {
		return d, errNoExplanation
	}
	if d.Outcome != Upheld && d.Outcome != Lifted {
		return d, fault.InvalidField("outcome", "Please choose a decision.")
	}
	return d, nil
}

// DecideAppeal closes an appeal with an admin's decision, and records it with its reason in the
// audit log. The same transaction enqueues a mail to the member. Lifted takes effect at once:
// the member has the status that the other sanctions in force give. Repeating a decision
// changes nothing.
//
// Errors: Invalid without an explanation or a reason; NotFound like OpenAppeal; Conflict when
// it was decided differently; Forbidden for the admin who decided on the sanction, if an admin can
// decide who is less involved.
func (s *Service) DecideAppeal(ctx context.Context, admin, id uuid.UUID, in AppealDecision) error {
	in, err := in.check()
	if err != nil {
		return err
	}
	effect, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (decisionEffect, error) { return s.decideAppeal(ctx, tx, admin, id, in) })
	if err != nil {
		return err
	}
	if effect.changesProfile() {
		s.notifyStatusChange(ctx, effect.member)
	}
	s.notifyDecision(effect.member)
	return nil
}

// decideAppeal runs in the transaction of DecideAppeal. It locks the member before it reads
// the appeal, so that of two decisions the second sees the first.
func (s *Service) decideAppeal(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID, in AppealDecision) (effect decisionEffect, err error) {
	if effect.member, err = selectAppellant(ctx, tx, id); err != nil {
		return effect, err
	}
	standing, err := members.LockStanding(ctx, tx, effect.member)
	if err != nil {
		return effect, err
	}
	a, err := selectOpenedAppeal(ctx, tx, admin, id)
	switch {
	case err != nil:
		return effect, err
	case a.Outcome != nil && *a.Outcome == in.Outcome && a.OutcomeExplanation == in.Explanation:
		return effect, nil
	case a.Outcome != nil:
		return effect, queue.ErrDecided(ctx, tx, a.decidedBy, queue.Decision(*a.Outcome))
	case !a.MayDecide:
		return effect, errForAnotherAdmin
	}
	if err := RequireOpened(ctx, tx, in.OpenedOnly, admin, "appeal.open", "sanction", id); err != nil {
		return effect, err
	}
	if err := closeAppeal(ctx, tx, admin, id, in); err != nil {
		return effect, err
	}
	if in.Outcome == Lifted {
		if effect.statusChanged, err = s.takeBack(ctx, tx, admin, a, in, standing); err != nil {
			return effect, err
		}
		effect.restored, err = members.RestoreParts(ctx, tx, effect.member, id)
	} else {
		err = members.ReleaseRemovedParts(ctx, tx, id)
	}
	if err != nil {
		return effect, err
	}
	if err := queue.Close(ctx, tx, queue.Appeal, id); err != nil {
		return effect, err
	}
	if _, err := s.jobs.InsertTx(ctx, tx, AppealArgs{SanctionID: id}, nil); err != nil {
		return effect, err
	}
	return effect, Audit(ctx, tx, admin, "appeal."+in.Outcome, effect.member, in.Reason, map[string]any{"sanction": id})
}

// takeBack stores a Reversal of the appealed decision, or a Reinstatement if no other decision restricts the member. It
// reports whether the status of the member changed.
func (s *Service) takeBack(ctx context.Context, tx pgx.Tx, admin uuid.UUID, a OpenedAppeal, in AppealDecision, before members.Standing) (changed bool, err error) {
	by := Sanction{ID: uuid.New(), Kind: Reversal, Explanation: in.Explanation}
	if a.Kind.restricts() {
		var reinstates bool
		if changed, reinstates, err = lift(ctx, tx, a.userID, before); err != nil {
			return false, err
		}
		if reinstates {
			by.Kind = Reinstatement
		}
	}
	if err := reverse(ctx, tx, admin, a.userID, by, []uuid.UUID{a.ID}); err != nil || !a.Kind.restricts() {
		return changed, err
	}
	_, err = s.syncBan(ctx, tx, a.userID, false) // a ban that stays has ended the couple before
	return changed, err
}

// restricts reports whether sanctions of the kind change the status of the account.
func (k SanctionKind) restricts() bool { return k != Warning && k != Removal }

// lift sets the status of a member after one of the sanctions has ended: that which the most restrictive sanction in force
// gives. changed reports whether the status changed; reinstates reports whether no other sanction restricts the member.
func lift(ctx context.Context, tx pgx.Tx, member uuid.UUID, before members.Standing) (changed, reinstates bool, err error) {
	if before.Status != "suspended" && (before.Status != "under_review" || before.UnderReport) {
		return false, false, nil // the restriction has ended meanwhile, or is due to a pending report
	}
	status := "active"
	remaining, err := selectInForce(ctx, tx, member, "suspended")
	if err != nil {
		return false, false, err
	}
	if remaining == nil {
		if remaining, err = selectInForce(ctx, tx, member, "under_review"); err != nil {
			return false, false, err
		}
	}
	switch {
	case remaining == nil:
		if before.UnderReport {
			status = "under_review"
		}
		return true, true, members.SetStatus(ctx, tx, member, status, nil)
	case remaining.Kind == Review:
		status = "under_review"
	default:
		status = "suspended"
	}
	if before.Is(status, remaining.SuspendedUntil) {
		return false, false, nil
	}
	return true, false, members.SetStatus(ctx, tx, member, status, remaining.SuspendedUntil)
}

// AppealArgs are the arguments of the job that mails the outcome of an appeal to its member.
type AppealArgs struct {
	SanctionID uuid.UUID `json:"sanctionId" river:"unique"`
}

// Kind returns the name of the job in River.
func (AppealArgs) Kind() string { return "appeal" }

// InsertOpts allow one job per appeal.
func (AppealArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

var appealOutcomes = map[string]string{
	Upheld: "The decision stays as it is",
	Lifted: "You were right to ask. We have taken the decision back",
}

// SendAppealOutcome sends the mail of the decision on an appeal. It does nothing for a deleted
// member. Like SendSanction it may send the same mail twice.
func SendAppealOutcome(ctx context.Context, db pg.DB, sender mail.Sender, args AppealArgs) error {
	var member uuid.UUID
	var outcome, explanation string
	var sameModerator bool
	err := db.QueryRow(ctx, `
		SELECT a.user_id, a.outcome, a.explanation, coalesce(a.decided_by = s.decided_by, false)
		FROM appeals a
		JOIN sanctions s ON s.id = a.sanction_id
		WHERE a.sanction_id = $1
			AND a.outcome IS NOT NULL`, args.SanctionID).Scan(&member, &outcome, &explanation, &sameModerator)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return members.SendMail(ctx, db, sender, member, func(mail.Reader) mail.Letter {
		return appealLetter("appeal-"+args.SanctionID.String(), outcome, explanation, sameModerator)
	})
}

func appealLetter(id, outcome, explanation string, sameModerator bool) mail.Letter {
	blocks := []mail.Block{mail.Text("We have looked again at the decision about your account that you appealed.")}
	blocks = append(blocks, decisionBlocks(appealOutcomes[outcome], explanation)...)
	if sameModerator {
		blocks = append(blocks, mail.Text("The moderator who made the first decision also decided on your appeal, because there is no one else on our team who could."))
	}
	return mail.Letter{Template: "moderation.appeal", Kind: mail.Decisions, ID: id, Subject: "About your appeal", Blocks: blocks}
}
