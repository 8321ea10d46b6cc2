package moderation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// OutcomeArgs are the arguments of the job that mails the outcome of a report to one of its
// two members.
type OutcomeArgs struct {
	ReportID   uuid.UUID `json:"reportId" river:"unique"`
	ToReporter bool      `json:"toReporter" river:"unique"`
}

// Kind returns the name of the job in River.
func (OutcomeArgs) Kind() string { return "report_outcome" }

// InsertOpts allow one job per report and member.
func (OutcomeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// enqueueOutcomes enqueues the mail to the reporter and, if toReported, the one to the
// reported member.
func (s *Service) enqueueOutcomes(ctx context.Context, tx pgx.Tx, report uuid.UUID, d decided, toReported bool) error {
	if d.reporter != nil {
		if _, err := s.jobs.InsertTx(ctx, tx, OutcomeArgs{ReportID: report, ToReporter: true}, nil); err != nil {
			return err
		}
	}
	if d.reported == nil || !toReported {
		return nil
	}
	_, err := s.jobs.InsertTx(ctx, tx, OutcomeArgs{ReportID: report}, nil)
	return err
}

// The mails name neither the other member nor the contents of the report: others may read
// them on the device.
const (
	reporterText = `Hi %s,

You reported a member on Heartward on %s. A moderator has looked into it.
%s

You're still blocked from each other, and we haven't said who reported them.
Thank you for helping to keep Heartward safe.

With love,
Heartward
`
	reportedText = `Hi %s,

%s

If you think we got this wrong, just reply to this email.

With love,
Heartward
`
)

// dayFormat is the format of days in mails.
const dayFormat = "January 2, 2006"

var reporterOutcomes = map[string]string{
	NoAction: "We found nothing that called for action against the account.",
	Warn:     "We have warned the member.",
	Suspend:  "We have suspended the account for a time.",
	Ban:      "We have closed the account for good.",
}

// reportedOutcome returns the text for the reported member.
func reportedOutcome(d Decision) string {
	const intro = "A member reported you, and a moderator has looked into it. "
	switch d.Action {
	case Warn:
		return intro + "It wasn't in\nthe spirit of the Honor Code:\n\n" + d.Explanation +
			"\n\nIf it happens again, we may suspend your account."
	case Suspend:
		return intro + "Your account\nis suspended until " + d.SuspendedUntil.UTC().Format(dayFormat+", 15:04 UTC") + ":\n\n" + d.Explanation
	case Ban:
		return intro + "Your account\nis suspended for good:\n\n" + d.Explanation
	default:
		return "Your profile was under review because of a report. A moderator found no\n" +
			"reason to act. It's shown again, and you can write messages."
	}
}

// SendOutcome sends the mail of the outcome of a report. It does nothing for a deleted
// member. Like SendWarning it may send the same mail twice.
func SendOutcome(ctx context.Context, db pg.DB, sender mail.Sender, args OutcomeArgs) error {
	var d decided
	var createdAt time.Time
	err := db.QueryRow(ctx, `
		SELECT reporter_id, reported_user_id, created_at, coalesce(action_taken, ''), suspended_until, explanation
		FROM reports
		WHERE id = $1
			AND status <> 'pending'`, args.ReportID).
		Scan(&d.reporter, &d.reported, &createdAt, &d.decision.Action, &d.decision.SuspendedUntil, &d.decision.Explanation)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	to := d.reported
	if args.ToReporter {
		to = d.reporter
	}
	email, name, err := members.Contact(ctx, db, orNil(to))
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	message := mail.Message{
		To: email, Subject: "A decision about your account", Text: fmt.Sprintf(reportedText, name, reportedOutcome(d.decision)),
		ID: "report-" + args.ReportID.String() + "-reported",
	}
	if args.ToReporter {
		message.Subject, message.ID = "About your report", strings.TrimSuffix(message.ID, "reported")+"reporter"
		message.Text = fmt.Sprintf(reporterText, name, createdAt.UTC().Format(dayFormat), reporterOutcomes[d.decision.Action])
	}
	return sender.Send(ctx, message)
}
