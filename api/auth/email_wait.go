package auth

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

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
		case !change.NewConfirmed:
			return nil, errUnconfirmed
		case change.WaitsUntil != nil:
			return change.state(), nil
		}
		if change, err = startEmailWait(ctx, tx, change.ID); err != nil {
			return nil, err
		}
		if err := s.enqueueEmailWait(ctx, tx, change.ID, 1); err != nil {
			return nil, err
		}
		return change.state(), s.addEmailNotice(ctx, tx, noticeEmailWait, actor.ID)
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
			return done, s.enqueueEmailWait(ctx, tx, change.ID, args.Day+1)
		}
		account, err := selectAccountOf(ctx, tx, member)
		if err != nil {
			return done, err
		}
		if account.ProfileStatus == "suspended" || account.ProfileStatus == "leaving" {
			return done, deleteEmailChange(ctx, tx, member)
		}
		return s.changeEmail(ctx, tx, change, change.SessionID)
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
