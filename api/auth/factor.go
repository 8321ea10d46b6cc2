package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// setupCodeLifetime is the time for which a setup code is valid.
const setupCodeLifetime = 24 * time.Hour

var (
	errAdminsOnly     = fault.New(fault.Forbidden, "Your role does not allow this.")
	errFactorRequired = fault.Declare("second_factor_required", fault.Forbidden, "Please confirm with your passkey or authenticator app first.")
	errFactorSetup    = fault.Declare("second_factor_setup", fault.Forbidden, "Please set up a passkey or an authenticator app first.")
	errSetupCode      = fault.InvalidField("setupCode", "This setup code is wrong or has expired. `heartward admin reset-factor` prints another one.")
	errLastFactor     = fault.New(fault.Conflict, "This is your only second factor. Please add another passkey or authenticator app first.")
)

// Factors is the passkeys and the authenticator app of a member, and what the session has proved
// with them.
type Factors struct {
	Passkeys     []Passkey  `json:"passkeys" doc:"The oldest first"`
	HasApp       bool       `json:"hasApp" doc:"There is an authenticator app; only admins can have one"`
	CanPasskey   bool       `json:"canPasskey" doc:"Passkeys can be added at this address of the site"`
	Recovery     int        `json:"recoveryCodes" doc:"The number of unused recovery codes, which only admins and moderators have"`
	AdminSession AdminState `json:"adminSession"`
}

// AdminState is whether a session has an admin's rights, or what it lacks for them.
type AdminState string

// The states of a session.
const (
	NoAdmin       AdminState = "none"     // the member is neither admin nor moderator
	AdminReady    AdminState = "ready"    // the session has an admin's or a moderator's rights
	AdminOptional AdminState = "optional" // it has them; a second factor is not required here, and not proved
	AdminUnproved AdminState = "unproved" // it has them after a proof of the second factor
	AdminNoFactor AdminState = "setup"    // the admin must set up a second factor first, with a setup code
)

// Factors returns the actor's factors.
func (s *Service) Factors(ctx context.Context, actor web.Actor) (Factors, error) {
	keys, err := selectPasskeys(ctx, s.pool, actor.ID)
	if err != nil {
		return Factors{}, err
	}
	f := Factors{Passkeys: keys, CanPasskey: s.party != nil, AdminSession: NoAdmin}
	found, err := selectFactors(ctx, s.pool, actor)
	f.HasApp, f.Recovery = found.hasApp, found.recovery
	switch {
	case !actor.Granted:
	case found.isProved:
		f.AdminSession = AdminReady
	case !s.config.RequireFactor:
		f.AdminSession = AdminOptional
	case found.hasFactor:
		f.AdminSession = AdminUnproved
	default:
		f.AdminSession = AdminNoFactor
	}
	return f, err
}

// factorError returns the error for an admin whose session has not proved the second factor.
func (s *Service) factorError(ctx context.Context, actor web.Actor) error {
	found, err := selectFactors(ctx, s.pool, actor)
	switch {
	case err != nil:
		return err
	case found.hasFactor:
		return errFactorRequired
	}
	return errFactorSetup
}

// authorizeAddFactor checks that the actor may add a factor, and returns whether it counts as an
// admin's second factor. It requires a recent proof; of an admin also a session with an admin's
// rights, or a setup code, because someone who reads an admin's mail could otherwise add a factor
// of their own. It locks the member's row.
//
// Errors: those of RequireProof; Forbidden with the code second_factor_required or
// second_factor_setup; Invalid for a wrong setup code.
func (s *Service) authorizeAddFactor(ctx context.Context, tx pgx.Tx, actor web.Actor, setupCode string) (isFactor bool, err error) {
	if err := lockWithProof(ctx, tx, actor); err != nil {
		return false, err
	}
	switch {
	case !actor.Granted && setupCode != "":
		return false, errSetupCode // a member who expects to be an admin
	case !actor.Granted:
		return false, nil
	case actor.Moderator:
		return true, nil
	case setupCode == "":
		return false, s.factorError(ctx, actor)
	}
	valid, err := isSetupCode(ctx, tx, actor.ID, hashOf(ungroupCode(setupCode)))
	if err == nil && !valid {
		err = errSetupCode
	}
	return valid, err
}

// authorizeAddFactorOnce is authorizeAddFactor for the transaction that stores the factor. It
// deletes the member's setup code, so that the code is valid once.
func (s *Service) authorizeAddFactorOnce(ctx context.Context, tx pgx.Tx, actor web.Actor, setupCode string) (isFactor bool, err error) {
	if isFactor, err = s.authorizeAddFactor(ctx, tx, actor, setupCode); err != nil || !isFactor {
		return isFactor, err
	}
	return true, deleteSetupCode(ctx, tx, actor.ID)
}

