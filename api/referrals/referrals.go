// Package referrals rewards members who invite friends. A referral is a sign-up with the
// link of another member. It is completed when the new member's profile is complete.
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

// Tier is a level of rewards.
type Tier struct {
	Level        int    `json:"level"`
	Name         string `json:"name"`
	MinReferrals int    `json:"minReferrals" doc:"The number of completed referrals it requires"`
	Reward       string `json:"reward"`

	premium string // duration of Premium, as a PostgreSQL interval
}

// tiers are ordered by level.
var tiers = []Tier{
	{Level: 0, Name: "Cupid's Helper", MinReferrals: 0, Reward: "Welcome bonus"},
	{Level: 1, Name: "Love Ambassador", MinReferrals: 3, Reward: "Premium features for 1 month", premium: "1 month"},
	{Level: 2, Name: "Matchmaker", MinReferrals: 10, Reward: "Exclusive badge + 3 months premium", premium: "3 months"},
	{Level: 3, Name: "Love Guru", MinReferrals: 25, Reward: "VIP status + 6 months premium", premium: "6 months"},
	{Level: 4, Name: "Romance Legend", MinReferrals: 50, Reward: "Lifetime premium + special features", premium: "100 years"},
}

// Stats counts a member's referrals.
type Stats struct {
	TotalReferrals     int        `json:"totalReferrals"`
	CompletedReferrals int        `json:"completedReferrals"`
	PendingReferrals   int        `json:"pendingReferrals"`
	CurrentTier        int        `json:"currentTier" minimum:"0" maximum:"4" doc:"The highest level reached"`
	Tiers              []Tier     `json:"tiers" doc:"All tiers by level"`
	PremiumUntil       *time.Time `json:"premiumUntil" nullable:"true" doc:"The end of Premium; null without Premium"`
}

// Status is the state of a referral.
type Status string

// The states.
const (
	Pending   Status = "pending"
	Completed Status = "completed"
)

// Referral is a friend who joined. It contains no data of the friend except the id.
type Referral struct {
	ID             uuid.UUID `json:"id"`
	ReferredUserID uuid.UUID `json:"referredUserId"`
	CreatedAt      time.Time `json:"createdAt"`
	Status         Status    `json:"status" enum:"pending,completed"`
}

// Service reads referrals. It is safe for concurrent use.
type Service struct{ pool *pgxpool.Pool }

// New returns a Service. It panics when pool is nil.
func New(pool *pgxpool.Pool) *Service {
	nilcheck.Must("referrals.New", nilcheck.Deps{"pool": pool})
	return &Service{pool: pool}
}

// Stats returns the counts of member id. It returns NotFound unless id is actor's.
func (s *Service) Stats(ctx context.Context, actor web.Actor, id uuid.UUID) (Stats, error) {
	if err := checkOwn(actor, id); err != nil {
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

// List returns a page of the friends who joined with the link of member id, the
// newest first, and the cursor of the next page, empty after the last. It returns
// NotFound unless id is actor's, and Invalid for an invalid cursor.
func (s *Service) List(ctx context.Context, actor web.Actor, id uuid.UUID, cursor string, limit int) ([]Referral, string, error) {
	if err := checkOwn(actor, id); err != nil {
		return nil, "", err
	}
	list := web.List{Name: "referrals", Member: actor.ID}
	after := web.StartCursor
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectReferrals(ctx, s.pool, id, after, limit+1)
	if err != nil {
		return nil, "", err
	}
	rows, next := web.Paginate(list, rows, limit, func(r Referral) web.Cursor { return web.Cursor{At: r.CreatedAt, ID: r.ID} })
	for i := range rows {
		rows[i].CreatedAt = web.Time(rows[i].CreatedAt)
	}
	return rows, next, nil
}

// Code returns the referral code of member id, which never changes. It returns
// NotFound unless id is actor's.
func (s *Service) Code(ctx context.Context, actor web.Actor, id uuid.UUID) (string, error) {
	if err := checkOwn(actor, id); err != nil {
		return "", err
	}
	return selectCode(ctx, s.pool, id)
}

// checkOwn returns NotFound unless id is actor's.
func checkOwn(actor web.Actor, id uuid.UUID) error {
	if actor.ID != id {
		return fault.New(fault.NotFound, "We could not find that.")
	}
	return nil
}

// tierOf returns the highest tier for a number of completed referrals.
func tierOf(completed int) Tier {
	reached := tiers[0]
	for _, tier := range tiers {
		if completed >= tier.MinReferrals {
			reached = tier
		}
	}
	return reached
}
