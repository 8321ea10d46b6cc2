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
// to who proved to own it; RateLimited as the budgets in budgets.go say.
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
	v, err := s.startSignIn(ctx, browser, email)
	if err != nil {
		return SignedIn{}, err
	}
	proven, err := s.checkCode(ctx, v, code, errWrongCode)
	if err != nil {
		return SignedIn{}, err
	}
	return s.signedIn(ctx, browser, func(tx pgx.Tx) (account, error) {
		if err := proven.use(ctx, tx, errWrongCode); err != nil {
			return account{}, err
		}
		id, err := members.Create(ctx, tx, draft)
		return account{id: id, status: "active"}, err
	})
}

// SignInByCode signs in with a mailed code. Unauthenticated for all that does
// not prove an account, an unknown address included; Forbidden for a suspended
// member who gave the right code; RateLimited as the budgets in budgets.go say;
// Invalid for what is no address. A code that does not sign in is not used up.
func (s *Service) SignInByCode(ctx context.Context, browser Browser, email, code string) (SignedIn, error) {
	v, err := s.startSignIn(ctx, browser, email)
	if err != nil {
		return SignedIn{}, err
	}
	proven, err := s.checkCode(ctx, v, code, errCredentials)
	if err != nil {
		return SignedIn{}, err
	}
	return s.signedIn(ctx, browser, func(tx pgx.Tx) (account, error) {
		found, err := selectAccount(ctx, tx, v.email)
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
// An unknown address and one without a password cost the same work as a wrong
// password.
func (s *Service) SignInByPassword(ctx context.Context, browser Browser, email, password string) (SignedIn, error) {
	v, err := s.startSignIn(ctx, browser, email)
	if err != nil {
		return SignedIn{}, err
	}
	found, err := s.provePassword(ctx, v, password)
	if err != nil {
		return SignedIn{}, err
	}
	return s.signedIn(ctx, browser, func(tx pgx.Tx) (account, error) { return found, nil })
}

// startSignIn counts one try of any kind.
func (s *Service) startSignIn(ctx context.Context, browser Browser, email string) (visitor, error) {
	v, err := s.visit(ctx, browser, email)
	if err != nil {
		return v, err
	}
	return v, s.allowRequest(ctx, v, signInsPerBrowser, signInsPerNetwork)
}

// provePassword returns the account whose password it is, or errCredentials.
func (s *Service) provePassword(ctx context.Context, v visitor, password string) (account, error) {
	budgets := v.passwordBudgets()
	if err := spend(ctx, s.pool, budgets); err != nil {
		return account{}, err
	}
	found, err := selectAccount(ctx, s.pool, v.email)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return account{}, pg.Fault(err)
	}
	right, weak, err := s.verifyPassword(ctx, password, found.hash)
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
	// The narrowest budget is full again; the wider one is others' as well.
	if err := limits.Forget(ctx, s.pool, budgets[0].rule, budgets[0].key); err != nil {
		return account{}, err
	}
	return found, refund(ctx, s.pool, budgets[1:])
}

// begun is a session that was made in a transaction, and what is left to do
// after its commit.
type begun struct {
	SignedIn
	member uuid.UUID
	ended  []uuid.UUID // sessions to be announced as ended
}

// signedIn makes the session of the account that prove returns, in one
// transaction with it, and remembers the browser as one of the member's.
func (s *Service) signedIn(ctx context.Context, browser Browser, prove func(tx pgx.Tx) (account, error)) (SignedIn, error) {
	made, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (b begun, err error) {
		found, err := prove(tx)
		if err != nil {
			return b, err
		}
		if found.status == "suspended" {
			return b, errSuspended
		}
		b.member = found.id
		if b.SignedIn, b.ended, err = s.begin(ctx, tx, browser, found.id, found.admin); err != nil {
			return b, err
		}
		return b, rememberBrowser(ctx, tx, found.id, browser.ID)
	})
	if err != nil {
		return SignedIn{}, err
	}
	return s.announced(ctx, made)
}

// announced tells all nodes which sessions ended, and reads the member.
func (s *Service) announced(ctx context.Context, made begun) (in SignedIn, err error) {
	s.announce(made.ended...)
	in = made.SignedIn
	in.Me, err = s.members.Me(ctx, made.member)
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
	made, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (begun, error) {
		b := begun{SignedIn: SignedIn{Token: newSecret()}, member: actor.ID}
		err := prove(tx)
		if err != nil {
			return b, err
		}
		if b.ExpiresAt, err = rotate(ctx, tx, actor.SessionID, hashOf(b.Token)); err != nil {
			return b, err
		}
		b.ended, err = setHash(ctx, tx, actor, hash)
		return b, err
	})
	if err != nil {
		return SignedIn{}, err
	}
	return s.announced(ctx, made)
}

// stepUp checks the proof and returns what is left to do in the transaction.
func (s *Service) stepUp(ctx context.Context, actor web.Actor, browser Browser, proof Proof) (func(pgx.Tx) error, error) {
	email, recent, err := selectProved(ctx, s.pool, actor)
	if err != nil {
		return nil, err
	}
	v, err := s.visit(ctx, browser, email)
	if err != nil {
		return nil, err
	}
	wrong := fault.New(fault.Forbidden, "Please confirm that it is you, with your password or a new code.")
	switch {
	case proof.Code != "":
		proven, err := s.checkCode(ctx, v, proof.Code, wrong)
		return func(tx pgx.Tx) error {
			return errors.Join(proven.use(ctx, tx, wrong), noteProof(ctx, tx, actor.SessionID))
		}, err
	case proof.Password != "":
		_, err := s.provePassword(ctx, v, proof.Password)
		if fault.Is(err, fault.Unauthenticated) {
			err = wrong
		}
		return func(tx pgx.Tx) error { return noteProof(ctx, tx, actor.SessionID) }, err
	case recent:
		return func(pgx.Tx) error { return nil }, nil
	}
	return nil, wrong
}
