package notifications

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/badges"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// badgeLifetime is how long a push about a badge is kept for a device that is offline.
const badgeLifetime = 7 * 24 * time.Hour

// BadgeEarned is the event of a badge whose celebration the member has not closed.
type BadgeEarned struct {
	ID uuid.UUID `json:"id"` // of the row of earned_badges
}

func (BadgeEarned) eventType() string { return "badge" }

// NotifyBadge enqueues, in the transaction that completes the job, a push for each device of the
// member. It enqueues none for a connected member, whose app celebrates the badge, and none once the
// celebration was closed.
func (s *Service) NotifyBadge(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args badges.NotifyArgs) error {
	badge, err := readBadge(ctx, tx, args.ID)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && badge.Online {
		return nil
	}
	if err != nil {
		return err
	}
	return s.pushEvent(ctx, tx, jobs, args.MemberID, Badges, BadgeEarned{args.ID})
}

func (e BadgeEarned) load(ctx context.Context, db pg.DB, _ uuid.UUID, _ Preferences) (Notification, error) {
	badge, err := readBadge(ctx, db, e.ID)
	return Notification{
		Category: Badges, Title: "You earned a badge: " + badge.Name, Body: badge.Description,
		Path: "/badges", Tag: "badge-" + e.ID.String(), Expires: badge.EarnedAt.Add(badgeLifetime),
	}, err
}

type unseenBadge struct {
	Name, Description string
	EarnedAt          time.Time
	Online            bool // whether the member is connected
}

// readBadge returns pgx.ErrNoRows if the member has closed the celebration.
func readBadge(ctx context.Context, db pg.DB, id uuid.UUID) (unseenBadge, error) {
	rows, err := db.Query(ctx, `
		SELECT
			e.name,
			e.description,
			e.earned_at,
			EXISTS (SELECT FROM online_members o WHERE o.user_id = e.user_id)
		FROM earned_badges e
		JOIN profiles u ON u.id = e.user_id AND u.profile_status = 'active'
		WHERE e.id = $1
			AND NOT e.is_notified`, id)
	if err != nil {
		return unseenBadge{}, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByPos[unseenBadge])
}
