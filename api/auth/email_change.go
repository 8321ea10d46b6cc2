package auth

import (
	"context"
	"crypto/hmac"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// The two addresses of a change, each of which gets a code.
const (
	newAddress     = "new"
	currentAddress = "current"
)

const (
	emailCodesLifetime = 30 * time.Minute
	emailWaitDays      = 7
	emailWaitLifetime  = 28 * 24 * time.Hour // of the row; jobs may be late
)

// Changes that a member may ask for, and mails that an address may get from all members
// together.
var (
	emailChangesPerMember  = limits.Rule{Name: "email-changes-member", Count: 5, Per: 24 * time.Hour}
	emailChangesPerAddress = limits.Rule{Name: "email-changes-address", Count: 30, Per: 24 * time.Hour}
)

var (
	errNoEmailChange = fault.New(fault.NotFound, "This change was stopped or has expired. Please start again.")
	errUnconfirmed   = fault.New(fault.Conflict, "Please enter the code from your new address first.")
)

// EmailChange is a change of the member's address that is not made yet.
type EmailChange struct {
	NewEmail         string     `json:"newEmail"`
	NewConfirmed     bool       `json:"newConfirmed" doc:"The code from the new address was entered"`
	CurrentConfirmed bool       `json:"currentConfirmed" doc:"The code from the current address was entered"`
	WaitsUntil       *time.Time `json:"waitsUntil" doc:"When the change is made without the code from the current address; null unless the member chose this"`
	ExpiresAt        time.Time  `json:"expiresAt" doc:"Until when the codes are valid"`
}

// EmailChange returns the actor's unfinished change, or nil.
func (s *Service) EmailChange(ctx context.Context, actor web.Actor) (*EmailChange, error) {
	change, err := selectEmailChange(ctx, s.pool, actor.ID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // no change is no error
	}
	if err != nil {
		return nil, pg.Fault(err)
	}
	return change.state(), nil
}

// StartEmailChange mails a code to the new address, and another to the current one, with a
// link that stops the change. It replaces an earlier change. The result does not depend on
// whether the new address has an account.
//
// Errors: Invalid for an invalid address and the member's own; RateLimited; the errors of
// RequireProof.
func (s *Service) StartEmailChange(ctx context.Context, actor web.Actor, email string) (*EmailChange, error) {
	address, err := mailaddr.Parse("email", email)
	if err != nil {
		return nil, err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (*EmailChange, error) {
		if err := lockWithProof(ctx, tx, actor); err != nil {
			return nil, err
		}
		current, err := selectEmail(ctx, tx, actor.ID)
		if err != nil {
			return nil, err
		}
		if mailaddr.Of(current).Identity == address.Identity {
			return nil, fault.InvalidField("email", "This is already your address.")
		}
		if err := spend(ctx, tx, []budget{{emailChangesPerMember, actor.ID.String()}, {emailChangesPerAddress, address.Abuse}}); err != nil {
			return nil, err
		}
		change, err := insertEmailChange(ctx, tx, actor, address.Typed)
		if err != nil {
			return nil, err
		}
		if _, err := s.jobs.InsertTx(ctx, tx, EmailCodeArgs{ChangeID: change.ID}, nil); err != nil {
			return nil, err
		}
		return change.state(), s.addEmailNotice(ctx, tx, noticeEmailChange, actor.ID)
	})
}

// ConfirmEmail checks the code that was mailed to one of the two addresses. With the second
// correct code it changes the address and ends all other sessions; changed is then true.
//
// Errors: Invalid for a code that is wrong, expired or was tried five times; Conflict if
// another account has the mailbox of the new address, only after the code of that address.
func (s *Service) ConfirmEmail(ctx context.Context, actor web.Actor, address, code string) (state *EmailChange, changed bool, err error) {
	id, err := s.checkEmailCode(ctx, actor.ID, address, code)
	if err != nil {
		return nil, false, err
	}
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (confirmedEmail, error) { return s.confirmEmail(ctx, tx, actor, id, address) })
	if cannotChange(err) { // another member proved the address at the same time, or it is banned
		s.dropEmailChange(ctx, actor.ID)
	}
	if err == nil && done.taken {
		err = members.ErrAddressTaken
	}
	if err != nil {
		return nil, false, err
	}
	if done.changed {
		s.publishEnded(done.ended...)
		done.publish()
		return nil, true, nil
	}
	return done.change.state(), false, nil
}

