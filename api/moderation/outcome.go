package moderation

import (
	"context"
	"errors"
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
func (s *Service) enqueueOutcomes(ctx context.Context, tx pgx.Tx, report uuid.UUID, r reportState, toReported bool) error {
	if r.ReporterID != nil || r.HasAddress {
		if _, err := s.jobs.InsertTx(ctx, tx, OutcomeArgs{ReportID: report, ToReporter: true}, nil); err != nil {
			return err
		}
	}
	if r.ReportedUserID == nil || !toReported {
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

// dayFormat is the format of days in texts of the moderators.
const dayFormat = "January 2, 2006"

// appeal returns how a member can appeal against a decision.
func (o Office) appeal() []mail.Block {
	blocks := []mail.Block{
		mail.Text("If you think we got this wrong, you can appeal once. Please sign in."),
		mail.Action("See the decision", o.Site+"/decisions"),
	}
	if o.Contact != "" {
		blocks = append(blocks, mail.Text("You can also write to "+o.Contact+"."))
	}
	return blocks
}

// decisionSubject is the subject of the mail to the member of a decision.
const decisionSubject = "A decision about your account"

// decisionBlocks returns a sentence, which is given without its final punctuation, and the moderator's explanation of it.
func decisionBlocks(sentence, explanation string) []mail.Block {
	if explanation == "" {
		return []mail.Block{mail.Text(sentence + ".")}
	}
	return []mail.Block{mail.Personal(sentence+":", sentence+"."), explainedBy(explanation)}
}

// explainedBy returns the moderator's explanation as a quotation.
func explainedBy(text string) mail.Block {
	return mail.Quote(text, "You'll find the moderator's explanation when you sign in.")
}

// reportedThing is how the mail to the reporter names what was reported, and the beginning of its last sentence.
type reportedThing struct{ name, ending string }

// reportedThings are the reported things by place. A report about a member has blocked the two; one about a post or comment
// has not.
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

// reporterLetter returns the mail to the reporter. Like that to the reported member it names neither the other member nor
// the contents of the report: others may read it on the device. The reporter does not learn which sanction there was.
func reporterLetter(to mail.Reader, id, place, action string, at time.Time) mail.Letter {
	thing := reportedThings[place]
	return mail.Letter{
		Template: "moderation.reporter", Kind: mail.Decisions, ID: id, Subject: "About your report",
		Blocks: []mail.Block{
			mail.Text("You reported " + thing.name + " on Heartward on " + to.Day(at) + ". A moderator has looked into it."),
			mail.Text(reporterOutcome(action)),
			mail.Text(thing.ending + " we haven't said who reported them. Thank you for helping to keep Heartward safe."),
		},
	}
}

// reportedBlocks returns a function that makes the text for the reported member of a decided report. It returns
// pgx.ErrNoRows if the account, and with it the sanction, was deleted.
func reportedBlocks(ctx context.Context, db pg.DB, office Office, report uuid.UUID, action string) (func(mail.Reader) []mail.Block, error) {
	if action == NoAction {
		ended := []mail.Block{
			mail.Text("Your profile was under review because of a report. A moderator found no reason to act. It's shown again, and you can " +
				"write messages. We're sorry for the interruption."),
		}
		return func(mail.Reader) []mail.Block { return ended }, nil
	}
	s, err := selectSanctionOfReport(ctx, db, report)
	return func(to mail.Reader) []mail.Block { return sanctionBlocks(to, s, office) }, err
}

// decidedRow has what the mails about the decision on a report need.
type decidedRow struct {
	ReporterID      *uuid.UUID
	ReportedUserID  *uuid.UUID
	CreatedAt       time.Time
	Place           string
	ReporterAddress *string
	ActionTaken     string
	Explanation     string
}

// selectDecided returns a decided report, or pgx.ErrNoRows.
func selectDecided(ctx context.Context, db pg.DB, report uuid.UUID) (decidedRow, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			reporter_id,
			reported_user_id,
			created_at,
			place,
			reporter_address,
			coalesce(action_taken, '') AS action_taken,
			explanation
		FROM reports
		WHERE id = $1
			AND status <> 'pending'`, report)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[decidedRow])
}

// SendOutcome sends the mail of the outcome of a report. It does nothing for a deleted
// member. Like SendSanction it may send the same mail twice.
func SendOutcome(ctx context.Context, db pg.DB, sender mail.Sender, office Office, args OutcomeArgs) error {
	r, err := selectDecided(ctx, db, args.ReportID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	id := "report-" + args.ReportID.String()
	if r.Place == issuePlace {
		return sendAnswer(ctx, db, sender, issueAnswer{
			reporter: orNil(r.ReporterID), address: r.ReporterAddress, at: r.CreatedAt, text: r.Explanation, id: id, contact: office.Contact,
		})
	}
	if args.ToReporter {
		return members.SendMail(ctx, db, sender, orNil(r.ReporterID), func(to mail.Reader) mail.Letter {
			return reporterLetter(to, id+"-reporter", r.Place, r.ActionTaken, r.CreatedAt)
		})
	}
	blocks, err := reportedBlocks(ctx, db, office, args.ReportID, r.ActionTaken)
	if errors.Is(err, pgx.ErrNoRows) { // the account was deleted
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return members.SendMail(ctx, db, sender, orNil(r.ReportedUserID), func(to mail.Reader) mail.Letter {
		return mail.Letter{
			Template: "moderation.reported", Kind: mail.Decisions, ID: id + "-reported", Subject: decisionSubject, Blocks: blocks(to),
		}
	})
}
