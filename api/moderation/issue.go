package moderation

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mail"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
)

// issuePlace is the place of reports that are issues.
const issuePlace = "rules"

// minIssue is the minimum number of characters of an issue.
const minIssue = 10

// The limits of issues: of a member, of a visitor's network address, and of all visitors together, so that
// moderators can work through them.
var (
	issuesPerMember  = limits.Rule{Name: "issues", Count: 10, Per: 24 * time.Hour, Message: issuesMessage}
	issuesPerClient  = limits.Rule{Name: "issues-client", Count: 5, Per: 24 * time.Hour, Message: issuesMessage}
	issuesOfVisitors = limits.Rule{Name: "issues-visitors", Count: 500, Per: 24 * time.Hour, Message: issuesMessage}
)

const issuesMessage = "You have told us a lot today. Please write again tomorrow."

// Issue is something that a member or a visitor reports without naming a member.
type Issue struct {
	Kind        string // safety, technical, account, community or other
	Description string
	Address     string // where a visitor wants the answer; empty for none

	Client     string  // the network address, for the limits
	LimitScale float64 // multiplies the limits per network address
}

// IssueReceipt is the result of ReportIssue.
type IssueReceipt struct {
	ID       uuid.UUID `json:"id"`
	Answered bool      `json:"answered" doc:"Whether the answer can be mailed: to the member's address, or to the given one"`
}

// ReportIssue stores an issue in the queue of the reports, for moderators to close with an answer, which is
// mailed. reporter is Nil for a visitor; a member's Address is ignored. It returns Invalid for a description
// that is too short or has forbidden characters and for an invalid address, and RateLimited after 10 issues a
// day of a member, or 5 of a visitor's address.
func (s *Service) ReportIssue(ctx context.Context, reporter uuid.UUID, in Issue) (IssueReceipt, error) {
	if err := in.clean(reporter); err != nil {
		return IssueReceipt{}, err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (IssueReceipt, error) {
		if err := in.allow(ctx, tx, reporter); err != nil {
			return IssueReceipt{}, err
		}
		receipt := IssueReceipt{Answered: reporter != uuid.Nil || in.Address != ""}
		var err error
		if receipt.ID, err = uuid.NewV7(); err != nil {
			return receipt, err
		}
		priority := 2
		if in.Kind == "safety" {
			priority = 1
		}
		_, err = tx.Exec(ctx, `
			INSERT INTO reports (
				id,
				reporter_id,
				reporter_address,
				reason,
				description,
				source,
				place,
				issue_kind,
				priority,
				created_at
			)
			VALUES (
				@id,
				@reporter,
				nullif(@address, ''),
				'other',
				@description,
				'issue',
				'rules',
				@kind,
				@priority,
				clock_timestamp()
			)`, pgx.NamedArgs{
			"id": receipt.ID, "reporter": orNull(reporter), "address": in.Address, "description": in.Description, "kind": in.Kind, "priority": priority,
		})
		return receipt, err
	})
}

// clean brings the issue into its stored form, or returns Invalid with the field.
func (in *Issue) clean(reporter uuid.UUID) (err error) {
	if in.Description, err = text.Lines("description", in.Description, maxDescription); err != nil {
		return err
	}
	if len([]rune(in.Description)) < minIssue {
		return fault.InvalidField("description", "Please tell us a little more.")
	}
	if reporter != uuid.Nil {
		in.Address = ""
	}
	if in.Address != "" {
		address, err := mailaddr.Parse("email", in.Address)
		if err != nil {
			return err
		}
		in.Address = address.Typed
	}
	return nil
}

// allow counts the issue, and returns RateLimited beyond a limit.
func (in *Issue) allow(ctx context.Context, tx pgx.Tx, reporter uuid.UUID) error {
	if reporter != uuid.Nil {
		return limits.Allow(ctx, tx, issuesPerMember, reporter.String())
	}
	if err := limits.Allow(ctx, tx, issuesPerClient.Scaled(in.LimitScale), in.Client); err != nil {
		return err
	}
	return limits.Allow(ctx, tx, issuesOfVisitors.Scaled(in.LimitScale), "all")
}

// issueAnswer is the mail to the reporter of an issue.
type issueAnswer struct {
	reporter uuid.UUID // Nil for a visitor
	address  *string   // a visitor's
	at       time.Time // of the issue
	text     string    // what the moderator wrote; may be empty
	id       string
	contact  string // of the moderators; may be empty
}

// sendAnswer mails the answer to the reporter, if there is an address.
func sendAnswer(ctx context.Context, db pg.DB, sender mail.Sender, a issueAnswer) error {
	if a.reporter != uuid.Nil {
		return members.SendMail(ctx, db, sender, a.reporter, func(to mail.Reader) mail.Letter { return answerLetter(to, a) })
	}
	if a.address == nil {
		return nil
	}
	letter := answerLetter(mail.Reader{Address: *a.address, Name: "there"}, a)
	return mail.Send(ctx, sender, letter)
}

func answerLetter(to mail.Reader, a issueAnswer) mail.Letter {
	blocks := []mail.Block{mail.Text("You reported an issue on Heartward on " + to.Day(a.at) + ". We have looked into it.")}
	if a.text != "" {
		blocks = append(blocks,
			mail.Personal("Here is what we can tell you:", "We wrote an answer, which your settings keep out of this email."),
			mail.Quote(a.text, "Please write to "+cmp.Or(a.contact, "us")+" again, and tell us how you would like to get it."),
		)
	}
	blocks = append(blocks, mail.Text("Thank you for helping to keep Heartward a good place."))
	return mail.Letter{
		Template: "moderation.issue", Kind: mail.Account, ID: a.id + "-reporter", To: to, Subject: "About the issue you reported", Blocks: blocks,
	}
}
