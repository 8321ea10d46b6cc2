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
	errProofRequired = fault.New(fault.Forbidden, "Please confirm that it is you, with your password or a new code.").WithCode("proof_required")
	errWrongProof    = fault.New(fault.Forbidden, "This is not right. Please check it.")
)

// Proof is the password or mailed code with which a signed-in member confirms their
// identity. If both are set, the code is checked.
type Proof struct{ Password, Code string }

// Prove checks the proof and starts the 10 minutes in which RequireProof accepts the
// session. It returns a new token of the session, so that an earlier copy of the token
// does not gain from the proof.
//
// Errors: Forbidden for an incorrect proof; RateLimited when a budget in budgets.go is
// exhausted.
func (s *Service) Prove(ctx context.Context, actor web.Actor, browser Browser, proof Proof) (SignedIn, error) {
	confirm, err := s.checkProof(ctx, actor, browser, proof)
	if err != nil {
		return SignedIn{}, err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (SignedIn, error) {
		if err := confirm(tx); err != nil {
			return SignedIn{}, err
		}
		token := newSecret()
		expires, err := rotateToken(ctx, tx, actor.SessionID, hashOf(token))
		if err != nil {
			return SignedIn{}, endedIfMissing(err)
		}
		return SignedIn{Token: token, ExpiresAt: expires}, markProved(ctx, tx, actor.SessionID)
	})
}

// checkProof checks the proof and returns a function that completes the check in a
// transaction. It returns Forbidden for an incorrect proof.
func (s *Service) checkProof(ctx context.Context, actor web.Actor, browser Browser, proof Proof) (func(pgx.Tx) error, error) {
	email, err := selectEmail(ctx, s.pool, actor.ID)
	if err != nil {
		return nil, err
	}
	v, err := s.newVisitor(ctx, browser, email)
	if err != nil {
		return nil, err
	}
	if proof.Code != "" {
		checked, err := s.checkCode(ctx, v, proof.Code, errWrongProof)
		return func(tx pgx.Tx) error { return checked.use(ctx, tx, errWrongProof) }, err
	}
	_, err = s.checkPassword(ctx, v, proof.Password)
	if fault.Is(err, fault.Unauthenticated) {
		err = errWrongProof
	}
	return func(pgx.Tx) error { return nil }, err
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
	if !recent {
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

// lockProof locks the actor's session against deletion, and returns whether its last proof
// is at most 10 minutes old.
func lockProof(ctx context.Context, tx pgx.Tx, actor web.Actor) (recent bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT proved_at > now() - interval '10 minutes'
		FROM sessions
		WHERE id = $1
			AND user_id = $2
		FOR KEY SHARE`, actor.SessionID, actor.ID).Scan(&recent)
	return recent, err
}

// markProved records the time of a proof.
func markProved(ctx context.Context, tx pgx.Tx, session uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE sessions SET proved_at = now() WHERE id = $1`, session)
	return err
}
