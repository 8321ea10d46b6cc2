package auth

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

var (
	errWrongCode = fault.InvalidField("code", "This code is wrong or has expired. Please check it or ask for a new one.")
	errElsewhere = fault.New(fault.Forbidden, "To sign out, please use the button in Heartward.")
	errSuspended = fault.New(fault.Forbidden, "Your account is suspended. Please write to us if you think this is a mistake.")
)

// SignUp makes an account for a proven address and signs it in. The code is
// used up in the transaction that makes the account. Invalid names the field,
// a wrong code among them; Conflict when the address has an account, told only
// to who proved to own it; RateLimited after 30 tries an hour from one client.
func (s *Service) SignUp(ctx context.Context, browser Browser, member members.NewMember, code string, honor bool) (SignedIn, error) {
	if !honor {
		return SignedIn{}, fault.InvalidField("honorCode", "You must accept the Honor Code")
	}
	email, err := cleanEmail(member.Email)
	if err != nil {
		return SignedIn{}, err
	}
	member.Email = email
	draft, err := s.members.Check(ctx, member)
	if err != nil {
		return SignedIn{}, err
	}
	if err := s.allowClient(ctx, signInsPerClient, browser.Client); err != nil {
		return SignedIn{}, err
	}
	proven, err := s.checkCode(ctx, browser, email, code, errWrongCode)
	if err != nil {
		return SignedIn{}, err
	}
	var id uuid.UUID
	return s.signedIn(ctx, browser, func(tx pgx.Tx) (account, error) {
		if err := proven.use(ctx, tx, errWrongCode); err != nil {
			return account{}, err
		}
		id, err = members.Create(ctx, tx, draft)
		return account{id: id, status: "active"}, err
	})
}

// SignInByCode signs in with a mailed code. Unauthenticated for all that does
// not prove an account, an unknown address included; Forbidden for a suspended
// member who gave the right code; RateLimited after 30 tries an hour from one
// client; Invalid for what is no address. A code that signs nobody in is not
// used up.
func (s *Service) SignInByCode(ctx context.Context, browser Browser, email, code string) (SignedIn, error) {
	email, err := s.startSignIn(ctx, browser, email)
	if err != nil {
		return SignedIn{}, err
	}
	proven, err := s.checkCode(ctx, browser, email, code, errCredentials)
	if err != nil {
		return SignedIn{}, err
	}
	return s.signedIn(ctx, browser, func(tx pgx.Tx) (account, error) {
		found, err := selectAccount(ctx, tx, email)
		if errors.Is(err, pgx.ErrNoRows) {
			return found, errCredentials
		}
		if err == nil {
			err = proven.use(ctx, tx, errCredentials)
		}
		return found, err
	})
}

// SignInByPassword signs in with a password, with the errors of SignInByCode.
// An unknown address and one without a password cost the same time as a wrong
// password. One address can be tried 20 times an hour until it is right.
func (s *Service) SignInByPassword(ctx context.Context, browser Browser, email, password string) (SignedIn, error) {
	email, err := s.startSignIn(ctx, browser, email)
	if err != nil {
		return SignedIn{}, err
	}
	found, err := s.provePassword(ctx, email, password)
	if err != nil {
		return SignedIn{}, err
	}
	return s.signedIn(ctx, browser, func(tx pgx.Tx) (account, error) { return found, nil })
}

func (s *Service) startSignIn(ctx context.Context, browser Browser, email string) (string, error) {
	if err := s.allowClient(ctx, signInsPerClient, browser.Client); err != nil {
		return "", err
	}
	return cleanEmail(email)
}

// provePassword returns the account whose password it is, or errCredentials.
func (s *Service) provePassword(ctx context.Context, email, password string) (account, error) {
	if err := limits.Allow(ctx, s.pool, passwordsPerAddress, email); err != nil {
		return account{}, err
	}
	found, err := selectAccount(ctx, s.pool, email)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return account{}, pg.Fault(err)
	}
	right, weak, err := verifyPassword(ctx, password, found.hash)
	if err != nil {
		return account{}, err
	}
	if !right {
		return account{}, errCredentials
	}
	if weak {
		hash, err := hashPassword(ctx, password)
		if err != nil {
			return account{}, err
		}
		if err := updateHash(ctx, s.pool, found.id, hash); err != nil {
			return account{}, err
		}
	}
	return found, limits.Forget(ctx, s.pool, passwordsPerAddress, email)
}

// signedIn makes the session of the account that prove returns, in one
// transaction with it.
func (s *Service) signedIn(ctx context.Context, browser Browser, prove func(tx pgx.Tx) (account, error)) (SignedIn, error) {
	var in SignedIn
	var member uuid.UUID
	var ended []uuid.UUID
	err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) error {
		found, err := prove(tx)
		if err != nil {
			return err
		}
		if found.status == "suspended" {
			return errSuspended
		}
		member = found.id
		in, ended, err = s.begin(ctx, tx, browser, found.id, found.admin)
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	s.announce(ended...)
	in.Me, err = s.members.Me(ctx, member)
	return in, err
}

// Proof is what a member gives to show that it is really them.
type Proof struct{ Password, Code string }

// SetPassword gives the actor a password, for signing in beside the codes. The
// session must have been proven within 10 minutes, or proof must be right; then
// the session gets a new token, which is returned. Changing a password ends all
// other sessions. Invalid for a weak password, Forbidden without proof.
func (s *Service) SetPassword(ctx context.Context, actor web.Actor, browser Browser, password string, proof Proof) (SignedIn, error) {
	if err := checkNewPassword(password); err != nil {
		return SignedIn{}, err
	}
	prove, err := s.stepUp(ctx, actor, browser, proof)
	if err != nil {
		return SignedIn{}, err
	}
	hash, err := hashPassword(ctx, password)
	if err != nil {
		return SignedIn{}, err
	}
	in := SignedIn{Token: newSecret()}
	var ended []uuid.UUID
	err = pg.Tx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := prove(tx); err != nil {
			return err
		}
		if in.ExpiresAt, err = rotate(ctx, tx, actor.SessionID, hashOf(in.Token)); err != nil {
			return err
		}
		ended, err = setHash(ctx, tx, actor, hash)
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	s.announce(ended...)
	in.Me, err = s.members.Me(ctx, actor.ID)
	return in, err
}

// stepUp checks the proof and returns what is left to do in the transaction.
func (s *Service) stepUp(ctx context.Context, actor web.Actor, browser Browser, proof Proof) (func(pgx.Tx) error, error) {
	email, recent, err := selectProved(ctx, s.pool, actor)
	if err != nil {
		return nil, err
	}
	wrong := fault.New(fault.Forbidden, "Please confirm that it is you, with your password or a new code.")
	switch {
	case proof.Code != "":
		proven, err := s.checkCode(ctx, browser, email, proof.Code, wrong)
		return func(tx pgx.Tx) error {
			return errors.Join(proven.use(ctx, tx, wrong), noteProof(ctx, tx, actor.SessionID))
		}, err
	case proof.Password != "":
		_, err := s.provePassword(ctx, email, proof.Password)
		if fault.Is(err, fault.Unauthenticated) {
			err = wrong
		}
		return func(tx pgx.Tx) error { return noteProof(ctx, tx, actor.SessionID) }, err
	case recent:
		return func(pgx.Tx) error { return nil }, nil
	}
	return nil, wrong
}
