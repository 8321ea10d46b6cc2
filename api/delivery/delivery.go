// Package delivery sends all mails and stores what became of each: whether the recipient's server accepted it, refused it,
// or reported later that it cannot be delivered. Addresses without a mailbox get no more mail, and the app shows that to their
// members. See docs/decisions/0062-mail-delivery.md.
package delivery

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/mail"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
)

// Lifetime is how long after its first attempt a waiting mail is sent again. Then it has failed.
const Lifetime = 48 * time.Hour

// recordTimeout limits the transaction that records the result of an attempt. It runs even if the caller's context ends.
const recordTimeout = 10 * time.Second

// Config are the settings of a Service.
type Config struct {
	Secret  []byte // key of the hashes of addresses and of the signatures in return paths
	Site    string // an origin, for links in mails
	Bounces string // the address for reports; if empty, mails have no return path of their own

	PerMinute int // the rate of mails to one domain, urgent ones excepted; 0 means 600
}

// Ender turns off the member's preference for a kind of mails. It is called in the transaction of a complaint.
type Ender func(ctx context.Context, db pg.DB, member uuid.UUID) error

// Service sends mails. It is a mail.Sender and safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	sender mail.Sender
	jobs   jobqueue.Inserter
	config Config

	onChange func(member uuid.UUID) // nil if not set
	enders   map[mail.Kind]Ender
}

// New returns a Service that sends by sender. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, sender mail.Sender, jobs jobqueue.Inserter, config Config) *Service {
	nilcheck.Must("delivery.New", nilcheck.Deps{"pool": pool, "sender": sender, "jobs": jobs})
	if config.PerMinute == 0 {
		config.PerMinute = 600
	}
	return &Service{pool: pool, sender: sender, jobs: jobs, config: config, enders: map[mail.Kind]Ender{}}
}

// Watch sets a function that is called after the result of Problem has changed for a member. It must be called before the
// service is used.
func (s *Service) Watch(fn func(member uuid.UUID)) { s.onChange = fn }

// EndKindBy sets the function that is called when a member complains about a mail of the kind. For a kind without one,
// the address is suppressed for the kind. It must be called before the service is used.
func (s *Service) EndKindBy(kind mail.Kind, end Ender) { s.enders[kind] = end }

// addressMAC returns the keyed hash under which an address is stored.
func (s *Service) addressMAC(address mailaddr.Address) []byte {
	mac := hmac.New(sha256.New, s.config.Secret)
	mac.Write([]byte("address of a mail\x00" + address.Identity))
	return mac.Sum(nil)
}

// errWithheld is the cause of a mail that was not sent because of a suppression.
var errWithheld = errors.New("the address takes no such mail")

// errRate is the cause of a mail that waits because its domain has reached its rate.
var errRate = errors.New("the domain gets no more mails now")

// Send sends a mail, unless a mail with its ID was sent to the recipient before.
//
// Errors: UnsentError for a mail that the server did not accept, that is withheld because of a suppression, or that waits
// because of the rate of its domain; UnknownError if the server may have accepted the mail. An optional mail is not sent
// again after an attempt with an unknown result, and then returns UnknownError too.
func (s *Service) Send(ctx context.Context, m mail.Message) error { return s.send(ctx, m, false) }

// send runs Send in three steps: a transaction that stores the attempt, the call of the mail server without one, and a
// transaction that stores the result. isCheck is set for the mail that checks a suppressed address: it is sent in spite of
// the suppression, and lifts it if it is accepted.
func (s *Service) send(ctx context.Context, m mail.Message, isCheck bool) error {
	if m.Kind == "" {
		m.Kind = mail.Account
	}
	to := mailaddr.Of(m.To)
	d, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (prepared, error) { return s.prepare(ctx, tx, m, to, isCheck) })
	if err != nil || d.isDone {
		return err
	}
	if d.refusal != nil {
		return d.refusal
	}
	m.ReturnPath = s.returnPath(d.id)
	sendErr := s.sender.Send(ctx, m)
	recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	wait, err := pg.Tx(recording, s.pool, func(tx pgx.Tx) (time.Duration, error) {
		return s.record(recording, tx, d, domainOf(to), sendErr, isCheck)
	})
	if err != nil {
		slog.ErrorContext(ctx, "the outcome of a mail could not be recorded", "delivery", d.id, "error", err)
	}
	var unsent *mail.UnsentError
	if wait > 0 && errors.As(sendErr, &unsent) {
		unsent.Wait = wait
	}
	return sendErr
}

// prepared is the result of prepare: the mail is to be sent unless isDone or refusal is set.
type prepared struct {
	delivery
	isDone  bool  // it was sent before
	refusal error // why it is not sent now, for the caller of Send
}

