// Package deletion deletes the accounts of members who ask for it, after 14 days in which
// they can change their minds.
package deletion

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/feature"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// grace is the time in which a leaving member can keep the account.
const grace = 14 * 24 * time.Hour

// Service starts deletions and ends them before they are due. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	events bus.Publisher
	auth   *auth.Service
	jobs   jobqueue.Inserter

	onLeave func(ctx context.Context, id uuid.UUID) // nil if not set
}

// New returns a Service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, events bus.Publisher, a *auth.Service, jobs jobqueue.Inserter) *Service {
	nilcheck.Must("deletion.New", nilcheck.Deps{"pool": pool, "events": events, "auth": a, "jobs": jobs})
	return &Service{pool: pool, events: events, auth: a, jobs: jobs}
}

// WatchLeaving sets a function that is called after the commit of a request, with the member, who is
// hidden. It must be called before the service is used.
func (s *Service) WatchLeaving(fn func(ctx context.Context, id uuid.UUID)) { s.onLeave = fn }

// requested is the result of the transaction that starts a deletion.
type requested struct {
	due   time.Time
	ended []uuid.UUID // sessions, to be published after the commit
}

// Request hides the actor, ends all of the actor's sessions, and schedules the deletion of the
// account, whose time it returns. It enqueues a mail about it.
//
// Errors: those of auth.RequireProof; Unauthenticated when a concurrent call came first.
func (s *Service) Request(ctx context.Context, actor web.Actor) (time.Time, error) {
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (done requested, err error) {
		if err = auth.RequireProof(ctx, tx, actor); err != nil {
			return done, err
		}
		done.due, err = members.Leave(ctx, tx, actor.ID, grace)
		if errors.Is(err, pgx.ErrNoRows) {
			return done, fault.New(fault.Unauthenticated, "Please sign in.")
		}
		if err != nil {
			return done, err
		}
		if done.ended, err = auth.RevokeAllTx(ctx, tx, actor.ID); err != nil {
			return done, err
		}
		return done, s.enqueue(ctx, tx, actor.ID, done.due)
	})
	if err != nil {
		return time.Time{}, err
	}
	auth.PublishEnded(s.events, done.ended...)
	if s.onLeave != nil {
		s.onLeave(ctx, actor.ID)
	}
	return done.due, nil
}

// Keep ends the actor's deletion, so that the account and this session are as before. It does nothing for a member who
// is not leaving.
//
// Errors: those of auth.RequireProof; Forbidden when the deletion is due.
func (s *Service) Keep(ctx context.Context, actor web.Actor) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := auth.RequireProof(ctx, tx, actor); err != nil {
			return err
		}
		kept, err := members.Keep(ctx, tx, actor.ID)
		if err != nil || kept {
			return err
		}
		due, err := members.IsDeletionDue(ctx, tx, actor.ID)
		if err == nil && due {
			return auth.ErrDeletionDue
		}
		return err
	})
}

// enqueue enqueues the mail about the request, and the deletion.
func (s *Service) enqueue(ctx context.Context, tx pgx.Tx, member uuid.UUID, due time.Time) error {
	if _, err := s.jobs.InsertTx(ctx, tx, AnnounceArgs{MemberID: member, DueAt: due}, nil); err != nil {
		return err
	}
	_, err := s.jobs.InsertTx(ctx, tx, DeleteArgs{MemberID: member, DueAt: due}, &river.InsertOpts{ScheduledAt: due})
	return err
}

// Start schedules the deletion of a member's account for now, without a time in which it can be
// kept. It does nothing for a member who is leaving. The caller holds the member's lock.
func Start(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, member uuid.UUID) error {
	due, err := members.Leave(ctx, tx, member, 0)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = jobs.InsertTx(ctx, tx, DeleteArgs{MemberID: member, DueAt: due}, nil)
	return err
}

// Departures keeps what the decision on a pending report needs of a member whose account is deleted.
// moderation.Service implements it.
type Departures interface {
	// BeginDeparture is called before the files of the member are deleted. It may be called again.
	BeginDeparture(ctx context.Context, member uuid.UUID) error
	// CompleteDeparture is called in the transaction that deletes the account, before that.
	CompleteDeparture(ctx context.Context, tx pgx.Tx, member uuid.UUID) error
}

// batch is the maximum number of rows that a transaction of Delete erases.
const batch = 200

// Delete deletes the account of a leaving member whose time has come; for any other member it
// does nothing. What may have many rows is deleted in batches, in an order in which a call
// after an interruption continues: files, the data of each feature from the highest to the lowest,
// and last the account, in one transaction with its sign-in codes and the job that mails the
// confirmation. What a pending report about the member needs is given to departures.
func Delete(ctx context.Context, pool *pgxpool.Pool, jobs jobqueue.Inserter, departures Departures, data []feature.Data, member uuid.UUID) error {
	due, err := members.IsDeletionDue(ctx, pool, member)
	if err != nil || !due {
		return err
	}
	if err := departures.BeginDeparture(ctx, member); err != nil {
		return err
	}
	to, err := members.ReaderOf(ctx, pool, member) // before the settings are erased
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // a concurrent call came first
	}
	if err != nil {
		return pg.Fault(err)
	}
	// Files are before the messages, so that a device which reads a deleted message finds no file.
	if err := feature.UntilNone(members.DeleteFilesOf)(ctx, pool, member, batch); err != nil {
		return err
	}
	for _, part := range slices.Backward(data) {
		if part.Erase == nil {
			continue
		}
		if err := part.Erase(ctx, pool, member, batch); err != nil {
			return err
		}
	}
	err = pg.TxDo(ctx, pool, func(tx pgx.Tx) error {
		if err := departures.CompleteDeparture(ctx, tx, member); err != nil {
			return err
		}
		email, firstName, err := members.Delete(ctx, tx, member)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // a concurrent call came first
		}
		if err != nil {
			return err
		}
		if err := auth.DeleteCodes(ctx, tx, email); err != nil {
			return err
		}
		_, err = jobs.InsertTx(ctx, tx, ConfirmArgs{MemberID: member, Email: email, FirstName: firstName, Manner: to.Manner}, nil)
		return err
	})
	if err == nil {
		slog.InfoContext(ctx, deletedMessage, "member", member)
	}
	return err
}
