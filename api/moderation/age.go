package moderation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// appealTerm is the time after the decision that a member is not of age in which the member can
// show the age. Then the account is deleted.
const appealTerm = 30 * 24 * time.Hour

// AppealTermArgs are the arguments of the job that runs at the end of appealTerm.
type AppealTermArgs struct {
	SanctionID uuid.UUID `json:"sanctionId" river:"unique"`
}

// Kind returns the name of the job in River.
func (AppealTermArgs) Kind() string { return "appeal_term" }

// InsertOpts allow one job per sanction. River retries it for months, because the account must be
// deleted.
func (AppealTermArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 50, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// TermState is what follows from the end of an appealTerm.
type TermState int

// The states.
const (
	TermVoid    TermState = iota // the ban was taken back, or the account is deleted: nothing follows
	TermAppeal                   // an appeal waits for its decision: the job calls EndAppealTerm again later
	TermExpired                  // the account is to be deleted
)

// EndAppealTerm returns the member of a decision that the member is not of age, and what follows
// from the end of the term. It locks the member until tx ends.
func EndAppealTerm(ctx context.Context, tx pgx.Tx, args AppealTermArgs) (member uuid.UUID, state TermState, err error) {
	err = tx.QueryRow(ctx, `SELECT user_id FROM sanctions WHERE id = $1 AND deletes_at IS NOT NULL`, args.SanctionID).Scan(&member)
	if errors.Is(err, pgx.ErrNoRows) {
		return member, TermVoid, nil
	}
	if err != nil {
		return member, TermVoid, err
	}
	standing, err := members.LockStanding(ctx, tx, member)
	if err != nil {
		return member, TermVoid, err
	}
	inForce, err := isInForce(ctx, tx, args.SanctionID, standing.Status)
	if err != nil || !inForce {
		return member, TermVoid, err
	}
	var waits bool
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM appeals WHERE sanction_id = $1 AND outcome IS NULL)`, args.SanctionID).Scan(&waits)
	if err != nil || waits {
		return member, TermAppeal, err
	}
	return member, TermExpired, nil
}

// AskAgeArgs are the arguments of the job that asks a member by mail to show the age.
type AskAgeArgs struct {
	ReportID uuid.UUID `json:"reportId" river:"unique"`
}

// Kind returns the name of the job in River.
func (AskAgeArgs) Kind() string { return "ask_age" }

// InsertOpts allow one job per report.
func (AskAgeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// AskAge asks the member whom a pending report hides to show the age, and records it with its reason in the audit
// log. The report stays pending, and the profile hidden, until the decision. A repetition changes nothing.
//
// Errors: Invalid without a reason; NotFound for an unknown report and for one on which the admin may not decide; Conflict for a
// report that is decided, has another reason than the age, or hides nobody, and with the code open_first unless the admin opened it within the last day.
func (s *Service) AskAge(ctx context.Context, admin, report uuid.UUID, reason string) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		r, err := selectOpenedReport(ctx, tx, admin, report)
		switch {
		case err != nil:
			return err
		case r.Status != "pending":
			return errReportDecided(ctx, tx, report)
		case r.Reason != underage || !r.HidesProfile || r.reportedID == nil:
			return fault.New(fault.Conflict, "Only a member whom a report about the age hides can be asked.")
		case r.AgeAskedAt != nil:
			return nil
		}
		if err := RequireOpened(ctx, tx, true, admin, "report.open", "report", report); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `UPDATE reports SET age_asked_at = now() WHERE id = $1 AND status = 'pending' AND age_asked_at IS NULL`, report)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if _, err := s.jobs.InsertTx(ctx, tx, AskAgeArgs{report}, nil); err != nil {
			return err
		}
		return Audit(ctx, tx, admin, "report.ask_age", *r.reportedID, reason, map[string]any{"report": report})
	})
}

// SendAskAge mails a member to show the age. It does nothing if the report was decided since. Like SendSanction it may
// send the same mail twice.
func SendAskAge(ctx context.Context, db pg.DB, sender mail.Sender, office Office, args AskAgeArgs) error {
	member, _, err := HiddenMember(ctx, db, args.ReportID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return members.SendMail(ctx, db, sender, member, func(mail.Reader) mail.Letter { return ageLetter("age-"+args.ReportID.String(), office) })
}

func ageLetter(id string, office Office) mail.Letter {
	blocks := []mail.Block{
		mail.Text("Heartward is for adults, and we'd like to be sure that you are 18 or older. That isn't a decision: your profile stays hidden until a moderator knows."),
		mail.Text("Please write to us, and we'll tell you how to show your age."),
	}
	if office.Contact != "" {
		blocks = append(blocks, mail.Facts(office.Contact))
	}
	return mail.Letter{Template: "moderation.age", Kind: mail.Decisions, ID: id, Subject: "Please show us your age", Blocks: blocks}
}
