package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/moments"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// consentLifetime is how long a push about a request for consent is kept for a device that is offline.
const consentLifetime = 3 * 24 * time.Hour

// ConsentAsked is the event of a match who asks to name the member in a picture.
type ConsentAsked moments.NotifyArgs

func (ConsentAsked) eventType() string { return "consent" }

// NotifyConsent enqueues, in the transaction that completes the job, a push for each device of the
// member. It enqueues none once the member has answered.
func (s *Service) NotifyConsent(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args moments.NotifyArgs) error {
	return s.pushIfCurrent(ctx, tx, jobs, args.MemberID, ConsentAsked(args))
}

// load returns pgx.ErrNoRows if the member has answered, or may not see who asks.
func (e ConsentAsked) load(ctx context.Context, db pg.DB, member uuid.UUID, _ Preferences) (Notification, error) {
	var from string
	var at time.Time
	err := db.QueryRow(ctx, `
		SELECT u.first_name, c.asked_at
		FROM waiting_consents c
		JOIN profiles me ON me.id = c.member_id AND me.profile_status = 'active'
		JOIN visible_members(@viewer) u ON u.id = c.owner_id
		WHERE c.moment_id = @moment
			AND c.member_id = @viewer`, pgx.NamedArgs{"moment": e.MomentID, "viewer": member}).Scan(&from, &at)
	return Notification{
		Category: Matches, Title: from + " would like to name you", Body: "In the picture of your match. It's your choice.",
		Path: "/shareable-moments", Tag: "consent-" + e.MomentID.String(), Expires: at.Add(consentLifetime), plainTitle: "A question about a match",
	}, err
}
