package auth

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

var (
	errWrongCode        = fault.InvalidField("code", "This code is wrong or has expired. Please check it or ask for a new one.")
	errCrossSiteSignOut = fault.New(fault.Forbidden, "To sign out, please use the button in Heartward.")

	// ErrDeletionDue is the error of a member who can keep the account no more.
	ErrDeletionDue = fault.New(fault.Forbidden, "The time to keep this account is over. It is being deleted.")
)

// SignUp creates an account for an address that a mailed code verifies, and signs
// it in. The same transaction marks the code as used.
//
// An age under 18 refuses the browser for a day, also with another age, and with a correct code also
// the address.
//
// Errors: Invalid with the name of the field, also for a wrong code, and with the code age_wait for an
// age under 18; Forbidden with the code age_wait within a day of that; after a correct code the errors of
// the AddressWatcher, and members.ErrHasAccount when the mailbox of the address has an account;
// RateLimited when a budget in budgets.go is exhausted.
func (s *Service) SignUp(ctx context.Context, browser Browser, member members.NewMember, code string, honor bool) (SignedIn, error) {
	if !honor {
		return SignedIn{}, fault.InvalidField("honorCode", "You must accept the Honor Code")
	}
	address, err := mailaddr.Parse("email", member.Email)
	if err != nil {
		return SignedIn{}, err
	}
	draft, invalid := s.members.Check(ctx, member)
	if invalid != nil && fault.From(invalid).Code != members.UnderAge {
		return SignedIn{}, invalid
	}
	v, err := s.startSignIn(ctx, browser, address.Typed)
	if err != nil {
		return SignedIn{}, err
	}
	if invalid != nil {
		return SignedIn{}, s.refuseAge(ctx, v, code, fault.From(invalid))
	}
	if err := s.checkAgeRefusal(ctx, s.pool, s.browserMAC(browser)); err != nil {
		return SignedIn{}, err
	}
	checked, err := s.checkCode(ctx, v, code, errWrongCode)
	if err != nil {
		return SignedIn{}, err
	}
	return s.startSession(ctx, browser, func(tx pgx.Tx) (checkedSignIn, error) {
		if err := checked.use(ctx, tx, errWrongCode); err != nil {
			return checkedSignIn{}, err
		}
		if err := s.checkAddressRefusal(ctx, tx, address); err != nil {
			return checkedSignIn{}, err
		}
		if v.identity != address.Identity { // the code was mailed to the account's address, not to this one
			return checkedSignIn{}, members.ErrHasAccount
		}
		id, err := s.createAccount(ctx, tx, draft, member, address)
		return checkedSignIn{account: account{UserID: id}, isNew: true, ref: member.Ref}, err
	})
}

// createAccount stores a new member with a proved address, and enqueues the reminder of the first run. It returns Conflict
// if another account has the address or its mailbox can undo another member's change, and the errors of the AddressWatcher.
func (s *Service) createAccount(ctx context.Context, tx pgx.Tx, draft members.Draft, member members.NewMember, address mailaddr.Address) (uuid.UUID, error) {
	id, err := members.Create(ctx, tx, draft)
	if err != nil {
		return id, err
	}
	if err := checkReserved(ctx, tx, id, address.Typed); err != nil {
		return id, err
	}
	if err := s.remindOfStart(ctx, tx, id, member); err != nil {
		return id, err
	}
	_, err = s.notifyAddress(ctx, tx, id, address.Typed) // a new member has nothing that could end
	return id, err
}

// remindOfStart enqueues the reminder of a new member whose client asks the questions of the guided first run.
func (s *Service) remindOfStart(ctx context.Context, tx pgx.Tx, id uuid.UUID, member members.NewMember) error {
	if !member.IsGuided {
		return nil
	}
	_, err := s.jobs.InsertTx(ctx, tx, members.StartReminderArgs{MemberID: id},
		&river.InsertOpts{ScheduledAt: time.Now().Add(members.StartReminderAfter)})
	return err
}