// authorizeRemoveFactor checks that the actor may remove a factor: with a recent proof, and as an
// admin in a session with an admin's rights. It locks the member's row.
func (s *Service) authorizeRemoveFactor(ctx context.Context, tx pgx.Tx, actor web.Actor) error {
	if err := lockWithProof(ctx, tx, actor); err != nil {
		return err
	}
	if actor.Granted && !actor.Moderator {
		return s.factorError(ctx, actor)
	}
	return nil
}

// requireRemainingFactor returns errLastFactor if an admin who needs a second factor has none
// any more.
func (s *Service) requireRemainingFactor(ctx context.Context, tx pgx.Tx, actor web.Actor) error {
	if !actor.Granted || !s.config.RequireFactor {
		return nil
	}
	found, err := selectFactors(ctx, tx, actor)
	if err == nil && !found.hasFactor {
		err = errLastFactor
	}
	return err
}

// NewSetupCode stores a new setup code of a member, which replaces an earlier one, and returns
// it: 130 random bits in groups of letters and digits.
func NewSetupCode(ctx context.Context, tx pgx.Tx, member uuid.UUID) (string, error) {
	code := rand.Text()
	if err := insertSetupCode(ctx, tx, member, hashOf(code)); err != nil {
		return "", err
	}
	var groups []string
	for len(code) > 5 {
		groups, code = append(groups, code[:5]), code[5:]
	}
	return strings.Join(append(groups, code), "-"), nil
}

// ungroupCode returns a setup code or a recovery code without the hyphens and spaces between its groups.
func ungroupCode(code string) string {
	return strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(code))
}

// StaffOfAddress returns the admin or moderator who has an address, by its identity key. It returns pgx.ErrNoRows if there is
// none.
func StaffOfAddress(ctx context.Context, db pg.DB, identity string) (member uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT user_id
		FROM credentials
		WHERE identity_key = $1
			AND is_staff`, identity).Scan(&member)
	return member, err
}

// ResetFactors deletes the passkeys, the authenticator app and the recovery codes of a member and ends all their
// sessions, as RevokeAllAndEnqueue.
func ResetFactors(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, member uuid.UUID) error {
	if err := RevokeAllAndEnqueue(ctx, tx, jobs, member); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM passkeys WHERE user_id = $1`, member); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM authenticator_apps WHERE user_id = $1`, member); err != nil {
		return err
	}
	return DeleteRecoveryCodes(ctx, tx, member)
}

// foundFactors is what an admin or a moderator and a session have.
type foundFactors struct {
	hasApp    bool // a confirmed authenticator app
	hasFactor bool // that app, or a passkey that is a second factor
	isProved  bool // the actor's session has proved a second factor
	recovery  int  // unused recovery codes
}

func selectFactors(ctx context.Context, db pg.DB, actor web.Actor) (f foundFactors, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			EXISTS (SELECT FROM authenticator_apps WHERE user_id = $1 AND is_confirmed),
			EXISTS (SELECT FROM passkeys WHERE user_id = $1 AND is_factor),
			EXISTS (SELECT FROM sessions WHERE id = $2 AND factor_at IS NOT NULL),
			(SELECT count(*) FROM recovery_codes WHERE user_id = $1)`, actor.ID, actor.SessionID).
		Scan(&f.hasApp, &f.hasFactor, &f.isProved, &f.recovery)
	f.hasFactor = f.hasFactor || f.hasApp
	return f, pg.Fault(err)
}

// selectDemoAdmin returns the address of the demo's admin, or "" if there is none.
func selectDemoAdmin(ctx context.Context, db pg.DB) (email string, err error) {
	err = db.QueryRow(ctx, `SELECT coalesce(min(email), '') FROM credentials WHERE is_demo AND is_admin`).Scan(&email)
	return email, pg.Fault(err)
}

func insertSetupCode(ctx context.Context, tx pgx.Tx, member uuid.UUID, hash []byte) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO factor_setup_codes (user_id, code_hash, expires_at)
		VALUES ($1, $2, now() + $3::interval)
		ON CONFLICT (user_id) DO UPDATE SET
			code_hash = excluded.code_hash,
			expires_at = excluded.expires_at`, member, hash, setupCodeLifetime)
	return err
}

// isSetupCode reports whether the member's setup code has this hash and is valid. It locks the
// row, so that of concurrent uses of a code one succeeds.
func isSetupCode(ctx context.Context, tx pgx.Tx, member uuid.UUID, hash []byte) (bool, error) {
	var found uuid.UUID
	err := tx.QueryRow(ctx, `
		SELECT user_id
		FROM factor_setup_codes
		WHERE user_id = $1
			AND code_hash = $2
			AND expires_at > now()
		FOR UPDATE`, member, hash).Scan(&found)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func deleteSetupCode(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM factor_setup_codes WHERE user_id = $1`, member)
	return err
}
