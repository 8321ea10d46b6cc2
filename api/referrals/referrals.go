// Package referrals invites friends by mail and rewards members whose friends join. A referral is an
// invitation by mail, or a sign-up with the link of another member. It is completed when the new
// member's profile is complete.
package referrals

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/mail"
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
	TotalReferrals     int        `json:"totalReferrals" doc:"All invitations by mail and all friends who joined; more than the next two together, because of expired and refused ones"`
	CompletedReferrals int        `json:"completedReferrals"`
	PendingReferrals   int        `json:"pendingReferrals"`
	CurrentTier        int        `json:"currentTier" minimum:"0" maximum:"4" doc:"The highest level of the completed referrals"`
	ReachedTier        int        `json:"reachedTier" minimum:"0" maximum:"4" doc:"The highest level whose reward the member has; it stays when friends delete their accounts"`
	Tiers              []Tier     `json:"tiers" doc:"All tiers by level"`
	PremiumUntil       *time.Time `json:"premiumUntil" nullable:"true" doc:"The end of Premium; null without Premium"`
	IsPremiumForLife   bool       `json:"isPremiumForLife" doc:"Whether the member has reached the last tier, whose Premium has no end"`
}

// Status is the state of a referral.
type Status string

// The states.
const (
	Pending   Status = "pending"
	Completed Status = "completed"
	Expired   Status = "expired" // no friend joined by the invitation in 90 days
	Refused   Status = "refused" // the friend seems to be the referrer, or another friend of the referrer
)

// Referral is an invitation by mail, or a friend who joined. It does not contain the id of the friend, and does not depend
// on whether an address has an account or has opted out.
type Referral struct {
	ID             uuid.UUID  `json:"id"`
	ReferredUserID *uuid.UUID `json:"referredUserId" nullable:"true" doc:"Stands for the friend, and is no member's id: the caller is not told who joined. Null until the friend joins"`
	Email          *string    `json:"email" nullable:"true" doc:"The address as the caller typed it, until the friend joins or the invitation expires; null otherwise"`
	CreatedAt      time.Time  `json:"createdAt"`
	CompletedAt    *time.Time `json:"completedAt" nullable:"true"`
	Status         Status     `json:"status" enum:"pending,completed,expired,refused" doc:"refused: the friend is, as far as is known, the caller or another friend of the caller"`
	RewardTier     int        `json:"rewardTier" minimum:"0" maximum:"4" doc:"The tier that the caller reached, or was in, with this referral"`
}

// Refuser reports whether an invitation of member to an address, in its stored form, must not be mailed.
type Refuser func(ctx context.Context, tx pgx.Tx, member uuid.UUID, address string) (refused bool, err error)

// Config is the configuration of a Service.
type Config struct {
	Site   string    // public URL without a trailing slash, for links in mails
	Secret []byte    // of the HMACs of addresses; at least 32 bytes
	PerDay int       // the maximum number of invitations by mail of all members in a day; 0 for 500
	Refuse []Refuser // rules of other features, such as bans; an invitation that one of them refuses is not mailed
}

// Service invites friends and reads referrals. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	mail   mail.Sender
	jobs   jobqueue.Inserter
	site   string
	key    []byte // of the HMACs of addresses
	perDay limits.Daily
	refuse []Refuser
}

// New returns a Service. It panics when a dependency is nil, or if the secret is shorter than 32 bytes.
func New(pool *pgxpool.Pool, sender mail.Sender, jobs jobqueue.Inserter, config Config) *Service {
	nilcheck.Must("referrals.New", nilcheck.Deps{"pool": pool, "sender": sender, "jobs": jobs})
	if len(config.Secret) < 32 {
		panic("referrals: the secret must have at least 32 bytes")
	}
	return &Service{
		pool: pool, mail: sender, jobs: jobs, site: config.Site, key: deriveKey(config.Secret), refuse: config.Refuse,
		perDay: limits.Daily{Name: "all invitations", Count: cmp.Or(config.PerDay, 500)},
	}
}

// Stats returns the counts of member id. It returns NotFound unless id is actor's.
func (s *Service) Stats(ctx context.Context, actor web.Actor, id uuid.UUID) (Stats, error) {
	if err := checkOwn(actor, id); err != nil {
		return Stats{}, err
	}
	stats, err := selectStats(ctx, s.pool, id)
	if err != nil {
		return Stats{}, err
	}
	stats.CurrentTier, stats.Tiers = tierOf(stats.CompletedReferrals).Level, tiers
	stats.IsPremiumForLife = stats.ReachedTier == tiers[len(tiers)-1].Level
	return stats, nil
}

// List returns a page of the invitations by mail of member id and of the friends who joined, the newest
// first, and the cursor of the next page, empty after the last. It returns NotFound unless id is actor's,
// and Invalid for an invalid cursor.
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
		rows[i].roundTimes()
	}
	return rows, next, nil
}

// roundTimes sets the times to the precision of the API.
func (r *Referral) roundTimes() {
	r.CreatedAt = web.Time(r.CreatedAt)
	if r.CompletedAt != nil {
		at := web.Time(*r.CompletedAt)
		r.CompletedAt = &at
	}
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