// SignInByCode signs in with a mailed code, and with any address of the account's mailbox. The code is marked as used only
// if the sign-in succeeds.
//
// Errors: Unauthenticated for a wrong code and for an address without an account;
// Forbidden, after a correct code, when the deletion of the account is due; RateLimited when a budget in budgets.go is exhausted; Invalid for an invalid address.
func (s *Service) SignInByCode(ctx context.Context, browser Browser, email, code string) (SignedIn, error) {
	v, err := s.startSignIn(ctx, browser, email)
	if err != nil {
		return SignedIn{}, err
	}
	checked, err := s.checkCode(ctx, v, code, errCredentials)
	if err != nil {
		return SignedIn{}, err
	}
	return s.startSession(ctx, browser, func(tx pgx.Tx) (checkedSignIn, error) {
		found, err := selectAccount(ctx, tx, v.identity)
		if errors.Is(err, pgx.ErrNoRows) {
			return checkedSignIn{}, errCredentials
		}
		if err == nil {
			err = checked.use(ctx, tx, errCredentials)
		}
		return checkedSignIn{account: found}, err
	})
}

// SignInByPassword signs in with a password, with the errors of SignInByCode. It
// does the same work for a wrong password, an unknown address and an account
// without a password.
func (s *Service) SignInByPassword(ctx context.Context, browser Browser, email, password string) (SignedIn, error) {
	v, err := s.startSignIn(ctx, browser, email)
	if err != nil {
		return SignedIn{}, err
	}
	found, err := s.checkPassword(ctx, v, password)
	if err != nil {
		return SignedIn{}, err
	}
	return s.startSession(ctx, browser, func(pgx.Tx) (checkedSignIn, error) {
		return checkedSignIn{account: found, password: password}, nil
	})
}

// checkUnchanged returns errCredentials if the account has another address or another password since the
// sign-in was checked: what happened then has ended all other sessions. The caller holds the member's lock.
func (s *Service) checkUnchanged(ctx context.Context, tx pgx.Tx, checked checkedSignIn) error {
	now, err := selectAccountOf(ctx, tx, checked.UserID)
	if err != nil {
		return err
	}
	if now.Email != checked.Email {
		return errCredentials
	}
	if checked.password == "" || now.PasswordHash != nil && *now.PasswordHash == *checked.PasswordHash {
		return nil
	}
	matches, _, err := s.verifyPassword(ctx, checked.password, now.PasswordHash)
	if err == nil && !matches {
		err = errCredentials
	}
	return err
}

// startSignIn counts one attempt of any kind and returns the visitor.
func (s *Service) startSignIn(ctx context.Context, browser Browser, email string) (visitor, error) {
	v, err := s.newVisitor(ctx, browser, email)
	if err != nil {
		return v, err
	}
	if s.clients.Add(v.Client) {
		slog.WarnContext(ctx, "more than half of the sign-ins come from one address: check TRUSTED_PROXIES and CLIENT_IP_HEADER",
			"client", web.CoarseClient(ctx))
	}
	return v, s.allowRequest(ctx, v, signInsPerBrowser, signInsPerNetwork)
}

// checkPassword returns the visitor's account, or errCredentials for a wrong password and
// for a demo member unless Config.DemoPasswords is set.
func (s *Service) checkPassword(ctx context.Context, v visitor, password string) (account, error) {
	budgets := v.passwordBudgets()
	if err := spend(ctx, s.pool, budgets); err != nil {
		return account{}, err
	}
	found, err := selectAccount(ctx, s.pool, v.identity)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return account{}, pg.Fault(err)
	}
	matches, outdated, err := s.verifyPassword(ctx, password, found.PasswordHash)
	if err != nil {
		return account{}, err
	}
	if !matches || found.IsDemo && !s.config.DemoPasswords {
		return account{}, errCredentials
	}
	if outdated {
		if err := s.renewHash(ctx, &found, password); err != nil {
			return account{}, err
		}
	}
	// Reset only the narrowest budget, because the wider ones are shared with others.
	if err := limits.Reset(ctx, s.pool, budgets[0].rule, budgets[0].key); err != nil {
		return account{}, err
	}
	return found, refund(ctx, s.pool, budgets[1:])
}