// prepare stores that the mail is about to be sent, or why it is not.
func (s *Service) prepare(ctx context.Context, tx pgx.Tx, m mail.Message, to mailaddr.Address, isCheck bool) (prepared, error) {
	member, err := members.OfAddress(ctx, tx, to.Identity)
	if err != nil {
		return prepared{}, err
	}
	d, err := lockDelivery(ctx, tx, delivery{member: member, mac: s.addressMAC(to), messageID: m.ID, kind: m.Kind})
	if err != nil {
		return prepared{}, err
	}
	switch d.state {
	case stateSent, stateBounced, stateComplained:
		return prepared{isDone: true}, nil
	case stateSending, stateUnknown:
		if m.Kind.IsOptional() && d.attempts > 0 {
			return prepared{refusal: &mail.UnknownError{Cause: errors.New("an earlier try had no answer")}}, setState(ctx, tx, d.id, stateUnknown)
		}
	}
	if !isCheck {
		outcome, err := withholdOrProbe(ctx, tx, d)
		if err != nil {
			return prepared{}, err
		}
		if outcome != "" {
			refusal := &mail.UnsentError{Permanent: true, Withheld: true, Outcome: outcome, Cause: errWithheld}
			return prepared{refusal: refusal}, setState(ctx, tx, d.id, stateWithheld)
		}
	}
	wait, err := s.reserveRate(ctx, tx, domainOf(to), m.Kind.IsUrgent() || isCheck)
	if err != nil {
		return prepared{}, err
	}
	if wait > 0 {
		return prepared{refusal: &mail.UnsentError{Outcome: mail.Later, Wait: wait, Cause: errRate}}, setState(ctx, tx, d.id, stateWaiting)
	}
	return prepared{delivery: d}, startAttempt(ctx, tx, d.id)
}

// record stores the result of an attempt. If the domain asked for fewer mails, it returns for how long mails to it wait.
func (s *Service) record(ctx context.Context, tx pgx.Tx, d prepared, domain string, sendErr error, isCheck bool) (wait time.Duration, err error) {
	var unsent *mail.UnsentError
	switch {
	case sendErr == nil:
		if err := setState(ctx, tx, d.id, stateSent); err != nil || !isCheck {
			return 0, err
		}
		return 0, s.lift(ctx, tx, d.delivery)
	case !errors.As(sendErr, &unsent):
		return 0, setState(ctx, tx, d.id, stateUnknown)
	}
	state := stateWaiting
	if unsent.Permanent {
		state = stateFailed
	}
	isRepeated := d.outcome == string(unsent.Outcome) // the last attempt of this mail had the same outcome
	if err := setResult(ctx, tx, d.id, state, unsent.Outcome, unsent.Answer); err != nil {
		return 0, err
	}
	if unsent.Outcome == mail.TooMany {
		return strike(ctx, tx, domain)
	}
	if isCheck && (unsent.Permanent || unsent.Outcome == mail.MailboxFull) {
		if err := endCheck(ctx, tx, d.mac); err != nil {
			return 0, err
		}
		if err := s.enqueueChange(ctx, tx, d.member); err != nil {
			return 0, err
		}
	}
	if unsent.Outcome == mail.MailboxFull && isRepeated { // a mail adds to the score once
		return 0, nil
	}
	return 0, s.suppress(ctx, tx, d.delivery, unsent.Outcome, unsent.Answer)
}

// suppress stores that the address has no mailbox, or counts that its mailbox is full, and enqueues ChangedArgs if that is a
// new problem. It does nothing for other outcomes.
func (s *Service) suppress(ctx context.Context, tx pgx.Tx, d delivery, outcome mail.Outcome, answer mail.Answer) error {
	if outcome != mail.NoMailbox && outcome != mail.MailboxFull {
		return nil
	}
	isNewProblem, err := upsertSuppression(ctx, tx, d, outcome, answer)
	if err != nil || !isNewProblem {
		return err
	}
	return s.enqueueChange(ctx, tx, d.member)
}

// lift deletes the suppressions of the address, except complaints, and enqueues ChangedArgs.
func (s *Service) lift(ctx context.Context, tx pgx.Tx, d delivery) error {
	if err := deleteSuppressions(ctx, tx, d.mac); err != nil {
		return err
	}
	return s.enqueueChange(ctx, tx, d.member)
}

func (s *Service) enqueueChange(ctx context.Context, tx pgx.Tx, member *uuid.UUID) error {
	if member == nil {
		return nil
	}
	_, err := s.jobs.InsertTx(ctx, tx, ChangedArgs{MemberID: *member}, nil)
	return err
}

// PublishChange calls the function of Watch. The job with ChangedArgs calls it.
func (s *Service) PublishChange(args ChangedArgs) {
	if s.onChange != nil {
		s.onChange(args.MemberID)
	}
}

// FailureRatio returns the share of failed mails among those that ended in the last hour, and the number of the latter.
// Failed are mails that were refused, bounced or complained about, and those with an unknown result. Withheld mails do
// not count.
func (s *Service) FailureRatio(ctx context.Context) (ratio float64, ended int, err error) {
	failed, ended, err := countEnded(ctx, s.pool)
	if err != nil || ended == 0 {
		return 0, ended, err
	}
	return float64(failed) / float64(ended), ended, nil
}

// The thresholds of alert: at least alertFrom mails ended in the last hour, and more than alertRatio of them failed. Among
// fewer mails, a few mistyped addresses would exceed the ratio.
const (
	alertFrom  = 50
	alertRatio = 0.1
)

// alert logs an error if many mails of the last hour failed.
func alert(ctx context.Context, db pg.DB) error {
	failed, ended, err := countEnded(ctx, db)
	if err == nil && ended >= alertFrom && float64(failed) > alertRatio*float64(ended) {
		slog.ErrorContext(ctx, "many mails fail: look at the answers in mail_deliveries, and run heartward doctor",
			"failed", failed, "ended", ended, "share", fmt.Sprintf("%.0f %%", 100*float64(failed)/float64(ended)))
	}
	return err
}
