package graduation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/pg"
)

// NotifyArgs are the arguments of the job that notifies a member of a couple's new status: asked; pending or declined,
// after the partner's answer; graduated or rejected.
type NotifyArgs struct {
	CoupleID uuid.UUID `json:"coupleId" river:"unique"`
	MemberID uuid.UUID `json:"memberId" river:"unique"`
	Status   string    `json:"status" river:"unique"`
}

// Kind returns the name of the job.
func (NotifyArgs) Kind() string { return "notify_graduation" }

// InsertOpts allow one job for each member and status of a couple.
func (NotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

func (s *Service) enqueueNotify(ctx context.Context, tx pgx.Tx, couple uuid.UUID, status string, ids ...uuid.UUID) error {
	for _, id := range ids {
		if _, err := s.jobs.InsertTx(ctx, tx, NotifyArgs{CoupleID: couple, MemberID: id, Status: status}, nil); err != nil {
			return err
		}
	}
	return nil
}

// News is what a notification says about a couple.
type News struct {
	With string    // the partner's first name
	At   time.Time // of the change
}

// NewsFor returns the news of a job, and false when the couple has changed since or one of the two is
// not active.
func NewsFor(ctx context.Context, db pg.DB, args NotifyArgs) (News, bool, error) {
	var n News
	err := db.QueryRow(ctx, `
		SELECT
			partner.first_name,
			coalesce(c.ended_at, c.approved_at, c.accepted_at, c.requested_at)
		FROM graduated_couples c
		JOIN profiles me ON me.id = $2 AND me.id IN (c.user_one_id, c.user_two_id) AND me.profile_status = 'active'
		JOIN profiles partner ON partner.id IN (c.user_one_id, c.user_two_id) AND partner.id <> me.id AND partner.profile_status = 'active'
		WHERE c.id = $1
			AND c.status = $3`, args.CoupleID, args.MemberID, args.Status).Scan(&n.With, &n.At)
	if errors.Is(err, pgx.ErrNoRows) {
		return n, false, nil
	}
	return n, err == nil, err
}
