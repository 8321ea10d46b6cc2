package moderation

import (
	"context"
	"errors"
	"fmt"
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
	if d.reporter != nil || d.hasAddress {
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

// Office is where members reach the moderators.
type Office struct {
	Site    string // the public address of the app, without a slash at the end
	Contact string // the mail address that somebody reads; empty if there is none
}

// appeal returns how a member can appeal against a decision.
func (o Office) appeal() string {
	text := "\n\nIf you think we got this wrong, you can appeal once. Sign in here:\n\n" + o.Site + "/decisions"
	if o.Contact != "" {
		text += "\n\nYou can also write to " + o.Contact + "."
	}
	return text
}

// decisionSubject is the subject of the mail to the member of a decision.
const decisionSubject = "A decision about your account"

// The mails name neither the other member nor the contents of the report: others may read
// them on the device. The reporter does not learn which sanction there was.
const reporterText = `You reported %s on Heartward on %s. A moderator has looked into it.
%s

%s we haven't said who reported them.
Thank you for helping to keep Heartward safe.`

// dayFormat is the format of days in mails.
const dayFormat = "January 2, 2006"

// reportedThing is how the mail to the reporter names what was reported, and how it ends.
type reportedThing struct{ name, ending string }

// A report about a member has blocked the two; one about a post or comment has not.
var reportedThings = func() map[string]reportedThing {
	things := map[string]reportedThing{
		"post":    {"a post", "As always,"},
		"comment": {"a comment", "As always,"},
	}
	for _, place := range []string{"card", "profile", "match", "conversation", "likes"} {
		things[place] = reportedThing{"a member", "You're still blocked from each other, and"}
	}
	return things
}()

// reporterOutcome returns the outcome as the reporter learns it.
func reporterOutcome(action string) string {
	if action == NoAction {
		return "We found nothing that called for action against the account."
	}
	return "You were right to tell us: we have taken action."
}

// notOfAgeOutcome says what a member who is not of age can do. The number of days is appealTerm.
const notOfAgeOutcome = `We
think that you are not 18 yet, and Heartward is for adults. Your account is
closed, and we will delete it in 30 days.

If you are 18 or older: sign in within these 30 days, appeal there, and we
will tell you how to show your age. If you are younger: you have done
nothing wrong by being young. Once you are 18, you are welcome here.

The moderator wrote:

`

// endedReview is the text for a member whose profile a report hid, on which nothing follows.
const endedReview = "Your profile was under review because of a report. A moderator found no\n" +
	"reason to act. It's shown again, and you can write messages. We're sorry for\nthe interruption."

// reporterMail returns the mail about the outcome of a report without its recipient.
func reporterMail(name, place, action string, reportedAt time.Time) mail.Message {
	what := reportedThings[place]
	text := fmt.Sprintf(reporterText, what.name, reportedAt.UTC().Format(dayFormat), reporterOutcome(action), what.ending)
	return mail.Message{Subject: "About your report", Text: mail.Letter(name, text)}
}

// reportedText returns the text for the reported member of a report that was decided.
func reportedText(ctx context.Context, db pg.DB, office Office, report uuid.UUID, action string) (string, error) {
	if action == NoAction {
		return endedReview, nil
	}
	s, _, err := selectSanctionOfReport(ctx, db, report)
	return sanctionText(s, office), err
}

// SendOutcome sends the mail of the outcome of a report. It does nothing for a deleted
// member. Like SendSanction it may send the same mail twice.
func SendOutcome(ctx context.Context, db pg.DB, sender mail.Sender, office Office, args OutcomeArgs) error {
	var d decided
	var createdAt time.Time
	var place string
	var address *string
	err := db.QueryRow(ctx, `
		SELECT reporter_id, reported_user_id, created_at, place, reporter_address, coalesce(action_taken, ''), suspended_until, explanation
		FROM reports
		WHERE id = $1
			AND status <> 'pending'`, args.ReportID).
		Scan(&d.reporter, &d.reported, &createdAt, &place, &address, &d.decision.Action, &d.decision.SuspendedUntil, &d.decision.Explanation)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	id := "report-" + args.ReportID.String()
	if place == issuePlace {
		return sendAnswer(ctx, db, sender, issueAnswer{reporter: orNil(d.reporter), address: address, at: createdAt, text: d.decision.Explanation, id: id})
	}
	if args.ToReporter {
		return members.SendMail(ctx, db, sender, orNil(d.reporter), func(name string) mail.Message {
			message := reporterMail(name, place, d.decision.Action, createdAt)
			message.ID = id + "-reporter"
			return message
		})
	}
	text, err := reportedText(ctx, db, office, args.ReportID, d.decision.Action)
	if errors.Is(err, pgx.ErrNoRows) { // the account was deleted
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return members.SendMail(ctx, db, sender, orNil(d.reported), func(name string) mail.Message {
		return mail.Message{Subject: decisionSubject, Text: mail.Letter(name, text), ID: id + "-reported"}
	})
}
