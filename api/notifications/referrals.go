package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
	"heartward/api/referrals"
)

// referralLifetime is how long a push about a friend is kept for a device that is offline.
const referralLifetime = 7 * 24 * time.Hour

// ReferralNews is the event of a friend who joined, or whose profile is complete.
type ReferralNews referrals.NotifyArgs

func (ReferralNews) eventType() string { return "referral" }

// NotifyReferral announces the event to the member's devices, and enqueues, in the transaction that completes the job, a
// push for each of them.
func (s *Service) NotifyReferral(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args referrals.NotifyArgs) error {
	s.announce(args.MemberID)
	return s.pushIfCurrent(ctx, tx, jobs, args.MemberID, ReferralNews(args))
}

// happenedAt returns pgx.ErrNoRows if the friend has deleted the account, or the referral was refused.
func (e ReferralNews) happenedAt(ctx context.Context, db pg.DB) (at time.Time, err error) {
	sql := `SELECT joined_at FROM joined_referrals WHERE referrer_id = $1 AND referred_id = $2`
	if e.NewsKind == referrals.NewsCompleted {
		sql = `SELECT completed_at FROM completed_referrals WHERE referrer_id = $1 AND referred_id = $2`
	}
	err = db.QueryRow(ctx, sql, e.MemberID, e.FriendID).Scan(&at)
	return at, err
}

// load returns a notification that does not identify the friend, not even in its tag.
func (e ReferralNews) load(ctx context.Context, db pg.DB, _ uuid.UUID, _ Preferences) (Notification, error) {
	at, err := e.happenedAt(ctx, db)
	n := Notification{
		Category: Badges, Title: "A friend you invited joined", Body: "Thank you for bringing them.",
		Path: "/referrals", Tag: "referral-" + e.NewsKind, Expires: at.Add(referralLifetime), plainTitle: "News about an invitation",
	}
	if e.NewsKind == referrals.NewsCompleted {
		n.Title, n.Body = "A friend you invited completed their profile", "A week of Premium for you both."
	}
	return n, err
}
