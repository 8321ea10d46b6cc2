// Package referrals thanks members who bring friends. A referral is a member
// who signed up by another's link; it is complete when the friend's profile is.
package referrals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/fault"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/web"
)

// Tier is a step of the rewards.
type Tier struct {
	Level        int    `json:"level"`
	Name         string `json:"name"`
	MinReferrals int    `json:"minReferrals" doc:"Completed referrals that it takes"`
	Reward       string `json:"reward"`

	premium string // how long, as PostgreSQL's interval
}

// tiers by level.
var tiers = []Tier{
	{Level: 0, Name: "Cupid's Helper", MinReferrals: 0, Reward: "Welcome bonus"},
	{Level: 1, Name: "Love Ambassador", MinReferrals: 3, Reward: "Premium features for 1 month", premium: "1 month"},
	{Level: 2, Name: "Matchmaker", MinReferrals: 10, Reward: "Exclusive badge + 3 months premium", premium: "3 months"},
	{Level: 3, Name: "Love Guru", MinReferrals: 25, Reward: "VIP status + 6 months premium", premium: "6 months"},
	{Level: 4, Name: "Romance Legend", MinReferrals: 50, Reward: "Lifetime premium + special features", premium: "100 years"},
}

// Stats are the figures of a member's referrals.
type Stats struct {
	TotalReferrals     int        `json:"totalReferrals"`
	CompletedReferrals int        `json:"completedReferrals"`
	PendingReferrals   int        `json:"pendingReferrals"`
	CurrentTier        int        `json:"currentTier" minimum:"0" maximum:"4" doc:"Its level; follows the completed referrals"`
	Tiers              []Tier     `json:"tiers" doc:"All tiers by level"`
	PremiumUntil       *time.Time `json:"premiumUntil" nullable:"true" doc:"Until when the thanks last; null without"`
}

// Status is how far a friend has come.
type Status string

// The two statuses.
const (
	Pending   Status = "pending"
	Completed Status = "completed"
)

// Referral is a friend who joined. Nothing but the id is told of them.
type Referral struct {
	ID             uuid.UUID `json:"id"`
	ReferredUserID uuid.UUID `json:"referredUserId"`
	CreatedAt      time.Time `json:"createdAt"`
	Status         Status    `json:"status" enum:"pending,completed"`
}

// Service reads referrals. Safe for use by many goroutines.
type Service struct{ pool *pgxpool.Pool }

// New returns a Service. It panics without a pool.
func New(pool *pgxpool.Pool) *Service {
	nilcheck.Must("referrals.New", nilcheck.Deps{"pool": pool})
	return &Service{pool: pool}
}

// Stats returns the figures of the member id. NotFound unless that is actor.
func (s *Service) Stats(ctx context.Context, actor web.Actor, id uuid.UUID) (Stats, error) {
	if err := own(actor, id); err != nil {
		return Stats{}, err
	}
	total, completed, err := selectCounts(ctx, s.pool, id)
	if err != nil {
		return Stats{}, err
	}
	stats := Stats{
		TotalReferrals: total, CompletedReferrals: completed, PendingReferrals: total - completed,
		CurrentTier: tierOf(completed).Level, Tiers: tiers,
	}
	stats.PremiumUntil, err = selectPremium(ctx, s.pool, id)
	return stats, err
}

// List returns a page of the friends who joined by the link of the member id,
// the newest first, and the cursor of the next page, empty after the last.
// NotFound unless that is actor; Invalid for a cursor that is none.
func (s *Service) List(ctx context.Context, actor web.Actor, id uuid.UUID, cursor string, limit int) ([]Referral, string, error) {
	if err := own(actor, id); err != nil {
		return nil, "", err
	}
	after := web.StartCursor
	if err := web.DecodeCursor(cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectReferrals(ctx, s.pool, id, after, limit+1)
	if err != nil {
		return nil, "", err
	}
	rows, next := web.Paginate(rows, limit, func(r Referral) web.Cursor { return web.Cursor{At: r.CreatedAt, ID: r.ID} })
	for i := range rows {
		rows[i].CreatedAt = web.Time(rows[i].CreatedAt)
	}
	return rows, next, nil
}

// Code returns the code of the member id, which every member has from the
// start. NotFound unless that is actor.
func (s *Service) Code(ctx context.Context, actor web.Actor, id uuid.UUID) (string, error) {
	if err := own(actor, id); err != nil {
		return "", err
	}
	return selectCode(ctx, s.pool, id)
}

// own hides whether there is such a member at all.
func own(actor web.Actor, id uuid.UUID) error {
	if actor.ID != id {
		return fault.New(fault.NotFound, "We could not find that.")
	}
	return nil
}

// tierOf is the highest tier that so many completed referrals reach.
func tierOf(completed int) Tier {
	reached := tiers[0]
	for _, tier := range tiers {
		if completed >= tier.MinReferrals {
			reached = tier
		}
	}
	return reached
}