// renewHash replaces the outdated hash of a password that was right, unless another one was set meanwhile.
func (s *Service) renewHash(ctx context.Context, found *account, password string) error {
	hash, err := HashPassword(ctx, password)
	if err != nil {
		return err
	}
	renewed, err := members.RenewPasswordHash(ctx, s.pool, found.UserID, *found.PasswordHash, hash)
	if err != nil {
		return pg.Fault(err)
	}
	if renewed {
		found.PasswordHash = &hash
	}
	return nil
}

// createdSession is the result of the transaction that creates a session.
type createdSession struct {
	SignedIn
	member uuid.UUID
	ended  []uuid.UUID // deleted sessions, to be published after the commit
}

// checkedSignIn is the account of a sign-in or sign-up whose code, password or passkey was right.
type checkedSignIn struct {
	account         // of a sign-up, only the id
	isNew    bool   // created by this sign-up
	ref      string // the code of the invitation of a sign-up, as the client sent it
	isFactor bool   // the passkey is an admin's second factor
	password string // of a sign-in by password
}

// startSession calls confirm and creates a session of the returned account in the same
// transaction. It also stores the browser as a known one, and adds a notice if it was not
// known and the account is not new. It returns Forbidden when the deletion of the account is due. The
// session of a leaving or suspended member or one under review is restricted as long as that lasts.
func (s *Service) startSession(ctx context.Context, browser Browser, confirm func(tx pgx.Tx) (checkedSignIn, error)) (SignedIn, error) {
	created, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (created createdSession, err error) {
		found, err := confirm(tx)
		if err != nil {
			return created, err
		}
		if found.DeletionDueAt != nil && !found.DeletionDueAt.After(time.Now()) {
			return created, ErrDeletionDue
		}
		created.member = found.UserID
		if created.SignedIn, created.ended, err = s.createSession(ctx, tx, browser, found.UserID, found.IsStaff); err != nil {
			return created, err
		}
		if !found.isNew {
			if err := s.checkUnchanged(ctx, tx, found); err != nil {
				return created, err
			}
		}
		if found.isFactor {
			if err := markProved(ctx, tx, created.session, true); err != nil {
				return created, err
			}
		}
		known, err := rememberBrowser(ctx, tx, found.UserID, browser.ID)
		if err == nil && found.isNew && s.onSignUp != nil {
			err = s.onSignUp(ctx, tx, found.UserID, found.ref)
		}
		if err != nil || known || found.isNew {
			return created, err
		}
		return created, s.noteNewBrowser(ctx, tx, browser, found.account, created.session)
	})
	if err != nil {
		return SignedIn{}, err
	}
	return s.finishSignIn(ctx, created)
}

// finishSignIn publishes the ended sessions and selects the member's own data.
func (s *Service) finishSignIn(ctx context.Context, created createdSession) (signedIn SignedIn, err error) {
	s.publishEnded(created.ended...)
	signedIn = created.SignedIn
	signedIn.Me, err = s.members.Me(ctx, created.member)
	return signedIn, err
}

// SetPassword sets the actor's password and returns a new token of the session. If there
// was a password before, it ends all other sessions. A mail tells the member of it.
//
// Errors: Invalid for a weak password; the errors of RequireProof.
func (s *Service) SetPassword(ctx context.Context, actor web.Actor, password string) (SignedIn, error) {
	me, err := s.members.Me(ctx, actor.ID)
	if err != nil {
		return SignedIn{}, err
	}
	if err := checkNewPassword(password, contextWords(me.Email, me.FullName)); err != nil {
		return SignedIn{}, err
	}
	hash, err := HashPassword(ctx, password)
	if err != nil {
		return SignedIn{}, err
	}
	created, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (createdSession, error) {
		created := createdSession{SignedIn: SignedIn{Token: newSecret()}, member: actor.ID}
		err := lockWithProof(ctx, tx, actor)
		if err != nil {
			return created, err
		}
		if created.ExpiresAt, err = rotateToken(ctx, tx, actor.SessionID, hashOf(created.Token)); err != nil {
			return created, err
		}
		if created.ended, err = setPasswordHash(ctx, tx, actor, hash); err != nil {
			return created, err
		}
		return created, s.addNotice(ctx, tx, noticePassword, actor.ID, actor.SessionID)
	})
	if err != nil {
		return SignedIn{}, err
	}
	return s.finishSignIn(ctx, created)
}
