package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

const sendTime = 15 * time.Second

// newSecret is 256 random bits as text.
func newSecret() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// codeFor returns the eight digits of the code with that id. They are computed
// from the id and the server's key, so that the same code can be mailed again
// although the database holds only its MAC.
func (s *Service) codeFor(id uuid.UUID, v visitor) string {
	mac := hmac.New(sha256.New, s.config.Secret)
	mac.Write([]byte("digits of a sign-in code\x00" + id.String() + "\x00" + v.email + "\x00" + v.ID))
	return fmt.Sprintf("%08d", binary.BigEndian.Uint64(mac.Sum(nil))%100_000_000)
}

func (s *Service) codeMAC(email, code string) []byte {
	mac := hmac.New(sha256.New, s.config.Secret)
	mac.Write([]byte("sign-in code\x00" + email + "\x00" + code))
	return mac.Sum(nil)
}

// How often a code is mailed: not before resendAfter has passed since the last
// mail to the same browser, and the same code again while it is valid for at
// least renewBelow; then a new one.
const (
	resendAfter = 60 * time.Second
	renewBelow  = 5 * time.Minute
)

// AskCode mails a code that signs in or up from the browser that asked, within
// 10 minutes. A code of this browser that is still valid is mailed again; one
// that was mailed less than 60 seconds ago is on its way, and nothing is sent.
// Only the mail shows whether the address has an account. Invalid for what is no
// address; RateLimited when a budget in budgets.go is used up; Unavailable when
// the mail could not be sent.
func (s *Service) AskCode(ctx context.Context, browser Browser, email string) error {
	v, err := s.visit(ctx, browser, email)
	if err != nil {
		return err
	}
	if err := s.allowRequest(ctx, v, codesPerBrowser, codesPerNetwork); err != nil {
		return err
	}
	next, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (delivery, error) { return s.prepareCode(ctx, tx, v) })
	if err != nil || next.code == "" {
		return err
	}
	sending, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	if err := s.mail.Send(sending, codeMail(v.email, next.code, next.valid, next.account)); err != nil {
		if err := s.cancelDelivery(context.WithoutCancel(ctx), next); err != nil {
			slog.ErrorContext(ctx, "undoing a code that was not sent", "error", err)
		}
		return fault.Wrap(fault.Unavailable, "We couldn't send the mail. Please try again in a moment.", err)
	}
	return nil
}

// delivery is a code to be mailed; without a code nothing is.
type delivery struct {
	id      uuid.UUID
	code    string
	valid   time.Duration // how much longer it is
	again   bool          // it was mailed before
	account bool          // the address has one
	budgets []budget      // in which the mail was counted
}

// prepareCode decides what to mail, stores it and counts it. It locks the
// address, so that two calls at once do not both send.
func (s *Service) prepareCode(ctx context.Context, tx pgx.Tx, v visitor) (delivery, error) {
	last, account, err := lockCodes(ctx, tx, v.email, hashOf(v.ID))
	if err != nil || last.sentAgo < resendAfter {
		return delivery{}, err
	}
	d := delivery{account: account}
	if code := s.codeFor(last.id, v); last.valid >= renewBelow && hmac.Equal(last.mac, s.codeMAC(v.email, code)) {
		d.id, d.code, d.valid, d.again = last.id, code, last.valid, true
		err = markSent(ctx, tx, d.id)
	} else {
		if d.id, err = uuid.NewV7(); err != nil {
			return d, err
		}
		d.code, d.valid = s.codeFor(d.id, v), codeLife
		err = insertCode(ctx, tx, d.id, v.email, s.codeMAC(v.email, d.code), hashOf(v.ID))
	}
	if err != nil {
		return d, err
	}
	d.budgets = v.mailBudgets(d.again)
	return d, spend(ctx, tx, d.budgets)
}

// cancelDelivery makes the next call send at once: a mail that never left does
// not count.
func (s *Service) cancelDelivery(ctx context.Context, d delivery) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := unsendCode(ctx, tx, d.id, d.again); err != nil {
			return err
		}
		return refund(ctx, tx, d.budgets)
	})
}

// proof is a code that was found right and is not yet used up.
type proof struct {
	id        uuid.UUID
	email     string
	browserID string
}

// checkCode counts one try of every live code of this address and browser and
// returns the one that is right. The try is counted whatever happens next, in
// a statement of its own; fifty at once are five. wrong is the error for a code
// that is wrong, used up, too old or another browser's.
func (s *Service) checkCode(ctx context.Context, v visitor, code string, wrong error) (proof, error) {
	if err := s.slowGuessing(ctx, v); err != nil {
		return proof{}, err
	}
	live, err := tryCodes(ctx, s.pool, v.email, hashOf(v.ID))
	if err != nil {
		return proof{}, err
	}
	mac := s.codeMAC(v.email, code)
	for _, c := range live {
		if hmac.Equal(mac, c.mac) {
			return proof{c.id, v.email, v.ID}, nil
		}
	}
	if len(live) > 0 {
		s.countWrongCode(ctx)
	}
	return proof{}, wrong
}

// slowGuessing lets strangers try few codes while very many are wrong all over
// the service. A known browser is bounded by the five tries of each of its codes.
func (s *Service) slowGuessing(ctx context.Context, v visitor) error {
	flooded, err := limits.Reached(ctx, s.pool, wrongCodes, "all")
	if err != nil || !flooded || v.known {
		return err
	}
	if err := limits.Allow(ctx, s.pool, slowCodesOfAddress, v.network()); err != nil {
		return err
	}
	return limits.Allow(ctx, s.pool, s.scaled(slowCodesOfNetwork), v.Client)
}

// countWrongCode counts towards the cap above which slowGuessing acts.
func (s *Service) countWrongCode(ctx context.Context) {
	err := limits.Allow(ctx, s.pool, wrongCodes, "all")
	if fault.Is(err, fault.RateLimited) {
		slog.ErrorContext(ctx, "more than 500 wrong codes within an hour: someone may be guessing")
	} else if err != nil {
		slog.ErrorContext(ctx, "counting a wrong code", "error", err)
	}
}

// use makes the code, and all others of its address and browser, worthless.
// wrong is the error when another call was faster.
func (p proof) use(ctx context.Context, tx pgx.Tx, wrong error) error {
	used, err := useCodes(ctx, tx, p.email, hashOf(p.browserID))
	if err != nil {
		return err
	}
	for _, id := range used {
		if id == p.id {
			return nil
		}
	}
	return wrong
}
