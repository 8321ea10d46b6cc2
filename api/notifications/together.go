package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
	"heartward/api/pulse"
)

// togetherLifetime is how long a push about an invitation is kept for a device that is offline.
const togetherLifetime = 7 * 24 * time.Hour

// TogetherInvited is the event of a partner who wants to share the Love Pulse, while the member does not.
type TogetherInvited pulse.NotifyArgs

func (TogetherInvited) eventType() string { return "together" }

// NotifyTogether enqueues, in the transaction that completes the job, a push for each device of the
// member. It enqueues none once both share, or the partner no longer does.
func (s *Service) NotifyTogether(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args pulse.NotifyArgs) error {
	return s.pushIfCurrent(ctx, tx, jobs, args.MemberID, TogetherInvited(args))
}

// load returns pgx.ErrNoRows if there is no longer an invitation. It reads no entry.
func (e TogetherInvited) load(ctx context.Context, db pg.DB, member uuid.UUID, _ Preferences) (Notification, error) {
	var from string
	var at time.Time
	err := db.QueryRow(ctx, `
		SELECT u.first_name, t.invited_at
		FROM together_invitations t
		JOIN visible_members(@viewer) u ON u.id = t.partner_id
		WHERE t.couple_id = @couple
			AND t.member_id = @viewer`, pgx.NamedArgs{"couple": e.CoupleID, "viewer": member}).Scan(&from, &at)
	return Notification{
		Category: Graduation, Title: from + " would like to share the Love Pulse", Body: "It's your choice, and you can stop at any time.",
		Path: "/together", Tag: "together-" + e.CoupleID.String(), Expires: at.Add(togetherLifetime), plainTitle: "News from your partner",
	}, err
}
