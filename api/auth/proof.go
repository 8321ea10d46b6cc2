package auth

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

var (
	errProofRequired = fault.Declare("proof_required", fault.Forbidden, "Please confirm that it is you.")
	errWrongProof    = fault.New(fault.Forbidden, "This is not right. Please check it.")
)

// Proof is what a signed-in member confirms their identity with: a passkey, the code of an
// authenticator app, a recovery code, a mailed code or the password. Prove checks the first of these that is set.
type Proof struct {
	Passkey        *PasskeyResponse
	AppCode        string
	RecoveryCode   string
	Code, Password string
}

// checkedProof is a correct proof.
type checkedProof struct {
	isFactor bool                  // it is an admin's second factor
	use      func(tx pgx.Tx) error // marks the proof as used; returns an error if it was used since the check
}

// Prove checks the proof and starts the 10 minutes in which RequireProof accepts the
// session. It returns a new token of the session, so that an earlier copy of the token
// does not gain from the proof.
//
// Errors: Forbidden for an incorrect proof; RateLimited when a budget in budgets.go is
// exhausted.
func (s *Service) Prove(ctx context.Context, actor web.Actor, browser Browser, proof Proof) (SignedIn, error) {
	checked, err := s.checkProof(ctx, actor, browser, proof)
	if err != nil {
		return SignedIn{}, err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (SignedIn, error) {
		if err := checked.use(tx); err != nil {
			return SignedIn{}, err
		}
		token := newSecret()
		expires, err := rotateToken(ctx, tx, actor.SessionID, hashOf(token))
		if err != nil {
			return SignedIn{}, endedIfMissing(err)
		}
		return SignedIn{Token: token, ExpiresAt: expires}, markProved(ctx, tx, actor.SessionID, checked.isFactor)
	})
}

// checkProof returns Forbidden for an incorrect proof.
func (s *Service) checkProof(ctx context.Context, actor web.Actor, browser Browser, proof Proof) (checkedProof, error) {
	switch {
	case proof.Passkey != nil:
		return s.checkPasskeyProof(ctx, actor, browser, *proof.Passkey)
	case proof.AppCode != "":
		return s.checkAppCode(ctx, actor.ID, proof.AppCode, confirmedApp)
	case proof.RecoveryCode != "":
		return s.checkRecoveryCode(ctx, actor, browser, proof.RecoveryCode)
	}
	email, err := selectEmail(ctx, s.pool, actor.ID)
	if err != nil {
		return checkedProof{}, err
	}
	v, err := s.newVisitor(ctx, browser, email)
	if err != nil {
		return checkedProof{}, err
	}
	if proof.Code != "" {
		checked, err := s.checkCode(ctx, v, proof.Code, errWrongProof)
		return checkedProof{use: func(tx pgx.Tx) error { return checked.use(ctx, tx, errWrongProof) }}, err
	}
	_, err = s.checkPassword(ctx, v, proof.Password)
	if fault.Is(err, fault.Unauthenticated) {
		err = errWrongProof
	}
	return checkedProof{use: func(pgx.Tx) error { return nil }}, err
}

// RequireProof returns Forbidden with the code proof_required unless a sign-in or a proof
// in the actor's session is at most 10 minutes old, and Unauthenticated if the session has
// ended. It locks the session until tx ends, so that a session that is ended at the same
// time cannot make the change.
func RequireProof(ctx context.Context, tx pgx.Tx, actor web.Actor) error {
	recent, err := lockProof(ctx, tx, actor)
	if err != nil {
		return endedIfMissing(err)
	}
	if !recent || actor.Replaced {
		return errProofRequired
	}
	return nil
}

// endedIfMissing returns Unauthenticated for a session without a row.
func endedIfMissing(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return errSignedOut
	}
	return err
}

func selectEmail(ctx context.Context, db pg.DB, member uuid.UUID) (email string, err error) {
	err = db.QueryRow(ctx, `SELECT email FROM credentials WHERE user_id = $1`, member).Scan(&email)
	return email, pg.Fault(err)
}

// recentProof is an SQL condition on session s: its last proof is at most 10 minutes old.
const recentProof = `s.proved_at > now() - interval '10 minutes'`

// lockProof locks the actor's session against deletion, and returns whether its last proof
// is at most 10 minutes old.
func lockProof(ctx context.Context, tx pgx.Tx, actor web.Actor) (recent bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT `+recentProof+`
		FROM sessions s
		WHERE id = $1
			AND user_id = $2
		FOR KEY SHARE`, actor.SessionID, actor.ID).Scan(&recent)
	return recent, err
}

// markProved records the time of a proof, which may be by an admin's second factor. factor_at is
// the first one's, because the session's earlier token has the factor only if it had it already.
func markProved(ctx context.Context, tx pgx.Tx, session uuid.UUID, isFactor bool) error {
	_, err := tx.Exec(ctx, `
		UPDATE sessions
		SET
			proved_at = now(),
			factor_at = CASE WHEN $2 THEN coalesce(factor_at, now()) ELSE factor_at END
		WHERE id = $1`, session, isFactor)
	return err
}
