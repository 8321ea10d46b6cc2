package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/delivery"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mail"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
)

const mailTimeout = 15 * time.Second

// newSecret returns 256 random bits in base64url.
func newSecret() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never returns an error
	return base64.RawURLEncoding.EncodeToString(raw)
}

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// mac returns the HMAC-SHA-256 of a text with the server's key. A text begins with its purpose, so that the MAC of one
// purpose is that of no other.
func (s *Service) mac(text string) []byte {
	mac := hmac.New(sha256.New, s.config.Secret)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// digitsOf returns the eight digits of a mailed code that are derived from a MAC.
func digitsOf(mac []byte) string {
	return fmt.Sprintf("%08d", binary.BigEndian.Uint64(mac)%100_000_000)
}

// codeFor returns the eight digits of the code with this id. They are derived
// from the id and the server's key, so that the same code can be mailed again although
// the database contains only its MAC.
func (s *Service) codeFor(id uuid.UUID, v visitor) string {
	return digitsOf(s.mac("digits of a sign-in code\x00" + id.String() + "\x00" + v.identity + "\x00" + v.ID))
}

// addressTag returns a keyed hash of an email address for the log, in which events of the
// same address can be found without the address.
func (s *Service) addressTag(email string) string {
	return hex.EncodeToString(s.mac("address in the log\x00" + mailaddr.Of(strings.TrimSpace(email)).Identity)[:8])
}

func (s *Service) codeMAC(identity, code string) []byte {
	return s.mac("sign-in code\x00" + identity + "\x00" + code)
}

// A browser gets at most one mail per resendAfter. A code that is valid for at
// least minRemaining is mailed again; otherwise a new one is created.
const (
	resendAfter  = 60 * time.Second
	minRemaining = 5 * time.Minute
)

// SendCode mails a code for signing in or up, which is valid in this browser for 10
// minutes. If the browser has a code that is valid for 5 more minutes, that code is mailed
// again. Nothing is sent within 60 seconds of the last mail. If the mailbox has an account, the mail goes to the
// account's address. The mail reveals this; the result does not.
//
// Errors: Invalid for an invalid address and one that takes no mail; RateLimited when a budget in budgets.go
// is exhausted; Unavailable when the mail could not be sent.
func (s *Service) SendCode(ctx context.Context, browser Browser, email string) error {
	v, err := s.newVisitor(ctx, browser, email)
	if err != nil {
		return err
	}
	if err := s.allowRequest(ctx, v, codesPerBrowser, codesPerNetwork); err != nil {
		return err
	}
	next, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (codeToSend, error) { return s.prepareCode(ctx, tx, v) })
	if err != nil || next.code == "" {
		return err
	}
	mailCtx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	if err := s.mailCode(mailCtx, v.email, next); err != nil {
		if err := s.cancelSend(context.WithoutCancel(ctx), next); err != nil {
			slog.ErrorContext(ctx, "an unsent code was not deleted", "error", err)
		}
		if invalid := delivery.InvalidIfNoMailbox("email", err); invalid != nil {
			return invalid
		}
		return fault.Wrap(fault.Unavailable, "We couldn't send the email. Please try again in a moment.", err)
	}
	return nil
}

// mailCode mails a code in the manner of the account at the address, if there is one.
func (s *Service) mailCode(ctx context.Context, address string, d codeToSend) error {
	to, err := members.ReaderAt(ctx, s.pool, address)
	if err != nil {
		return err
	}
	return mail.Send(ctx, s.mail, codeLetter(to, d.code, d.valid, d.hasAccount))
}

// codeToSend is a code to be mailed. If code is empty, nothing is sent.
type codeToSend struct {
	id         uuid.UUID
	code       string
	valid      time.Duration // remaining validity
	resend     bool          // whether it was mailed before
	hasAccount bool          // whether the address has an account
	budgets    []budget      // in which the mail was counted
}