// checkEmailCode returns the id of the member's change if the code is that of the address.
func (s *Service) checkEmailCode(ctx context.Context, member uuid.UUID, address, code string) (uuid.UUID, error) {
	id, err := tryEmailCode(ctx, s.pool, member, address)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return id, errWrongCode
	case err != nil:
		return id, pg.Fault(err)
	case !hmac.Equal([]byte(code), []byte(s.emailCode(id, address))):
		s.countWrongCode(ctx)
		return id, errWrongCode
	}
	return id, nil
}

// confirmEmail runs in the transaction of ConfirmEmail, after a correct code of the change.
func (s *Service) confirmEmail(ctx context.Context, tx pgx.Tx, actor web.Actor, change uuid.UUID, address string) (done confirmedEmail, err error) {
	if err := members.Lock(ctx, tx, actor.ID); err != nil {
		return done, err
	}
	if done.change, err = confirmEmailChange(ctx, tx, change, address); err != nil {
		return done, noEmailChangeIfMissing(err)
	}
	if address == newAddress {
		if done.taken, err = members.HasMailbox(ctx, tx, done.change.NewEmail, actor.ID); err != nil {
			return done, err
		}
		if err := checkReserved(ctx, tx, actor.ID, done.change.NewEmail); err != nil {
			return done, err
		}
	}
	switch {
	case done.taken:
		return done, deleteEmailChange(ctx, tx, actor.ID)
	case done.change.NewConfirmed && done.change.CurrentConfirmed:
		done.changed = true
		done.changedEmail, err = s.changeEmail(ctx, tx, done.change, actor.SessionID)
	}
	return done, err
}

// confirmedEmail is the result of the transaction that confirms an address.
type confirmedEmail struct {
	change  emailChangeRow
	taken   bool // another account has the new address
	changed bool // the account has the new address
	changedEmail
}

// changedEmail is what is to be published after the commit of a change.
type changedEmail struct {
	ended   []uuid.UUID // sessions
	publish func()      // of the AddressWatcher; nil without a change
}

// cannotChange reports whether err means that the change can never be made.
func cannotChange(err error) bool {
	return fault.Is(err, fault.Conflict) || fault.Is(err, fault.Forbidden)
}

// CancelEmailChange stops the actor's change, if there is one.
func (s *Service) CancelEmailChange(ctx context.Context, actor web.Actor) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := members.Lock(ctx, tx, actor.ID); err != nil {
			return err
		}
		return deleteEmailChange(ctx, tx, actor.ID)
	})
}

// changeEmail makes the change and deletes its row. It ends the links of earlier notices, which were mailed to
// the earlier address, and all sessions but one, and returns what is to be published. If the change was confirmed
// in the earlier mailbox, that mailbox can undo it; after a wait it cannot, as it got a link to stop the change on
// each of seven days.
//
// It returns Conflict if another account has the address or its mailbox can undo another member's change, and
// the errors of the AddressWatcher.
func (s *Service) changeEmail(ctx context.Context, tx pgx.Tx, change emailChangeRow, except uuid.UUID) (done changedEmail, err error) {
	earlier, err := members.SetEmail(ctx, tx, change.UserID, change.NewEmail)
	if err != nil {
		return done, err
	}
	if err := checkReserved(ctx, tx, change.UserID, change.NewEmail); err != nil {
		return done, err
	}
	if done.publish, err = s.notifyAddress(ctx, tx, change.UserID, change.NewEmail); err != nil {
		return done, err
	}
	if err := deleteEmailChange(ctx, tx, change.UserID); err != nil {
		return done, err
	}
	if err := endNotices(ctx, tx, change.UserID); err != nil {
		return done, err
	}
	if err := DeleteCodes(ctx, tx, earlier); err != nil {
		return done, err
	}
	to, err := members.ReaderOf(ctx, tx, change.UserID)
	if err != nil {
		return done, err
	}
	if change.CurrentConfirmed {
		if err := s.allowUndo(ctx, tx, change, earlier); err != nil {
			return done, err
		}
	}
	args := EmailChangedArgs{ChangeID: change.ID, Email: earlier, FirstName: to.Name, CanUndo: change.CurrentConfirmed, Manner: to.Manner}
	if _, err := s.jobs.InsertTx(ctx, tx, args, nil); err != nil {
		return done, err
	}
	done.ended, err = revokeOtherSessions(ctx, tx, change.UserID, except)
	return done, err
}

// dropEmailChange deletes a change that can never be made (see cannotChange). A failure is only logged: the change
// expires by itself.
func (s *Service) dropEmailChange(ctx context.Context, member uuid.UUID) {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return deleteEmailChange(ctx, tx, member) })
	if err != nil {
		slog.ErrorContext(ctx, "a change of an address was not deleted", "error", err)
	}
}

func noEmailChangeIfMissing(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return errNoEmailChange
	}
	return err
}
