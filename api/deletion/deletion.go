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

// WatchLeaving sets a function that is called with the id of a member who has requested the deletion, after the commit. It
// must be called before the service is used.
func (s *Service) WatchLeaving(fn func(ctx context.Context, id uuid.UUID)) { s.onLeave = fn }

// requested is the result of the transaction of Request.
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

// enqueue enqueues two jobs: AnnounceArgs for now, and DeleteArgs for the due time.
func (s *Service) enqueue(ctx context.Context, tx pgx.Tx, member uuid.UUID, due time.Time) error {
	if _, err := s.jobs.InsertTx(ctx, tx, AnnounceArgs{MemberID: member, DueAt: due}, nil); err != nil {
		return err
	}
	_, err := s.jobs.InsertTx(ctx, tx, DeleteArgs{MemberID: member, DueAt: due}, &river.InsertOpts{ScheduledAt: due})
	return err
}

// Start starts the immediate deletion of a member's account, without the 14 days in which it can be kept. It does nothing
// for a member who is leaving already. The caller holds the member's lock.
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

// Departures stores what a moderator needs to decide on a pending report about a member whose account is deleted.
// moderation.Service implements it.
type Departures interface {
	// BeginDeparture is called before the files of the member are deleted. A retry of Delete calls it again.
	BeginDeparture(ctx context.Context, member uuid.UUID) error
	// CompleteDeparture is called in the transaction that deletes the account, before the account is deleted.
	CompleteDeparture(ctx context.Context, tx pgx.Tx, member uuid.UUID) error
}

// batch is the maximum number of rows that a transaction of Delete erases.
const batch = 200

// Delete deletes the account of a leaving member whose deletion is due. It does nothing for any other member.
//
// It deletes in this order, in batches, so that a call after an interruption continues: the files, the data of each
// feature from the last of data to the first, and in one final transaction the account and its sign-in codes. That
// transaction enqueues the mail of the confirmation. departures is called before the files and before the account are
// deleted.
func Delete(ctx context.Context, pool *pgxpool.Pool, jobs jobqueue.Inserter, departures Departures, data []feature.Data, member uuid.UUID) error {
	due, err := members.IsDeletionDue(ctx, pool, member)
	if err != nil || !due {
		return err
	}
	if err := departures.BeginDeparture(ctx, member); err != nil {
		return err
	}
	reader, err := members.ReaderOf(ctx, pool, member) // before the settings, which say how mails are written, are erased
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // a concurrent call came first
	}
	if err != nil {
		return pg.Fault(err)
	}
	// Delete files before messages, so that no file of a deleted message can be read.
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
		_, err = jobs.InsertTx(ctx, tx, ConfirmArgs{MemberID: member, Email: email, FirstName: firstName, Manner: reader.Manner}, nil)
		return err
	})
	if err == nil {
		slog.InfoContext(ctx, deletedMessage, "member", member)
	}
	return err
}