// prepareCode selects or creates the code to mail, stores that it is sent, and counts it
// in the budgets. It locks the address, so that only one of concurrent calls sends.
func (s *Service) prepareCode(ctx context.Context, tx pgx.Tx, v visitor) (codeToSend, error) {
	last, hasAccount, err := lockCodes(ctx, tx, v.identity, hashOf(v.ID))
	if err != nil || last.sentAgo < resendAfter {
		return codeToSend{}, err
	}
	d := codeToSend{hasAccount: hasAccount}
	if code := s.codeFor(last.id, v); last.valid >= minRemaining && hmac.Equal(last.mac, s.codeMAC(v.identity, code)) {
		d.id, d.code, d.valid, d.resend = last.id, code, last.valid, true
		err = markSent(ctx, tx, d.id)
	} else {
		if d.id, err = uuid.NewV7(); err != nil {
			return d, err
		}
		d.code, d.valid = s.codeFor(d.id, v), codeLifetime
		err = insertCode(ctx, tx, d.id, v.identity, s.codeMAC(v.identity, d.code), hashOf(v.ID))
	}
	if err != nil {
		return d, err
	}
	d.budgets = v.mailBudgets(d.resend)
	return d, spend(ctx, tx, d.budgets)
}

// cancelSend undoes prepareCode after the mail failed, so that the next call
// sends at once.
func (s *Service) cancelSend(ctx context.Context, d codeToSend) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := undoSend(ctx, tx, d.id, d.resend); err != nil {
			return err
		}
		return refund(ctx, tx, d.budgets)
	})
}

// checkedCode is a correct code that is not marked as used yet.
type checkedCode struct {
	id        uuid.UUID
	identity  string
	browserID string
}

// checkCode counts one try for each valid code of the address and browser, and returns the
// matching one. It returns errWrong for a code that is incorrect, used, expired,
// tried five times or of another browser. The try is committed before the comparison, so
// that concurrent guesses cannot exceed five.
func (s *Service) checkCode(ctx context.Context, v visitor, code string, errWrong error) (checkedCode, error) {
	if err := s.throttleGuessing(ctx, v); err != nil {
		return checkedCode{}, err
	}
	valid, err := tryCodes(ctx, s.pool, v.identity, hashOf(v.ID))
	if err != nil {
		return checkedCode{}, err
	}
	mac := s.codeMAC(v.identity, code)
	for _, c := range valid {
		if hmac.Equal(mac, c.CodeMAC) {
			return checkedCode{c.ID, v.identity, v.ID}, nil
		}
	}
	if len(valid) > 0 {
		s.countWrongCode(ctx)
	}
	return checkedCode{}, errWrong
}

// throttleGuessing limits the tries of unknown browsers while the number of wrong codes on
// all nodes is above its cap. Known browsers are limited only by the five tries of a code.
func (s *Service) throttleGuessing(ctx context.Context, v visitor) error {
	aboveCap, err := limits.Reached(ctx, s.pool, wrongCodes, "all")
	if err != nil || !aboveCap || v.known {
		return err
	}
	if err := limits.Allow(ctx, s.pool, throttledCodesPerAddress, v.networkKey()); err != nil {
		return err
	}
	return limits.Allow(ctx, s.pool, s.scaled(throttledCodesPerNetwork), v.Client)
}

// countWrongCode counts a wrong code for throttleGuessing.
func (s *Service) countWrongCode(ctx context.Context) {
	err := limits.Allow(ctx, s.pool, wrongCodes, "all")
	if fault.Is(err, fault.RateLimited) {
		slog.ErrorContext(ctx, "more than 500 wrong codes within an hour: someone may be guessing")
	} else if err != nil {
		slog.ErrorContext(ctx, "wrong code not counted", "error", err)
	}
}

// use marks the code, and all others of its address and browser, as used. It
// returns errWrong if a concurrent call has used it.
func (p checkedCode) use(ctx context.Context, tx pgx.Tx, errWrong error) error {
	used, err := useCodes(ctx, tx, p.identity, hashOf(p.browserID))
	if err != nil {
		return err
	}
	for _, id := range used {
		if id == p.id {
			return nil
		}
	}
	return errWrong
}
