package delivery

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mail"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// MailProblem is why the address of a member takes no mail.
type MailProblem struct {
	Reason     string    `json:"reason" enum:"no_mailbox,mailbox_full" doc:"no_mailbox: no mail is sent but to check the address; mailbox_full: none that the member can do without"`
	Answer     string    `json:"answer" doc:"The words of the member's mail server; empty if there are none"`
	Since      time.Time `json:"since"`
	IsChecking bool      `json:"isChecking" doc:"A mail that checks the address is on its way"`
}

// checksPerMember limits the mails that check an address.
var checksPerMember = limits.Rule{Name: "mail-checks", Count: 3, Per: 24 * time.Hour,
	Message: "We have checked your address three times today. Please try again tomorrow, or change the address."}

// Problem returns why the member's address takes no mail, or nil.
func (s *Service) Problem(ctx context.Context, member uuid.UUID) (*MailProblem, error) {
	address, err := members.AddressOf(ctx, s.pool, member)
	if err != nil {
		return nil, pg.Fault(err)
	}
	p, err := selectProblem(ctx, s.pool, s.addressMAC(mailaddr.Of(address)))
	if p != nil {
		p.Since = web.Time(p.Since)
	}
	return p, pg.Fault(err)
}

// HasProblem reports whether the member's address takes no mail.
func (s *Service) HasProblem(ctx context.Context, member uuid.UUID) (bool, error) {
	p, err := s.Problem(ctx, member)
	return p != nil, err
}

// Check enqueues a mail that checks the member's address, and returns the problem. Once the mail server accepts that
// mail, the address gets all mails again. Without a problem, and during a check, Check does nothing.
//
// Errors: RateLimited after three checks in a day.
func (s *Service) Check(ctx context.Context, member uuid.UUID) (*MailProblem, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		address, err := members.AddressOf(ctx, tx, member)
		if err != nil {
			return err
		}
		started, err := startCheck(ctx, tx, s.addressMAC(mailaddr.Of(address)))
		if err != nil || !started {
			return err
		}
		if err := limits.Allow(ctx, tx, checksPerMember, member.String()); err != nil {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, CheckArgs{MemberID: member, CheckID: id}, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.Problem(ctx, member)
}

// SendCheck mails the member to check the address. It does nothing for a deleted member.
func (s *Service) SendCheck(ctx context.Context, args CheckArgs) error {
	to, err := members.ReaderOf(ctx, s.pool, args.MemberID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	message, err := mail.Build(mail.Letter{
		Template: "delivery.check", Kind: mail.Account, ID: "address-check-" + args.CheckID.String(), To: to,
		Subject: "Your address works",
		Blocks:  []mail.Block{mail.Text("You asked us to check your address. This email reached you, so everything works again: codes, notices and your weekly digest come here.")},
	})
	if err != nil {
		return err
	}
	return s.send(ctx, message, true)
}

// InvalidIfNoMailbox returns Invalid with the field if err says that an address has no mailbox, and nil otherwise.
func InvalidIfNoMailbox(field string, err error) error {
	var unsent *mail.UnsentError
	if errors.As(err, &unsent) && unsent.Outcome == mail.NoMailbox {
		return fault.InvalidField(field, "This address doesn't take mail. Is it spelled correctly?")
	}
	return nil
}
