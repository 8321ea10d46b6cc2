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

// MoreNear is the event of 20 more people near a member who asked to be told once. Its category is Account, because
// the member asked for this very notice.
type MoreNear discovery.NearNotifyArgs

func (MoreNear) eventType() string { return "near" }

// NotifyNear enqueues, in the transaction that completes the job, a push for each device of the member. It enqueues none
// once the member has taken the wish back.
func (s *Service) NotifyNear(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args discovery.NearNotifyArgs) error {
	if _, err := MoreNear(args).load(ctx, tx, args.MemberID, Preferences{}); err != nil {
		return ignoreNoRows(err)
	}
	s.announce(args.MemberID)
	return s.pushEvent(ctx, tx, jobs, args.MemberID, Account, MoreNear(args))
}

// load returns pgx.ErrNoRows if the member has taken the wish back or waits again.
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
