package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"math/big"
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

func newCode() string {
	n, err := rand.Int(rand.Reader, big.NewInt(100_000_000))
	if err != nil {
		panic(err) // the system's randomness never fails
	}
	return fmt.Sprintf("%08d", n)
}

func (s *Service) codeMAC(email, code string) []byte {
	mac := hmac.New(sha256.New, s.config.Secret)
	mac.Write([]byte("sign-in code\x00" + email + "\x00" + code))
	return mac.Sum(nil)
}

// AskCode mails a code that signs in or up, from the browser that asked for 10
// minutes. Codes sent before stay valid for their own 10 minutes: mails may
// arrive out of order. Whether the address has an account shows in the mail
// alone. Within 60 seconds of the last code, and after 10 in a day, nothing is
// sent and nothing said. Invalid for what is no address; RateLimited after 20
// an hour from one client; Unavailable when the mail could not be sent.
func (s *Service) AskCode(ctx context.Context, browser Browser, email string) error {
	email, err := cleanEmail(email)
	if err != nil {
		return err
	}
	if err := s.allowClient(ctx, codesPerClient, browser.Client); err != nil {
		return err
	}
	code := newCode()
	id, known, err := s.storeCode(ctx, email, code, browser.ID)
	if err != nil || id == uuid.Nil {
		return err
	}
	sending, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	if err := s.mail.Send(sending, codeMail(email, code, known)); err != nil {
		// A code that never arrived must not count against the next one.
		if err := deleteCode(context.WithoutCancel(ctx), s.pool, id); err != nil {
			slog.ErrorContext(ctx, "deleting a code that was not sent", "error", err)
		}
		return fault.Wrap(fault.Unavailable, "We couldn't send the mail. Please try again in a moment.", err)
	}
	return nil
}

// storeCode returns a zero id when the address has had its share of codes, and
// whether it has an account.
func (s *Service) storeCode(ctx context.Context, email, code, browserID string) (id uuid.UUID, known bool, err error) {
	err = pg.Tx(ctx, s.pool, func(tx pgx.Tx) error {
		var due bool
		if due, known, err = codeDue(ctx, tx, email); err != nil || !due {
			return err
		}
		if id, err = uuid.NewV7(); err != nil {
			return err
		}
		return insertCode(ctx, tx, id, email, s.codeMAC(email, code), hashOf(browserID))
	})
	return id, known, err
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
func (s *Service) checkCode(ctx context.Context, browser Browser, email, code string, wrong error) (proof, error) {
	flooded, err := limits.Reached(ctx, s.pool, wrongCodes, "all")
	if err != nil {
		return proof{}, err
	}
	if flooded {
		if err := s.allowClient(ctx, slowLane, browser.Client); err != nil {
			return proof{}, err
		}
	}
	live, err := tryCodes(ctx, s.pool, email, hashOf(browser.ID))
	if err != nil {
		return proof{}, err
	}
	mac := s.codeMAC(email, code)
	for _, c := range live {
		if hmac.Equal(mac, c.mac) {
			return proof{c.id, email, browser.ID}, nil
		}
	}
	if len(live) > 0 {
		s.countWrongCode(ctx)
	}
	return proof{}, wrong
}

// countWrongCode looks for someone who guesses with many addresses. Above the
// cap every client gets few tries only, so that guessing becomes slow while
// those who type their code right hardly notice.
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
