package auth

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
)

// ageWait is the time in which the browser and the address of a sign-up with an age under 18 cannot
// sign up with another age. It starts again with each such sign-up.
const ageWait = 24 * time.Hour

type retry struct {
	After int `json:"retryAfter"` // seconds
}

var errAgeWait = fault.DeclareWith[retry]("age_wait", fault.Forbidden,
	"Heartward is for people of 18 and over, so we can't open an account for you now. "+
		"If you mistyped your age, please come back in a day.")

func ageRefusal(wait time.Duration) *fault.Error {
	return errAgeWait.With(retry{int(wait.Seconds())}).After(wait)
}

// refuseAge stores that a sign-up was refused for the age, and returns its error: that of ageRefusal for
// the field of invalid. With a wrong code it refuses only the browser, because otherwise anyone could keep
// the owner of an address out.
func (s *Service) refuseAge(ctx context.Context, v visitor, code string, invalid *fault.Error) error {
	_, err := s.checkCode(ctx, v, code, errWrongCode)
	ownsAddress := err == nil
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if v.ID != "" {
			if err := insertAgeRefusal(ctx, tx, s.browserMAC(v.Browser)); err != nil {
				return err
			}
		}
		if !ownsAddress {
			return nil
		}
		return insertAgeRefusal(ctx, tx, s.mailboxMAC(v.typed))
	})
	if err != nil {
		return err
	}
	return ageRefusal(ageWait).ForField(invalid.Field)
}

// checkAgeRefusal returns Forbidden with the time to wait if the subject was refused for the age.
func (s *Service) checkAgeRefusal(ctx context.Context, db pg.DB, subject []byte) error {
	var left time.Duration
	err := db.QueryRow(ctx, `
		SELECT coalesce(max(expires_at) - statement_timestamp(), interval '0')
		FROM age_refusals
		WHERE subject_mac = $1
			AND expires_at > statement_timestamp()`, subject).Scan(&left)
	if err != nil || left <= 0 {
		return pg.Fault(err)
	}
	return ageRefusal(left)
}

// checkAddressRefusal is checkAgeRefusal for the mailbox of an address, which the visitor has proved.
func (s *Service) checkAddressRefusal(ctx context.Context, tx pgx.Tx, address mailaddr.Address) error {
	return s.checkAgeRefusal(ctx, tx, s.mailboxMAC(address))
}

// RefusesInvitation reports whether the mailbox of an address must not be invited: a
// sign-up with it was refused for the age in the last 24 hours. Who invites does not matter.
func (s *Service) RefusesInvitation(ctx context.Context, tx pgx.Tx, _ uuid.UUID, email string) (bool, error) {
	err := s.checkAddressRefusal(ctx, tx, mailaddr.Of(email))
	if fault.Is(err, fault.Forbidden) {
		return true, nil
	}
	return false, err
}

func (s *Service) browserMAC(browser Browser) []byte { return s.refusalMAC("browser", browser.ID) }

func (s *Service) mailboxMAC(address mailaddr.Address) []byte {
	return s.refusalMAC("mailbox", address.Abuse)
}

func (s *Service) refusalMAC(kind, subject string) []byte {
	return s.mac("age refusal\x00" + kind + "\x00" + subject)
}

func insertAgeRefusal(ctx context.Context, tx pgx.Tx, subject []byte) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO age_refusals (subject_mac, expires_at)
		VALUES ($1, now() + $2::interval)
		ON CONFLICT (subject_mac) DO UPDATE SET expires_at = excluded.expires_at`, subject, ageWait)
	return err
}
