package auth

import (
	"context"
	"crypto/rand"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Recovery codes: ten at a time, each with 50 random bits as ten letters and digits in two groups.
const (
	recoveryCodes      = 10
	recoveryCodeLength = 10
)

var (
	errWrongRecoveryCode = fault.New(fault.Forbidden, "This recovery code is wrong, or it was used already.")
	errNoFactor          = fault.New(fault.Conflict, "Please add a passkey or an authenticator app first.")
)

// NewRecoveryCodes replaces the actor's recovery codes by ten new ones, enqueues a notice and returns the codes, of
// which only keyed hashes are stored. They are for admins and moderators: members have no second factor that they
// could lose.
//
// Errors: Forbidden for a member who is neither; those of RequireProof and authorizeRemoveFactor; Conflict without a
// second factor.
func (s *Service) NewRecoveryCodes(ctx context.Context, actor web.Actor) ([]string, error) {
	if !actor.Granted {
		return nil, errAdminsOnly
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]string, error) {
		if err := s.authorizeRemoveFactor(ctx, tx, actor); err != nil {
			return nil, err
		}
		found, err := selectFactors(ctx, tx, actor)
		if err != nil {
			return nil, err
		}
		if !found.hasFactor {
			return nil, errNoFactor
		}
		if err := DeleteRecoveryCodes(ctx, tx, actor.ID); err != nil {
			return nil, err
		}
		codes := make([]string, recoveryCodes)
		for i := range codes {
			code := rand.Text()[:recoveryCodeLength]
			if err := insertRecoveryCode(ctx, tx, actor.ID, s.recoveryMAC(actor.ID, code)); err != nil {
				return nil, err
			}
			codes[i] = code[:recoveryCodeLength/2] + "-" + code[recoveryCodeLength/2:]
		}
		return codes, s.addNotice(ctx, tx, noticeRecoveryCodes, actor.ID, actor.SessionID)
	})
}

// checkRecoveryCode returns a proof of the second factor by a recovery code. Its use deletes the code, and mails the
// actor and all other admins. It shares the budget of authenticator apps.
//
// Errors: RateLimited after five codes; the use returns Forbidden for a wrong code.
func (s *Service) checkRecoveryCode(ctx context.Context, actor web.Actor, browser Browser, code string) (checkedProof, error) {
	if err := limits.Allow(ctx, s.pool, appCodesPerMember, actor.ID.String()); err != nil {
		return checkedProof{}, err
	}
	use := func(tx pgx.Tx) error {
		used, err := deleteRecoveryCode(ctx, tx, actor.ID, s.recoveryMAC(actor.ID, ungroupCode(code)))
		if err != nil {
			return err
		}
		if !used || !actor.Granted {
			return errWrongRecoveryCode
		}
		if err := s.addNotice(ctx, tx, noticeRecoveryUsed, actor.ID, actor.SessionID); err != nil {
			return err
		}
		event := AdminNoticeArgs{AdminID: actor.ID, Event: AdminRecovered, Device: deviceAt(browser.UserAgent, browser.Place)}
		if err := NotifyAdmins(ctx, tx, s.jobs, event); err != nil {
			return err
		}
		return limits.Reset(ctx, tx, appCodesPerMember, actor.ID.String())
	}
	return checkedProof{isFactor: true, use: use}, nil
}

func (s *Service) recoveryMAC(member uuid.UUID, code string) []byte {
	return s.mac("recovery code\x00" + member.String() + "\x00" + code)
}

// DeleteRecoveryCodes deletes all recovery codes of a member.
func DeleteRecoveryCodes(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM recovery_codes WHERE user_id = $1`, member)
	return err
}

func insertRecoveryCode(ctx context.Context, tx pgx.Tx, member uuid.UUID, mac []byte) error {
	_, err := tx.Exec(ctx, `INSERT INTO recovery_codes (user_id, code_mac) VALUES ($1, $2)`, member, mac)
	return err
}

// deleteRecoveryCode reports whether there was such a code. Of concurrent uses one succeeds.
func deleteRecoveryCode(ctx context.Context, tx pgx.Tx, member uuid.UUID, mac []byte) (bool, error) {
	tag, err := tx.Exec(ctx, `DELETE FROM recovery_codes WHERE user_id = $1 AND code_mac = $2`, member, mac)
	return tag.RowsAffected() > 0, err
}
