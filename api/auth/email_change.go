package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mail"
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
	errAddressTaken  = fault.New(fault.Conflict, "Another Heartward account uses this address.")
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
		if _, err := s.jobs.InsertTx(ctx, tx, EmailCodeArgs{ChangeID: change.id}, nil); err != nil {
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
		err = errAddressTaken
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
		if done.taken, err = members.HasMailbox(ctx, tx, done.change.newEmail, actor.ID); err != nil {
			return done, err
		}
		if err := checkReserved(ctx, tx, actor.ID, done.change.newEmail); err != nil {
			return done, err
		}
	}
	switch {
	case done.taken:
		return done, deleteEmailChange(ctx, tx, actor.ID)
	case done.change.newConfirmed && done.change.currentConfirmed:
		done.changed = true
		done.changedEmail, err = s.changeEmail(ctx, tx, done.change, actor.SessionID)
	}
	return done, err
}

// confirmedEmail is the result of the transaction that confirms an address.
type confirmedEmail struct {
	change  emailChange
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

// WaitForEmail lets a member whose current mailbox is lost change the address in seven days.
// On each day the current address gets a mail with a link that stops the change.
//
// Errors: NotFound without a change; Conflict before the code of the new address; the errors
// of RequireProof.
func (s *Service) WaitForEmail(ctx context.Context, actor web.Actor) (*EmailChange, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (*EmailChange, error) {
		if err := lockWithProof(ctx, tx, actor); err != nil {
			return nil, err
		}
		change, err := selectEmailChange(ctx, tx, actor.ID)
		switch {
		case err != nil:
			return nil, noEmailChangeIfMissing(err)
		case !change.newConfirmed:
			return nil, errUnconfirmed
		case change.waitsUntil != nil:
			return change.state(), nil
		}
		if change, err = startEmailWait(ctx, tx, change.id); err != nil {
			return nil, err
		}
		if err := s.enqueueEmailWait(ctx, tx, change.id, 1); err != nil {
			return nil, err
		}
		return change.state(), s.addEmailNotice(ctx, tx, noticeEmailWait, actor.ID)
	})
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

// enqueueEmailWait enqueues the job that runs a day from now.
func (s *Service) enqueueEmailWait(ctx context.Context, tx pgx.Tx, change uuid.UUID, day int) error {
	_, err := s.jobs.InsertTx(ctx, tx, EmailWaitArgs{ChangeID: change, Day: day},
		&river.InsertOpts{ScheduledAt: time.Now().Add(24 * time.Hour)})
	return err
}

// ContinueEmailWait runs a day of the wait: it mails the current address again or, on the last
// day, changes the address and ends all sessions but the one that asked. It does
// nothing for a change that was stopped and for a day that has run. A member who is
// suspended or leaving keeps the address.
func (s *Service) ContinueEmailWait(ctx context.Context, args EmailWaitArgs) error {
	member, err := memberOfEmailChange(ctx, s.pool, args.ChangeID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (done changedEmail, err error) {
		if err := members.Lock(ctx, tx, member); err != nil {
			return done, err
		}
		change, err := countEmailWaitDay(ctx, tx, args)
		if errors.Is(err, pgx.ErrNoRows) {
			return done, nil
		}
		if err != nil {
			return done, err
		}
		if args.Day < emailWaitDays {
			if err := s.addEmailNotice(ctx, tx, noticeEmailWait, member); err != nil {
				return done, err
			}
			return done, s.enqueueEmailWait(ctx, tx, change.id, args.Day+1)
		}
		account, err := selectAccountOf(ctx, tx, member)
		if err != nil {
			return done, err
		}
		if account.status == "suspended" || account.status == "leaving" {
			return done, deleteEmailChange(ctx, tx, member)
		}
		return s.changeEmail(ctx, tx, change, change.session)
	})
	if cannotChange(err) {
		s.dropEmailChange(ctx, member)
		return nil
	}
	if err != nil {
		return err
	}
	s.publishEnded(done.ended...)
	if done.publish != nil {
		done.publish()
	}
	return nil
}

// changeEmail makes the change and deletes its row. It ends the links of earlier notices, which were mailed to
// the earlier address, and all sessions but one, and returns what is to be published. If the change was confirmed
// in the earlier mailbox, that mailbox can undo it; after a wait it cannot, as it got a link to stop the change on
// each of seven days.
//
// It returns Conflict if another account has the address or its mailbox can undo another member's change, and
// the errors of the AddressWatcher.
func (s *Service) changeEmail(ctx context.Context, tx pgx.Tx, change emailChange, except uuid.UUID) (done changedEmail, err error) {
	earlier, err := members.SetEmail(ctx, tx, change.member, change.newEmail)
	if err != nil {
		return done, err
	}
	if err := checkReserved(ctx, tx, change.member, change.newEmail); err != nil {
		return done, err
	}
	if done.publish, err = s.notifyAddress(ctx, tx, change.member, change.newEmail); err != nil {
		return done, err
	}
	if err := deleteEmailChange(ctx, tx, change.member); err != nil {
		return done, err
	}
	if err := endNotices(ctx, tx, change.member); err != nil {
		return done, err
	}
	if err := DeleteCodes(ctx, tx, earlier); err != nil {
		return done, err
	}
	to, err := members.ReaderOf(ctx, tx, change.member)
	if err != nil {
		return done, err
	}
	if change.currentConfirmed {
		if err := s.allowUndo(ctx, tx, change, earlier); err != nil {
			return done, err
		}
	}
	args := EmailChangedArgs{ChangeID: change.id, Email: earlier, FirstName: to.Name, CanUndo: change.currentConfirmed, Manner: to.Manner}
	if _, err := s.jobs.InsertTx(ctx, tx, args, nil); err != nil {
		return done, err
	}
	done.ended, err = revokeOtherSessions(ctx, tx, change.member, except)
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

// addEmailNotice stores a notice about the member's change in tx and enqueues its mail. It
// does not depend on the session that asked, which may have ended.
func (s *Service) addEmailNotice(ctx context.Context, tx pgx.Tx, kind string, member uuid.UUID) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	if err := insertEmailNotice(ctx, tx, id, kind, member, hashOf(s.noticeToken(id))); err != nil {
		return err
	}
	return s.enqueueNotice(ctx, tx, id)
}

// emailCode returns the eight digits that one of the addresses of a change gets. They are
// derived from the change and the server's key, and not stored.
func (s *Service) emailCode(change uuid.UUID, address string) string {
	mac := hmac.New(sha256.New, s.config.Secret)
	mac.Write([]byte("change of an address\x00" + change.String() + "\x00" + address))
	return fmt.Sprintf("%08d", binary.BigEndian.Uint64(mac.Sum(nil))%100_000_000)
}

// SendEmailCode mails the code to the new address of a change. It does nothing for a change
// that was stopped. Delivery is at least once, with the same Message-ID.
func (s *Service) SendEmailCode(ctx context.Context, args EmailCodeArgs) error {
	member, err := memberOfEmailChange(ctx, s.pool, args.ChangeID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	change, err := selectEmailChange(ctx, s.pool, member)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && change.id != args.ChangeID {
		return nil
	}
	if err != nil {
		return err
	}
	to, err := members.ReaderOf(ctx, s.pool, member)
	if err != nil {
		return pg.Fault(err)
	}
	return mail.Send(ctx, s.mail, emailCodeLetter(to, change, s.emailCode(change.id, newAddress)))
}

// SendEmailChanged mails the earlier address that the account has another one, with a link that
// undoes the change if it was confirmed in this mailbox.
func (s *Service) SendEmailChanged(ctx context.Context, args EmailChangedArgs) error {
	link := ""
	if args.CanUndo {
		link = s.config.Site + noticePath + s.undoToken(args.ChangeID)
	}
	return mail.Send(ctx, s.mail, emailChangedLetter(args, link))
}

func noEmailChangeIfMissing(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return errNoEmailChange
	}
	return err
}
