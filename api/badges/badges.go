// Package badges awards badges to members for what they do. An award is a job that the event
// enqueues in its own transaction. A badge stays when what earned it is gone.
package badges

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Service awards and lists badges. It is safe for concurrent use.
type Service struct {
	pool *pgxpool.Pool
	jobs jobqueue.Inserter

	onAward  func(ctx context.Context, tx pgx.Tx, member uuid.UUID, earned []uuid.UUID) error // nil if not set
	onChange func(member uuid.UUID)                                                           // nil if not set
}

// New returns a Service that enqueues its jobs in jobs. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, jobs jobqueue.Inserter) *Service {
	nilcheck.Must("badges.New", nilcheck.Deps{"pool": pool, "jobs": jobs})
	return &Service{pool: pool, jobs: jobs}
}

// WatchAwards sets a function that is called in the transaction of each award, with the ids of the
// new rows of earned_badges. It must be called before the service is used.
func (s *Service) WatchAwards(fn func(ctx context.Context, tx pgx.Tx, member uuid.UUID, earned []uuid.UUID) error) {
	s.onAward = fn
}

// WatchChanges sets a function that is called after the commit of each change of a member's badges.
// It must be called before the service is used.
func (s *Service) WatchChanges(fn func(member uuid.UUID)) { s.onChange = fn }

// Definition is what a badge looks like and means.
type Definition struct {
	Name         string `json:"name"`
	Description  string `json:"description"`
	IconKey      string `json:"iconKey"`
	ColorPalette string `json:"colorPalette" enum:"ember,plum,marigold,sage,sky"`
}

// Badge is a badge with the caller's progress.
type Badge struct {
	ID uuid.UUID `json:"id"`
	Definition
	Category     string `json:"category" enum:"profile,social,engagement,referral"`
	Requirements string `json:"requirements"`
	Count        int    `json:"count" doc:"How much of it the caller has done, at most needed; needed once it is earned"`
	Needed       int    `json:"needed" doc:"How much earns the badge"`
}

// UserBadge is a badge that a member has.
type UserBadge struct {
	ID        uuid.UUID `json:"id"`
	BadgeID   uuid.UUID `json:"badgeId"`
	AwardedAt time.Time `json:"awardedAt" doc:"When the member had done enough for it, where that is known; else when it was awarded"`
	Notified  bool      `json:"notified" doc:"Whether the member has closed the celebration"`
}

// ShownBadge is a badge on the profile of another member.
type ShownBadge struct{ Definition }

// NewBadge is a badge whose celebration waits.
type NewBadge struct {
	ID      uuid.UUID `json:"id"`
	BadgeID uuid.UUID `json:"badgeId"`
	Definition
}

// List returns the active badges, and those that actor has, with actor's progress.
func (s *Service) List(ctx context.Context, actor uuid.UUID) ([]Badge, error) {
	list, err := selectBadges(ctx, s.pool, actor)
	return list, pg.Fault(err)
}

// Earned returns the badges of member, the newest first. It returns NotFound unless member is actor.
func (s *Service) Earned(ctx context.Context, actor, member uuid.UUID) ([]UserBadge, error) {
	if err := checkOwn(actor, member); err != nil {
		return nil, err
	}
	list, err := selectEarned(ctx, s.pool, member)
	for i := range list {
		list[i].AwardedAt = web.Time(list[i].AwardedAt)
	}
	return list, pg.Fault(err)
}

// Shown returns the public badges of a member in the order of List, or none if the member hides
// them. Members see their own profile as others do. It returns NotFound for a member whom actor may not see.
func (s *Service) Shown(ctx context.Context, actor, member uuid.UUID) ([]ShownBadge, error) {
	visible, err := selectVisible(ctx, s.pool, actor, member)
	if err == nil && !visible {
		return nil, notFound()
	}
	if err != nil {
		return nil, pg.Fault(err)
	}
	list, err := selectShown(ctx, s.pool, member)
	return list, pg.Fault(err)
}

var checksPerMember = limits.Rule{Name: "badge checks", Count: 60, Per: time.Minute, Burst: 30,
	Message: "You have checked many times. Please wait a moment."}

// Check awards what member has earned, and returns all badges whose celebration waits, the oldest
// first. Repeating it returns the same until MarkNotified. It returns NotFound unless member is
// actor, and RateLimited after 60 calls a minute.
func (s *Service) Check(ctx context.Context, actor, member uuid.UUID) ([]NewBadge, error) {
	if err := checkOwn(actor, member); err != nil {
		return nil, err
	}
	if err := limits.Allow(ctx, s.pool, checksPerMember, actor.String()); err != nil {
		return nil, err
	}
	awarded, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]uuid.UUID, error) { return s.award(ctx, tx, member, allCriteria) })
	if err != nil {
		return nil, err
	}
	if len(awarded) > 0 {
		s.Announce(member)
	}
	list, err := selectNew(ctx, s.pool, member)
	return list, pg.Fault(err)
}

// MarkNotified stores that actor has closed the celebration of a badge. Repeating it changes
// nothing. It returns NotFound for a badge that actor does not have.
func (s *Service) MarkNotified(ctx context.Context, actor, badge uuid.UUID) error {
	changed, err := updateNotified(ctx, s.pool, actor, badge)
	if err == nil && changed {
		s.Announce(actor)
	}
	return err
}

func checkOwn(actor, member uuid.UUID) error {
	if actor != member {
		return notFound()
	}
	return nil
}

func notFound() error { return fault.New(fault.NotFound, "We could not find that.") }
