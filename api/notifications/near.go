package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/discovery"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// nearLifetime is how long a push about more people nearby is kept for a device that is offline.
const nearLifetime = 7 * 24 * time.Hour

// MoreNear is the event of 20 more people near a member who asked for one notification of it. Its category is Account: the
// member has asked for this one, so no setting turns it off.
type MoreNear discovery.NearNotifyArgs

func (MoreNear) eventType() string { return "near" }

// NotifyNear announces the event to the member's devices, and enqueues, in the transaction that completes the job, a push for
// each of them. It enqueues none once the member has withdrawn the request.
func (s *Service) NotifyNear(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args discovery.NearNotifyArgs) error {
	s.announce(args.MemberID)
	return s.pushIfCurrent(ctx, tx, jobs, args.MemberID, MoreNear(args))
}

// load returns pgx.ErrNoRows if the member has withdrawn the request, or has asked again.
func (e MoreNear) load(ctx context.Context, db pg.DB, member uuid.UUID, _ Preferences) (Notification, error) {
	var at time.Time
	err := db.QueryRow(ctx, `
		SELECT n.told_at
		FROM near_news n
		JOIN profiles u ON u.id = n.user_id AND u.profile_status = 'active'
		WHERE n.user_id = $1`, member).Scan(&at)
	return Notification{
		Category: Account, Title: "More people near you", Body: "At least 20 more within 50 miles of your town.",
		Path: "/", Tag: "near-" + e.Day, Expires: at.Add(nearLifetime),
	}, err
}
